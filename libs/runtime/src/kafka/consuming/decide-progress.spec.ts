import * as fc from 'fast-check';
import { decideProgress } from './decide-progress';
import { backoffMs } from './retry-and-dead-letter-policy';
import { dead, done, Outcome, retry, retryDependency, skip } from './outcomes';

const offsets = (count: number): bigint[] => Array.from({ length: count }, (_, index) => BigInt(100 + index));

describe('decideProgress', () => {
  it('finishes done, skipped and dead records together', () => {
    expect(decideProgress(offsets(3), [done, skip('old'), dead('broken')], null, 5)).toEqual({
      finished: 3,
      dead: [{ index: 2, reason: 'broken', attempts: 1 }],
      stop: null,
    });
  });

  it('stops before the first retry and discards later outcomes', () => {
    expect(decideProgress(offsets(4), [done, retry('no'), dead('later'), done], null, 5)).toEqual({
      finished: 1,
      dead: [],
      stop: { reason: 'no', dependency: false, stuck: { offset: 101n, attempts: 1, failures: 1 } },
    });
  });

  it('counts no attempt for a dependency, however often it fails', () => {
    let stuck = null;
    for (let failures = 1; failures <= 50; failures++) {
      const progress = decideProgress(offsets(1), [retryDependency('away')], stuck, 5);
      expect(progress.stop?.stuck).toEqual({ offset: 100n, attempts: 0, failures });
      stuck = progress.stop!.stuck;
    }
  });

  it('dead-letters a record at its last attempt, and counts from one for the next', () => {
    const stuck = { offset: 100n, attempts: 4, failures: 9 };
    expect(decideProgress(offsets(2), [retry('poison'), done], stuck, 5)).toEqual({
      finished: 1,
      dead: [{ index: 0, reason: 'poison', attempts: 5 }],
      stop: null,
    });
    expect(decideProgress([101n], [retry('other')], stuck, 5).stop?.stuck.attempts).toBe(1);
  });

  it('never passes a retry, and always advances or stops', () => {
    const outcome: fc.Arbitrary<Outcome> = fc.constantFrom(
      done,
      skip('s'),
      dead('d'),
      retry('r'),
      retryDependency('q'),
    );
    fc.assert(
      fc.property(
        fc.array(outcome, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 3 }),
        (outcomes, max) => {
          const { finished, dead: letters, stop } = decideProgress(offsets(outcomes.length), outcomes, null, max);
          const passedRetries = outcomes.slice(0, finished).filter(({ kind }) => kind === 'retry').length;
          expect(passedRetries).toBeLessThanOrEqual(max === 1 ? 1 : 0);
          expect(finished > 0 || stop !== null).toBe(true);
          expect(letters.every(({ index }) => index < finished)).toBe(true);
        },
      ),
    );
  });
});

describe('backoffMs', () => {
  it('doubles up to its bound and is shortened by at most a half', () => {
    const policy = { baseMs: 100, maxMs: 5_000 };
    expect([1, 2, 3, 7, 1_000].map((failures) => backoffMs(failures, policy, () => 1))).toEqual([
      100, 200, 400, 5_000, 5_000,
    ]);
    expect(backoffMs(1, policy, () => 0)).toBe(50);
  });
});
