import { TaskBody } from '../evaluation/definition';
import { maxPerDayOf } from './max-per-day';
import { readStoredBody } from './stored-body';

const dayS = 86_400;
const priced = { dryRunId: 'r', awards: 1_000, cost: '1000', from: 0, to: 10 * dayS };

function body(max_per_day?: number): TaskBody {
  return readStoredBody(
    'task',
    {
      goal: { count: { event: 'deposit' }, op: 'gte', value: 1 },
      repeat: { once: true },
      reward: { type: 'points', amount: '1' },
      ...(max_per_day === undefined ? {} : { max_per_day }),
    },
    {},
  );
}

describe('the awards of a day above which the engine pauses a task', () => {
  it('are those that the version states', () => {
    expect(maxPerDayOf(body(7), undefined, priced)).toBe(7);
  });

  it('are three times the mean of the dry run, or another multiple, at least 10', () => {
    expect(maxPerDayOf(body(), undefined, priced)).toBe(300);
    expect(maxPerDayOf(body(), 1.5, priced)).toBe(150);
    expect(maxPerDayOf(body(), undefined, { ...priced, awards: 3 })).toBe(10);
    expect(maxPerDayOf(body(), undefined, { ...priced, awards: 100, to: 60 })).toBe(300);
  });

  it('are at most those that a version may state', () => {
    expect(maxPerDayOf(body(), 1_000, { ...priced, awards: 100_000_000 })).toBe(1_000_000_000);
  });

  it('are none without either', () => {
    expect(maxPerDayOf(body(), undefined, null)).toBeNull();
    const segment = readStoredBody('segment', { condition: { latest: 'kyc', where: [] } }, {});
    expect(maxPerDayOf(segment, undefined, null)).toBeNull();
  });

  it('have a multiple only where there is a forecast to multiply', () => {
    expect(() => maxPerDayOf(body(), 2, null)).toThrow('forecast_multiple: needs a finished dry run');
    expect(() => maxPerDayOf(body(7), 2, priced)).toThrow('forecast_multiple: leave it out');
  });
});
