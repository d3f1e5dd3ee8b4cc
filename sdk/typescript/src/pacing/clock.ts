import { setTimeout as sleep } from 'node:timers/promises';

/** Time as the SDK sees it; tests give their own. */
export interface Clock {
  /** Milliseconds that never go back. */
  nowMs(): number;
  /** Resolves after a time, or as soon as the signal is aborted. `isIdle`: the wait alone keeps no process running. */
  sleep(ms: number, signal?: AbortSignal, isIdle?: boolean): Promise<void>;
}

/** Timers of Node hold at most this; they end at once for more. */
export const longestSleepMs = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  sleep: async (ms, signal, isIdle = false) => {
    await sleep(Math.min(ms, longestSleepMs), undefined, { signal, ref: !isIdle }).catch(() => undefined);
  },
};
