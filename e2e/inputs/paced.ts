import { setTimeout as sleep } from 'node:timers/promises';
import { eventRatePerSecond } from '@podium/messages';

/** Below the rate limit of a platform, so that requests are processed and not refused with 429. */
const perSecond = 0.9 * eventRatePerSecond;
const burst = 0.75 * eventRatePerSecond;

/** Returns members of a group in rotation, none more often than its rate limit allows. */
export class Paced<T> {
  private readonly members: { readonly member: T; arrivalMs: number }[];
  private turn = 0;

  constructor(members: readonly T[]) {
    this.members = members.map((member) => ({ member, arrivalMs: 0 }));
  }

  /** Returns the next member that may send; waits if necessary. */
  async next(): Promise<T> {
    for (;;) {
      const nowMs = performance.now();
      let soonestMs = Infinity;
      for (let tried = 0; tried < this.members.length; tried++) {
        const entry = this.members[this.turn++ % this.members.length];
        const freeAtMs = entry.arrivalMs - (burst * 1000) / perSecond;
        if (freeAtMs <= nowMs) {
          entry.arrivalMs = Math.max(entry.arrivalMs, nowMs) + 1000 / perSecond;
          return entry.member;
        }
        soonestMs = Math.min(soonestMs, freeAtMs);
      }
      await sleep(Math.max(1, soonestMs - nowMs));
    }
  }
}
