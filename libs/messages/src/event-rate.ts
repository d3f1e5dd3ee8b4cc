/** Requests per second of partner events, and as many at once, for a platform over all of its keys (specification, Limits). */
export const eventRatePerSecond = 40;
