import { ContractEvent } from '@podium/messages';
import { contractDifferences } from './contract-differences';

const event = (name: string, change: Partial<ContractEvent> = {}): ContractEvent => ({
  ...{ name, kind: 'one_off', attributes: [] },
  ...change,
});

describe('differences of contract versions', () => {
  it('are the names that are added, retired and un-retired', () => {
    const amount = { name: 'amount', type: 'decimal' } as const;
    const bonus = { name: 'bonus', type: 'string' } as const;
    const before = [
      event('deposit', { attributes: [amount, { ...bonus, retired: true }] }),
      event('bonus_claimed', { retired: true }),
      event('kyc'),
      event('trade'),
    ];
    const after = [
      event('deposit', { attributes: [{ ...amount, retired: true }, bonus, { name: 'fee', type: 'decimal' }] }),
      event('bonus_claimed'),
      event('kyc', { retired: true }),
      event('trade'),
      event('login', { attributes: [amount] }),
    ];
    expect(contractDifferences(before, after)).toEqual({
      events_added: ['login'],
      events_retired: ['kyc'],
      events_unretired: ['bonus_claimed'],
      attributes_added: ['"fee" of "deposit"'],
      attributes_retired: ['"amount" of "deposit"'],
      attributes_unretired: ['"bonus" of "deposit"'],
    });
    expect(contractDifferences(after, after)).toEqual({});
  });

  it('name at most 50 of a kind', () => {
    const all = Array.from({ length: 60 }, (_, n) => event(`e${n}`));
    const { events_added: names } = contractDifferences([], all);
    expect(names).toHaveLength(51);
    expect(names.at(-1)).toBe('and 10 more');
  });
});
