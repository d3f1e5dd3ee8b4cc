import { setTimeout as sleep } from 'node:timers/promises';
import { Answer } from './partner-api';

/** A request with its answer; times in seconds of the test's monotonic clock. */
export interface Offered {
  readonly sentAtS: number;
  readonly answeredAtS: number;
  readonly answer: Answer;
}

/** Sends at a steady rate, whatever the answers, and resolves with all of them. */
export async function offer(
  ratePerS: number,
  count: number,
  send: (number: number) => Promise<Answer>,
): Promise<Offered[]> {
  const startedMs = performance.now();
  const underWay: Promise<Offered>[] = [];
  for (let number = 0; number < count; number++) {
    await sleep(Math.max(0, startedMs + (number * 1000) / ratePerS - performance.now()));
    const sentAtS = performance.now() / 1000;
    underWay.push(send(number).then((answer) => ({ sentAtS, answeredAtS: performance.now() / 1000, answer })));
  }
  return Promise.all(underWay);
}

/**
 * By how many the fullest window exceeds what it may hold; 0 or less when all keep within. A request was let through some
 * time between its sending and its answer, so a window counts those that lie wholly in it: none is blamed wrongly.
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
