/** The number of attempts before the dead letters, and the pauses between them. */
export interface RetryPolicy {
  /** Failed attempts of a record before it goes to the dead letters; a dependency's outage is not an attempt. */
  maxAttempts: number;
  /** First pause, milliseconds; doubled each time. */
  baseMs: number;
  /** Longest pause, milliseconds. */
  maxMs: number;
  /** How long a record that fails alone, and not for its data, is retried while others succeed, milliseconds. */
  alonePatienceMs: number;
}

/** `alonePatienceMs` exceeds the time for which a database is slow in a normal incident. */
export const defaultRetryPolicy: Readonly<RetryPolicy> = {
  maxAttempts: 5,
  baseMs: 100,
  maxMs: 5_000,
  alonePatienceMs: 15 * 60_000,
};

/** Pauses between deliveries, milliseconds: doubled from `baseMs` up to `maxMs`, each shortened by up to a half at random. */
export function backoffMs(
  failures: number,
  { baseMs, maxMs }: Pick<RetryPolicy, 'baseMs' | 'maxMs'>,
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 20)) * (0.5 + random() / 2);
}
