import { Refusal, refusalOf } from '../routes/refusal';

const made = new Map<number, Refusal>();

/** The refusal of a request over the rate, made once per Retry-After in seconds: a flood of them is what it is for. */
export function rateLimited(retryAfterS: number): Refusal {
  let refusal = made.get(retryAfterS);
  if (!refusal) made.set(retryAfterS, (refusal = refusalOf('rate_limited', { retryAfterS })));
  return refusal;
}
