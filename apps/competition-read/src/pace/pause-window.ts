const everyMs = 10_000;
const lengthMs = 600;
/** A batch that began before the window may still be in progress. */
const settleMs = 200;

/**
 * A short time in which no instance applies changes, at the same clock times everywhere, so that reads have a latency to
 * compare with. Clocks may differ by about the settling time.
 */
export const pauseWindow = {
  /** Milliseconds until changes may be applied; 0 outside of the window. */
  remainingMs(nowMs: number): number {
    return Math.max(0, lengthMs - (nowMs % everyMs));
  },

  /** Where a measurement at this time belongs; `neither` while the last batches before the window end. */
  phase(nowMs: number): 'paused' | 'neither' | 'applying' {
    const atMs = nowMs % everyMs;
    if (atMs >= lengthMs) return 'applying';
    return atMs >= settleMs ? 'paused' : 'neither';
  },
};
