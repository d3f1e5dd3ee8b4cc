import { reconcileLimits } from '@podium/messages';
import { CellRate, perSecond } from './gcra';
import { rateLimitOf } from './rate-limit-response';

/** The questions about event ids of a platform, status and reconcile together, over all of its keys. */
export const reconcileRate: CellRate = perSecond(reconcileLimits.requestsPerSecond);

/** Value of the header ratelimit-limit for questions about event ids. */
export const reconcileRateHeader = rateLimitOf(reconcileLimits.requestsPerSecond);
