import { ContractAttribute, ContractEvent } from '@podium/messages';
import { checkContractChange } from './contract-change-rules';

const currency: ContractAttribute = { name: 'currency', type: 'currency' };
const amount: ContractAttribute = {
  name: 'amount',
  type: 'decimal',
  currency_attribute: 'currency',
  currencies: ['EUR', 'USD'],
  non_negative: true,
};

describe('declarations of numbers in a contract', () => {
  it('may be given with a new attribute', () => {
    expect(problemOf([], [amount, currency])).toBeNull();
    expect(problemOf([currency], [amount, currency])).toBeNull();
    expect(problemOf([], [{ name: 'stake', type: 'integer', non_negative: true }])).toBeNull();
    expect(problemOf([], [{ ...amount, non_negative: undefined }, currency])).toBeNull();
  });

  it.each<[string, Partial<ContractAttribute>, string]>([
    ['a currency attribute of an integer', { type: 'integer' }, 'which only a decimal may have; it is integer'],
    ['non-negative text', { type: 'string' }, 'which only an integer or decimal may have; it is string'],
    ['an unknown currency attribute', { currency_attribute: 'unit' }, '"unit", which the event does not list'],
    ['itself as currency attribute', { currency_attribute: 'amount' }, 'which is decimal; its type must be currency'],
    ['no currencies', { currencies: undefined }, 'has a currency_attribute without currencies'],
    ['currencies alone', { currency_attribute: undefined }, 'has currencies without a currency_attribute'],
    ['a currency twice', { currencies: ['EUR', 'USD', 'EUR'] }, 'lists the currency EUR twice'],
  ])('are refused for %s', (_, change, sentence) => {
    expect(problemOf([], [{ ...amount, ...change }, currency])).toContain(sentence);
  });

  it('are refused for a currency attribute that is retired while the money is not', () => {
    const retired = { ...currency, retired: true };
    expect(problemOf([amount, currency], [amount, retired])).toContain('retire both or none');
    expect(problemOf([amount, currency], [{ ...amount, retired: true }, retired])).toBeNull();
  });

  it.each<[string, Partial<ContractAttribute>, Partial<ContractAttribute>, string | null]>([
    ['further currencies', {}, { currencies: ['USD', 'EUR', 'GBP'] }, null],
    ['fewer currencies', {}, { currencies: ['USD', 'GBP'] }, 'was negotiated with the currency EUR'],
    ['no money any more', {}, { currency_attribute: undefined, currencies: undefined }, 'its currency_attribute'],
    ['money now', { currency_attribute: undefined, currencies: undefined }, {}, 'its currency_attribute'],
    ['another currency attribute', {}, { currency_attribute: 'other' }, 'its currency_attribute'],
    ['non-negative no longer', {}, { non_negative: undefined }, 'non_negative'],
    ['non-negative now', { non_negative: undefined }, {}, 'non_negative'],
    ['the same in other words', { non_negative: undefined }, { non_negative: false }, null],
  ])('of an existing attribute: %s', (_, before, after, sentence) => {
    const other = { ...currency, name: 'other' };
    const problem = problemOf([{ ...amount, ...before }, currency, other], [{ ...amount, ...after }, currency, other]);
    if (sentence === null) expect(problem).toBeNull();
    else expect(problem).toContain(sentence);
  });

  it('do not come through retiring: a retired attribute keeps them', () => {
    const plain: ContractAttribute = { name: 'amount', type: 'decimal', retired: true };
    expect(problemOf([plain, currency], [amount, currency])).toContain('its currency_attribute');
  });
});

function problemOf(before: ContractAttribute[], after: ContractAttribute[]): string | null {
  try {
    checkContractChange(eventsOf(before), eventsOf(after));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function eventsOf(attributes: ContractAttribute[]): ContractEvent[] {
  return [{ name: 'deposit', kind: 'repeatable', attributes }];
}
