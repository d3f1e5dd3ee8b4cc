/** Internal route of engagement on which the gateway asks which of a platform's event ids were never accepted. */
export const reconcilePath = '/internal/v1/reconcile';

/** Internal route of engagement on which the gateway asks about one event id. */
export const eventStatusPath = '/internal/v1/event-status';

/** Limits of a reconcile request, and of its answer. */
export const reconcileLimits = {
  maxIds: 10_000,
  maxBodyBytes: 3 * 1024 * 1024,
  /** Requests per second of a platform, reconcile and status together. */
  requestsPerSecond: 4,
  /** Most milliseconds that engagement waits until it has read what was accepted before. */
  waitMs: 3_500,
} as const;
