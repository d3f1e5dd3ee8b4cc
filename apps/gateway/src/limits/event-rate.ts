import { eventRatePerSecond } from '@podium/messages';
import { CellRate, perSecond } from './gcra';
import { rateLimitOf } from './rate-limit-response';

/** The rate of a platform over all of its keys, ready for the limiter and for the headers of responses. */
export interface EventRate {
  readonly cells: CellRate;
  /** Value of the header ratelimit-limit. */
  readonly header: string;
}

/** The rate of an integration whose record has none: 40 with a burst of 40 (specification, Limits). */
export const defaultEventRate: EventRate = eventRateOf(eventRatePerSecond);

/** Makes the rate of a platform from requests per second; the burst is as large. */
export function eventRateOf(requestsPerSecond: number): EventRate {
  return { cells: perSecond(requestsPerSecond), header: rateLimitOf(requestsPerSecond) };
}
