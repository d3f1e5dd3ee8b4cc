import { Refusal, refusalOf } from '../routes/refusal';
import { Allowance } from './rate-limiter';

const made = new Map<number, Refusal>();

/** The refusal of a request over the rate, made once per Retry-After in seconds: a flood of them is what it is for. */
export function rateLimited(retryAfterS: number): Refusal {
  let refusal = made.get(retryAfterS);
  if (!refusal) made.set(retryAfterS, (refusal = refusalOf('rate_limited', { retryAfterS })));
  return refusal;
}

/** Value of ratelimit-limit for so many requests per second, in any second. */
export function rateLimitOf(requestsPerSecond: number): string {
  return `${requestsPerSecond}, ${requestsPerSecond};w=1`;
}

/** Headers of an answer once the rate was asked, names and values in turn (draft-ietf-httpapi-ratelimit-headers-06). */
export function rateHeaders(rateLimit: string, { remaining, resetS }: Allowance): string[] {
  return ['ratelimit-limit', rateLimit, 'ratelimit-remaining', String(remaining), 'ratelimit-reset', String(resetS)];
}
