import { Outcome } from './outcomes';

/** The state of the record at which a partition is paused. */
export interface StuckAt {
  readonly offset: bigint;
  /** Failed attempts of the record itself. */
  readonly attempts: number;
  /** Consecutive failures of any cause; determines the length of the pause. */
  readonly failures: number;
}

/** The result of one delivery. */
export interface Progress {
  /** How many records from the first on are finished once their dead letters are written. */
  readonly finished: number;
  /** The finished records that go to the dead letters, with their attempts. */
  readonly dead: readonly { index: number; reason: string; attempts: number }[];
  /** Set when the partition pauses before record `finished`. */
  readonly stop: { readonly reason: string; readonly dependency: boolean; readonly stuck: StuckAt } | null;
}

/**
 * Turns outcomes into progress. The first `retry` ends it: later records are redelivered, whatever their outcome. A record
 * without remaining attempts is dead; a dependency's failure never counts as an attempt.
 */
export function decideProgress(
  offsets: readonly bigint[],
  outcomes: readonly Outcome[],
  stuck: StuckAt | null,
  maxAttempts: number,
): Progress {
  const dead: { index: number; reason: string; attempts: number }[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const before = stuck?.offset === offsets[index] ? stuck : { attempts: 0, failures: 0 };
    if (outcome.kind === 'dead') dead.push({ index, reason: outcome.reason, attempts: before.attempts + 1 });
    if (outcome.kind !== 'retry') continue;
    const dependency = outcome.dependency === true;
    const attempts = before.attempts + (dependency ? 0 : 1);
    if (!dependency && attempts >= maxAttempts) {
      dead.push({ index, reason: outcome.reason, attempts });
      return { finished: index + 1, dead, stop: null };
    }
    const next = { offset: offsets[index], attempts, failures: before.failures + 1 };
    return { finished: index, dead, stop: { reason: outcome.reason, dependency, stuck: next } };
  }
  return { finished: outcomes.length, dead, stop: null };
}
