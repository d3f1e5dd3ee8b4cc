import type { BatchTurn } from '@podium/runtime/kafka';

/** For how long after a read the next one is expected. */
const expectedWithinMs = 500;

/** A batch of so many changes keeps a read waiting for a few milliseconds. */
const maxRecordsBesideReads = 20;

/**
 * Lets changes through in small batches, one at a time with pauses between, while reads are being served, and without
 * bounds while there are none: both share a thread and the processors of the database, and only reads have somebody who
 * waits.
 */
export class ReadsFirst {
  private lastReadAtMs = -Infinity;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** A read has come. */
  noteRead(): void {
    this.lastReadAtMs = this.nowMs();
  }

  /** Leave for the next batch of changes. */
  async takeTurn(): Promise<BatchTurn> {
    if (!this.isReading()) return { maxRecords: Infinity, end: () => undefined };
    const before = this.last;
    let end: () => void = () => undefined;
    let beganAtMs = 0;
    this.last = new Promise((resolve) => {
      // As long again: half of the time is left to reads.
      end = () => setTimeout(resolve, this.nowMs() - beganAtMs);
    });
    await before;
    beganAtMs = this.nowMs();
    return { maxRecords: maxRecordsBesideReads, end };
  }

  private isReading(): boolean {
    return this.nowMs() - this.lastReadAtMs < expectedWithinMs;
  }
}
