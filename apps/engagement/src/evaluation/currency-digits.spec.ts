import { readPage } from '../../test/documented-examples';
import { deposits } from '../../test/given-definitions';
import { currenciesByDigits, currencyDigits } from './currency-digits';
import { noRates } from './rates';
import { compileReward } from './reward';

/** A tenth of a deposit, as a formula pays it. */
function tenthOf(amount: string, currency: string): unknown {
  const specs = {
    deposit: {
      amount: { type: 'decimal', currencyAttribute: 'currency', currencies: { [currency]: 1 } },
      currency: { type: 'currency' },
    },
  } as const;
  const { at } = compileReward(
    { type: 'money', percent: '10', of: { attribute: 'amount' }, currency },
    { count: deposits, window: { task: true }, op: 'gte', value: '1' },
    { specs, segments: new Map(), rates: noRates, zone: 'UTC', taskStart: 0, per: null },
  );
  const place = { name: 'deposit', createdAt: 1, receivedAt: 1, linkedAt: 0, account: 'account-1', contractVersion: 1 };
  return at(undefined as never, { id: 'd1', ...place, attributes: { amount, currency } });
}

describe('the digits of a currency', () => {
  it.each([
    ['1234.50', 'EUR', '123.45'],
    ['1234.50', 'HUF', '123.45'],
    ['4.00', 'PKR', '0.4'],
    ['0.05', 'IDR', '0.01'],
    ['12.345', 'IQD', '1.235'],
    ['1234.5', 'JPY', '123'],
    ['1235', 'CLP', '124'],
    ['1.23456', 'UYW', '0.1235'],
  ])('are those of its smallest unit: a tenth of %s %s is %s', (amount, currency, paid) => {
    expect(tenthOf(amount, currency)).toEqual({ type: 'money', amount: paid, currency });
  });

  it('are two of a code that is not listed', () => {
    expect(['USD', 'XAU', 'ZZZ'].map(currencyDigits)).toEqual([2, 2, 2]);
  });

  it('are those of docs/engine.md', () => {
    const rows = [...readPage().matchAll(/^\| (\d) +\| ((?:[A-Z]{3}(?:, )?)+) *\|$/gm)];
    expect(rows.map(([, digits, codes]) => [Number(digits), codes.split(', ')])).toEqual([...currenciesByDigits]);
  });
});
