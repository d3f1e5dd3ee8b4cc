/** A rate for the generic cell rate algorithm: the interval per request, and the burst. */
export interface CellRate {
  /** Microseconds between two requests at the sustained rate. */
  readonly intervalUs: number;
  /** Requests that are admitted at once after idle time. */
  readonly burst: number;
}

/** The decision of `admit` for requests that arrived at the same time. */
export interface Admission {
  /** Number of admitted requests, counted from the first. */
  readonly admitted: number;
  /** Number of further requests that would be admitted now. */
  readonly remaining: number;
  /** Theoretical arrival time to store, in microseconds of the caller's clock. */
  readonly arrivalUs: number;
  /** Microseconds until the whole burst is available again. */
  readonly resetUs: number;
  /** Microseconds until one more request would be admitted; 0 when one would be now. */
  readonly retryUs: number;
}

/**
 * The generic cell rate algorithm for several requests at once: in any window of W seconds at most W / interval + burst
 * requests are admitted (invariant V4). Pure; `arrivalUs` is what the last call returned, undefined at first. An arrival time
 * further ahead than the burst allows can only come from a clock that stepped back, and is limited to the burst.
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
 * A rate in requests per second with a burst of the same number. The interval is a whole number of microseconds,
 * rounded up, so that no caller gets more than the rate.
 */
export function perSecond(requests: number): CellRate {
  return { intervalUs: Math.ceil(1e6 / requests), burst: requests };
}

/** The share of a rate that one of `instances` may grant by itself; the shares together keep the sustained rate. */
export function shareOf(rate: CellRate, instances: number): CellRate {
  return { intervalUs: rate.intervalUs * instances, burst: Math.max(1, Math.floor(rate.burst / instances)) };
}
