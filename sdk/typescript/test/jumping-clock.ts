import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../src/pacing/clock';

/** A clock that jumps to the end of each sleep, so that hours take no time. */
export class JumpingClock implements Clock {
  private atMs = 0;

  nowMs(): number {
    return this.atMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await turn();
    // A remainder of floating-point numbers must not be slept forever.
    if (!signal?.aborted) this.atMs += Math.max(ms, 0.001);
  }
}
