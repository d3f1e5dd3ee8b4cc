import { probesPerS } from './link-changes';
import { judgedEventsPerS, newEventsPerS, sizeOf } from './run-size';

/** Of a user and name (docs/engine.md, limits). */
const keptSingly = 2_000;
const minute = 60_000;

describe('the users of a fault run', () => {
  it.each([
    ['a short run of one kind', 1, 0, 90],
    ['a short run of all kinds', 46, 0, 46 * 90],
    ['a day', 46, 1440 * minute, 1440 * 60],
  ])('are so many that no one has more events of a name than are kept singly: %s', (_, kinds, forMs, lengthS) => {
    const { users, moving, judged } = sizeOf(kinds, { forMs });
    // Deposits are the most frequent events of users, bets of those who are judged, and probes are all deposits.
    expect((newEventsPerS * 0.6 * lengthS) / (users - moving)).toBeLessThan(keptSingly * 0.8);
    expect((judgedEventsPerS * 0.5 * lengthS) / judged).toBeLessThan(keptSingly * 0.8);
    // While they are not linked, which is half of the time, their events are refused.
    expect((probesPerS * 0.5 * lengthS) / moving).toBeLessThan(keptSingly * 0.8);
  });

  it('are few where each kind is injected once, side by side', () => {
    expect(sizeOf(20, undefined)).toEqual({ users: 3, moving: 1, judged: 2 });
  });
});
