/** How often and after which pauses a record is delivered again. */
export interface RetryPolicy {
  /** Deliveries of a record that fails by itself, before it goes to the dead letters. */
  maxAttempts: number;
  /** First pause, milliseconds; doubled each time. */
  baseMs: number;
  /** Longest pause, milliseconds. */
  maxMs: number;
  /** How long a record that fails alone, and not for its data, stands still while others succeed, milliseconds. */
  alonePatienceMs: number;
}

/** The patience is longer than a database is slow in a normal incident. */
export const defaultRetryPolicy: Readonly<RetryPolicy> = {
  maxAttempts: 5,
  baseMs: 100,
  maxMs: 5_000,
  alonePatienceMs: 15 * 60_000,
};
