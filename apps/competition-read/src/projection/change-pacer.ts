import type { BatchTurn } from '@podium/runtime/kafka';

/** Reads count as ongoing for this time after the last one. */
const readExpectedWithinMs = 500;

/** Batch size while reads are served: a batch delays a read by a few milliseconds. */
const maxRecordsDuringReads = 20;

/**
 * Gives reads priority over changes. While reads are served, changes are applied in small batches, one at a time with
 * pauses between them; otherwise without limits. Both share a thread and the CPUs of the database, and only reads have a
 * client that waits.
 */
export class ChangePacer {
  private lastReadAtMs = -Infinity;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Call this for every read. */
  noteRead(): void {
    this.lastReadAtMs = this.nowMs();
  }

  /** Waits until the next batch of changes may begin. */
  async takeTurn(): Promise<BatchTurn> {
    if (!this.isReading()) return { maxRecords: Infinity, end: () => undefined };
    const before = this.last;
    let end: () => void = () => undefined;
    let beganAtMs = 0;
    this.last = new Promise((resolve) => {
      // Pauses for as long as the batch took, so reads get half of the time.
      end = () => setTimeout(resolve, this.nowMs() - beganAtMs);
    });
    await before;
    beganAtMs = this.nowMs();
    return { maxRecords: maxRecordsDuringReads, end };
  }

  private isReading(): boolean {
    return this.nowMs() - this.lastReadAtMs < readExpectedWithinMs;
  }
}
