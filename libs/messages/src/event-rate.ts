/** Requests per second of partner events, and their burst, for a platform over all of its keys (specification, Limits). */
export const eventRatePerSecond = 40;

/** Most events of one batch request of any platform. */
export const mostBatchEvents = 100;

/** Most events of one batch request of a platform with this burst: a larger batch could never be within its rate. */
export function maxBatchOf(burst: number): number {
  return Math.min(mostBatchEvents, burst);
}
