import { eventRatePerSecond, reconcileLimits } from '@podium/messages';
import { CellRate, perSecond } from './gcra';
import { rateLimitOf } from './rate-limit-response';

/**
 * The requests per second of a platform, over all of its keys: 40, with a burst of 40 (specification, Limits). The number
 * is `eventRatePerSecond`, which documents and alerts name too; a data key has a rate in its record.
 */
export const eventRate: CellRate = perSecond(eventRatePerSecond);

/** Value of the header ratelimit-limit for partner events. */
export const eventRateHeader = rateLimitOf(eventRatePerSecond);

/** The questions about event ids of a platform, status and reconcile together, over all of its keys. */
export const reconcileRate: CellRate = perSecond(reconcileLimits.requestsPerSecond);

/** Value of the header ratelimit-limit for questions about event ids. */
export const reconcileRateHeader = rateLimitOf(reconcileLimits.requestsPerSecond);
