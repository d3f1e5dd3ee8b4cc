import { setTimeout as sleep } from 'node:timers/promises';
import { PendingRecord, PendingRecords, partitionName } from './pending-records';

/** Dependencies of the retries. */
export interface PartitionsAsideOptions {
  readonly queue: PendingRecords;
  /** Maximum bytes of one request. */
  readonly maxBatchBytes: number;
  /** Pause before the first retry, milliseconds; doubled after each failure, up to a second. */
  readonly firstPauseMs: number;
  /** Sends records of one partition, and returns those without a certain result. */
  readonly send: (batch: readonly PendingRecord[]) => Promise<readonly PendingRecord[]>;
  /** Called when a partition may be sent with the others again. */
  readonly onReleased: () => void;
  /** Called with the number of partitions that were added, or with -1. */
  readonly onCount: (added: number) => void;
  readonly now: () => number;
}

interface Aside {
  isRunning: boolean;
  readonly sinceMs: number;
  failedAtMs: number;
}

const longestPauseMs = 1_000;

/** How long all records wait for a partition that begins to fail, milliseconds: leaders move within less. */
const briefFailureMs = 1_000;

/** How long a partition without records to send stays aside, milliseconds. */
const restMs = 30_000;

/**
 * Retries the records of partitions whose last send failed, each partition on its own and with its own pauses. A partition
 * joins the others again after a send that succeeded.
 */
export class PartitionsAside {
  private readonly partitions = new Map<string, Aside>();

  constructor(private readonly options: PartitionsAsideOptions) {}

  /** Puts records without a certain result back, and their partitions aside. */
  put(records: readonly PendingRecord[]): void {
    const { queue, firstPauseMs, now, onCount } = this.options;
    queue.putBack(records.filter(({ settled }) => !settled));
    for (const name of new Set(records.map(partitionName))) {
      const nowMs = now();
      const aside: Aside = { isRunning: false, sinceMs: nowMs, failedAtMs: nowMs };
      this.partitions.set(name, aside);
      queue.hold(name);
      for (const record of queue.waitingFor(name)) this.limit(record, aside);
      onCount(1);
      void this.retry(name, aside, firstPauseMs);
    }
  }

  /** Whether the partition of a record is aside. */
  has(record: PendingRecord): boolean {
    return this.partitions.has(partitionName(record));
  }

  /** A record was added to the queue. */
  notice(record: PendingRecord): void {
    if (this.partitions.size === 0) return;
    const name = partitionName(record);
    const aside = this.partitions.get(name);
    if (!aside) return;
    if (!aside.isRunning && this.options.now() - aside.failedAtMs > restMs) return this.release(name);
    this.limit(record, aside);
    if (!aside.isRunning) void this.retry(name, aside, 0);
  }

  /** Brings the deadline of a record forward, if others must not wait for it while its partition fails. */
  private limit(record: PendingRecord, { sinceMs }: Aside): void {
    if (record.asideMs === undefined) return;
    const untilMs = Math.max(sinceMs + briefFailureMs, this.options.now() + record.asideMs);
    record.deadlineMs = Math.min(record.deadlineMs, untilMs);
  }

  private async retry(name: string, aside: Aside, pauseMs: number): Promise<void> {
    const { queue, maxBatchBytes, firstPauseMs, send, now } = this.options;
    aside.isRunning = true;
    for (let waitMs = pauseMs; ; waitMs = Math.min(Math.max(waitMs * 2, firstPauseMs), longestPauseMs)) {
      await sleep(waitMs);
      const batch = queue.takeFrom(name, maxBatchBytes);
      if (batch.length === 0) break;
      const rest = await send(batch);
      if (rest.length === 0) return this.release(name);
      aside.failedAtMs = now();
      queue.putBack(rest.filter(({ settled }) => !settled));
    }
    aside.isRunning = false;
  }

  private release(name: string): void {
    this.partitions.delete(name);
    this.options.queue.release(name);
    this.options.onCount(-1);
    this.options.onReleased();
  }
}
