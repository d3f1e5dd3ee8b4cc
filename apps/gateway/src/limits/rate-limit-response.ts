import { Refusal, refusalOf } from '../http/refusal';
import { Allowance } from './rate-limiter';

const refusalByRetryAfter = new Map<number, Refusal>();

/** The refusal of a request over the rate; made once per Retry-After value, because such requests come in floods. */
export function rateLimited(retryAfterS: number): Refusal {
  let refusal = refusalByRetryAfter.get(retryAfterS);
  if (!refusal) refusalByRetryAfter.set(retryAfterS, (refusal = refusalOf('rate_limited', { retryAfterS })));
  return refusal;
}

/** Value of the header ratelimit-limit for a rate in requests per second. */
export function rateLimitOf(requestsPerSecond: number): string {
  return `${requestsPerSecond}, ${requestsPerSecond};w=1`;
}

/** Headers of a response once the rate was checked, alternating name and value (draft-ietf-httpapi-ratelimit-headers-06). */
export function rateHeaders(
  rateLimit: string,
  { remaining, resetS }: Pick<Allowance, 'remaining' | 'resetS'>,
): string[] {
  return ['ratelimit-limit', rateLimit, 'ratelimit-remaining', String(remaining), 'ratelimit-reset', String(resetS)];
}
