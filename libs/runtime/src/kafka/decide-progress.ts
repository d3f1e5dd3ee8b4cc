import { Outcome } from './outcomes';

/** What a partition remembers about the record at which it stands. */
export interface StuckAt {
  readonly offset: bigint;
  /** Attempts of the record itself that failed. */
  readonly attempts: number;
  /** Failures of any cause in a row: decides the length of the pause. */
  readonly failures: number;
}

/** What follows from the outcomes of one delivery. */
export interface Progress {
  /** How many records from the first on are finished once their dead letters are written. */
  readonly finished: number;
  /** Which of them go to the dead letters, with the attempts they had. */
  readonly dead: readonly { index: number; reason: string; attempts: number }[];
  /** Set when the partition stops before record `finished` for a pause. */
  readonly stop: { readonly reason: string; readonly dependency: boolean; readonly stuck: StuckAt } | null;
}

/**
 * Turns outcomes into progress. The first `retry` ends it: what comes after is delivered again, whatever its outcome.
 * A record whose own attempts are used up is dead; a dependency's failure never counts as an attempt.
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

/** Pauses between deliveries, milliseconds: doubled from `baseMs` up to `maxMs`, each shortened by up to a half at random. */
export function backoffMs(
  failures: number,
  { baseMs, maxMs }: { baseMs: number; maxMs: number },
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 20)) * (0.5 + random() / 2);
}
