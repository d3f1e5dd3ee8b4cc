/** Requests per second of partner events, and their burst, for a platform over all of its keys (specification, Limits). */
export const eventRatePerSecond = 40;
