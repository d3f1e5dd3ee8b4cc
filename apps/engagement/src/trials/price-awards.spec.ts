import { priceAwards } from './price-awards';

const dayS = 86_400;
const firstDay = Date.parse('2026-11-01T00:00:00Z') / 1000;
const award = (day: number, amount: string, n = 1) => ({
  reachedAt: firstDay + (day - 1) * dayS + 100,
  userRef: 7,
  n,
  amount,
});
const nothing = { total: '0', days: new Map<string, string>() };

describe('costs of a dry run against a budget', () => {
  it('are added up by UTC day, exactly, when there is no budget', () => {
    const priced = priceAwards([award(1, '0.1'), award(1, '0.2', 2), award(3, '5')], {}, nothing);
    expect(priced).toEqual({
      days: [
        { day: '2026-11-01', awards: 2, cost: '0.3', withheld: 0, paid: '0.3' },
        { day: '2026-11-03', awards: 1, cost: '5', withheld: 0, paid: '5' },
      ],
      withheld: [],
      budgetEndedOn: null,
      last: award(3, '5'),
    });
  });

  it('leave out an award that does not fit, while a smaller one after it may', () => {
    const awards = [award(1, '6'), award(1, '5', 2), award(1, '4', 3), award(2, '1')];
    const priced = priceAwards(awards, { total: '10' }, nothing);
    expect(priced.days).toEqual([
      { day: '2026-11-01', awards: 3, cost: '15', withheld: 1, paid: '10' },
      { day: '2026-11-02', awards: 1, cost: '1', withheld: 1, paid: '0' },
    ]);
    expect(priced.withheld).toEqual([
      { place: awards[1], reason: 'budget_total' },
      { place: awards[3], reason: 'budget_total' },
    ]);
    expect(priced.budgetEndedOn).toBe('2026-11-01');
  });

  it('begin each day with the whole budget of a day, and go on with what was paid before', () => {
    const before = { total: '95', days: new Map([['2026-11-01', '8']]) };
    const awards = [award(1, '3'), award(1, '2', 2), award(2, '3'), award(2, '1', 2)];
    const priced = priceAwards(awards, { total: '100', per_day: '10' }, before);
    expect(priced.withheld.map(({ reason }) => reason)).toEqual(['budget_day', 'budget_total']);
    expect(priced.days.map(({ day, paid }) => [day, paid])).toEqual([
      ['2026-11-01', '2'],
      ['2026-11-02', '3'],
    ]);
    expect(priced.budgetEndedOn).toBe('2026-11-02');
  });
});
