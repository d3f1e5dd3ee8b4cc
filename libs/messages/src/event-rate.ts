/**
 * Requests per second of partner events, and their burst, for a platform over all of its keys, unless an operator has set
 * another rate for its integration (specification, Limits).
 */
export const eventRatePerSecond = 40;

/**
 * The rates that an operator may set for an integration, requests per second. The burst is as large as the rate: one of
 * 5,000 is the most that an instance of ingestion takes in flight by default (`INTAKE_MAX_EVENTS`).
 */
export const eventRateBounds = { min: 1, max: 5_000 } as const;

/** Most events of one batch request of any platform. */
export const mostBatchEvents = 100;

/** Most events of one batch request of a platform with this burst: a larger batch could never be within its rate. */
export function maxBatchOf(burst: number): number {
  return Math.min(mostBatchEvents, burst);
}
