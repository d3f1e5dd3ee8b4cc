/** Delays between attempts, in ms. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Of events that failed for the moment: 429, 5XX, no answer. */
export const temporaryBackoff: BackoffLimits = { firstMs: 500, longestMs: 60_000 };

/** Of what was set aside: it follows Retry-After, and doubles up to an hour. */
export const longestSetAsideMs = 3_600_000;

/**
 * How long to wait after a failed attempt, the first being 0: Retry-After in full, plus a random part of a delay that
 * doubles. Without the random part all clients would come back together after an outage.
 */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number,
  { firstMs, longestMs }: BackoffLimits = temporaryBackoff,
): number {
  const growing = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 30));
  // At least half of it: a random delay near zero would be no delay.
  const jittered = growing / 2 + (random() * growing) / 2;
  return (retryAfterMs ?? 0) + jittered;
}

/** How long a user, an event name or an event stays set aside after a failed attempt, the first being 0: never below Retry-After. */
export function setAsideDelayMs(attempt: number, retryAfterMs: number, random: () => number): number {
  const longest = Math.max(retryAfterMs, longestSetAsideMs);
  return Math.min(longest, retryAfterMs * 2 ** Math.min(attempt, 30)) * (1 + 0.2 * random());
}
