import { eventRatePerSecond } from '@podium/messages';

/** A rate as the generic cell rate algorithm sees it: one cell per interval, and how many may come at once. */
export interface CellRate {
  /** Microseconds between two cells at the sustained rate. */
  readonly intervalUs: number;
  /** Cells that may come at once after a rest. */
  readonly burst: number;
}

/** What `admit` decided for requests that asked at one moment. */
export interface Admission {
  /** How many of those asked are admitted, the first ones. */
  readonly admitted: number;
  /** How many more would be admitted at this moment. */
  readonly remaining: number;
  /** Theoretical arrival time to keep, in microseconds of the caller's clock. */
  readonly arrivalUs: number;
  /** Microseconds until the whole burst is free again. */
  readonly resetUs: number;
  /** Microseconds until one more request would be admitted; 0 when one would be now. */
  readonly retryUs: number;
}

/**
 * The generic cell rate algorithm for several requests at once: in any window of W seconds at most W / interval + burst
 * requests are admitted (V4). Pure; `arrivalUs` is what the last call returned, undefined at first. An arrival time
 * farther ahead than the burst allows can only come from a clock that stepped back and is cut, so that it heals.
 */
export function admit(rate: CellRate, arrivalUs: number | undefined, nowUs: number, asked: number): Admission {
  const horizonUs = rate.burst * rate.intervalUs;
  const fromUs = Math.min(Math.max(arrivalUs ?? nowUs, nowUs), nowUs + horizonUs);
  const free = Math.floor((nowUs + horizonUs - fromUs) / rate.intervalUs);
  const admitted = Math.min(asked, free);
  const nextUs = fromUs + admitted * rate.intervalUs;
  return {
    admitted,
    remaining: free - admitted,
    arrivalUs: nextUs,
    resetUs: nextUs - nowUs,
    retryUs: Math.max(0, nextUs + rate.intervalUs - horizonUs - nowUs),
  };
}

/**
 * A rate of so many requests per second with a burst of as many. The interval is a whole
 * number of microseconds, rounded up, so that nobody gets more than the rate says.
 */
export function perSecond(requests: number): CellRate {
  return { intervalUs: Math.ceil(1e6 / requests), burst: requests };
}

/** The sustained rate and burst of partner events per platform. */
export const eventRate: CellRate = perSecond(eventRatePerSecond);

/** The share of a rate that one of `instances` may give by itself; the shares together keep the sustained rate. */
export function shareOf(rate: CellRate, instances: number): CellRate {
  return { intervalUs: rate.intervalUs * instances, burst: Math.max(1, Math.floor(rate.burst / instances)) };
}
