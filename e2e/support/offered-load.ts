import { setTimeout as sleep } from 'node:timers/promises';
import { Answer } from './partner-api';

/** A request with its response; times in seconds of the test's monotonic clock. */
export interface Offered {
  readonly sentAtS: number;
  readonly answeredAtS: number;
  readonly answer: Answer;
}

/** Open-loop load: sends at a steady rate, independent of the responses, and resolves with all of them. */
export async function offer(
  ratePerS: number,
  count: number,
  send: (number: number) => Promise<Answer>,
): Promise<Offered[]> {
  const startedMs = performance.now();
  const inFlight: Promise<Offered>[] = [];
  for (let number = 0; number < count; number++) {
    await sleep(Math.max(0, startedMs + (number * 1000) / ratePerS - performance.now()));
    const sentAtS = performance.now() / 1000;
    inFlight.push(send(number).then((answer) => ({ sentAtS, answeredAtS: performance.now() / 1000, answer })));
  }
  return Promise.all(inFlight);
}

/**
 * The maximum number of requests by which a window exceeds its limit; 0 or less when all comply. A request is admitted between its
 * sending and its response, so a window counts only requests that are entirely inside it: there are no false positives.
 */
export function worstExcess(
  accepted: readonly Pick<Offered, 'sentAtS' | 'answeredAtS'>[],
  allowed: (fromS: number, toS: number) => number,
): number {
  let worst = -Infinity;
  for (const { sentAtS: fromS } of accepted) {
    const ends = accepted.filter(({ sentAtS }) => sentAtS >= fromS).map(({ answeredAtS }) => answeredAtS);
    ends.sort((a, b) => a - b);
    ends.forEach((toS, at) => (worst = Math.max(worst, at + 1 - allowed(fromS, toS))));
  }
  return worst;
}
