import fc from 'fast-check';
import { afterAll as afterAllOf, share, world } from './generate-world';
import { type OracleOwed, type World, changesOf, owedOf } from './index';

/** All answers about a world; those of seconds given besides must not differ. */
function answersOf(world: World, nowS: number, extraSeconds: readonly number[] = []): Answers[] {
  return world.definitions.map((definition) =>
    definition.kind === 'task'
      ? { id: definition.definitionId, owed: owedOf(world, definition, nowS, { limit: 1000, extraSeconds }) }
      : { id: definition.definitionId, changes: changesOf(world, definition, nowS, extraSeconds) },
  );
}

interface Answers {
  readonly id: string;
  readonly owed?: readonly OracleOwed[];
  readonly changes?: readonly { at: number; member: boolean }[];
}

const byAfterAll = world().map((of) => ({ of, nowS: afterAllOf(of) }));

describe('answers of the oracle about random worlds', () => {
  it('are the same with more seconds to evaluate at', () => {
    const shares = fc.array(share, { minLength: 50, maxLength: 100, size: 'max' });
    fc.assert(
      fc.property(byAfterAll, shares, ({ of, nowS }, parts) => {
        const known = of.events.flatMap(({ createdAt, receivedAt }) => [createdAt - 1, createdAt + 1, receivedAt + 1]);
        const firstS = nowS - 100 * 86_400;
        const extra = [...known, ...parts.map((part) => Math.floor(firstS + part * (nowS - firstS)))];
        expect(answersOf(of, nowS, extra)).toEqual(answersOf(of, nowS));
      }),
      { numRuns: 40 },
    );
  });

  it('are the same for every order of events', () => {
    const shuffled = byAfterAll.chain(({ of, nowS }) =>
      fc.shuffledSubarray([...of.events], { minLength: of.events.length }).map((events) => ({ of, nowS, events })),
    );
    fc.assert(
      fc.property(shuffled, ({ of, nowS, events }) => {
        expect(answersOf({ ...of, events }, nowS)).toEqual(answersOf(of, nowS));
      }),
      { numRuns: 40 },
    );
  });

  it('are, at an earlier now, those that were reached by then', () => {
    fc.assert(
      fc.property(byAfterAll, share, ({ of, nowS }, part) => {
        const earlierS = Math.floor(nowS - part * 90 * 86_400);
        const byThen = answersOf(of, nowS).map(({ id, owed, changes }) => ({
          id,
          ...(owed && { owed: owed.filter(({ reachedAt }) => reachedAt <= earlierS) }),
          ...(changes && { changes: changes.filter(({ at }) => at <= earlierS) }),
        }));
        expect(answersOf(of, earlierS)).toEqual(byThen);
      }),
      { numRuns: 40 },
    );
  });
});

describe('random worlds', () => {
  const worlds = fc.sample(world(), { seed: 1, numRuns: 1000 });

  it('have all forms of conditions, windows, repeats and rewards', () => {
    const text = JSON.stringify(worlds.map(({ definitions }) => definitions.map(({ versions }) => versions)));
    const parts = [
      ...['all', 'any', 'not', 'count', 'sum', 'min', 'max', 'distinct', 'latest', 'absent', 'sequence', 'streak'],
      ...['in_segment', 'rolling', 'calendar', 'since', 'task', 'between', 'lifetime', 'once', 'per', 'every'],
      ...['eligible', 'starts_at', 'ends_at', 'percent', 'floor', 'cap', 'currency'],
    ];
    expect(parts.filter((part) => !text.includes(`"${part}":`))).toEqual([]);
    expect(['"PT2H"', '"in"', '"not_exists"', '"generation":3'].filter((part) => !text.includes(part))).toEqual([]);
  });

  it('reach goals by events and by time, of every repeat, and in later generations', () => {
    const kinds = new Map<string, number>();
    for (const of of worlds) {
      for (const { owed = [], changes = [] } of answersOf(of, afterAllOf(of))) {
        const found = owed.map((one) => `${kindOf(one.occurrence)} by ${one.decidedById === null ? 'time' : 'event'}`);
        const rewards = owed.map(({ reward }) => ('unpayable' in reward ? reward.unpayable : 'payable'));
        const members = changes.map(({ member }) => (member ? 'entered' : 'left'));
        for (const kind of new Set([...found, ...rewards, ...members])) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }
    const wanted = ['day by time', 'day by event', 'week by time', 'week by event', 'month by time', 'month by event'];
    wanted.push('g1:once by time', 'g1:once by event', 'g2:once by event', 'g1:every by event', 'g2:every by event');
    wanted.push('payable', 'amount_absent', 'amount_zero', 'entered', 'left');
    expect(wanted.filter((kind) => (kinds.get(kind) ?? 0) < 5).map((kind) => [kind, kinds.get(kind)])).toEqual([]);
  });
});

function kindOf(occurrence: string): string {
  if (occurrence.startsWith('g')) return occurrence.split(':').slice(0, 2).join(':');
  if (occurrence.includes('W')) return 'week';
  return occurrence.length === 7 ? 'month' : 'day';
}
