import { IHeaders } from 'kafkajs';

/** The partition and offset of a sent record. */
export interface RecordPlace {
  partition: number;
  offset: bigint;
}

/** A record between `send` and its acknowledgement. */
export interface PendingRecord {
  readonly topic: string;
  readonly partition: number;
  readonly key: string | Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: IHeaders;
  readonly sizeBytes: number;
  /** Milliseconds by the producer's clock; brought forward while its partition fails, if it has `asideMs`. */
  deadlineMs: number;
  /** How long it waits, milliseconds, for a partition that has failed for a while. */
  readonly asideMs?: number;
  /** At least one request with it has been sent, so that it may be in the topic. */
  attempted: boolean;
  settled: boolean;
  /** Receives the result of the record, once. */
  readonly delivery: Delivery;
  /** Its place among the records that were sent together. */
  readonly index: number;
}

/** Records that were sent together, and whoever waits for their results. */
export interface Delivery {
  settled(index: number, result: RecordPlace | Error): void;
}

/** Records that wait to be sent, in order per partition. A partition that is held is sent on its own. */
export class PendingRecords {
  private readonly queues = new Map<string, PendingRecord[]>();
  private readonly held = new Set<string>();
  private waiting = 0;

  get size(): number {
    return this.waiting;
  }

  add(record: PendingRecord): void {
    const name = partitionName(record);
    const queue = this.queues.get(name);
    if (queue) queue.push(record);
    else this.queues.set(name, [record]);
    this.waiting++;
  }

  /** Takes from the head of every partition that is not held at most `maxBytes`, or one record that alone is larger. */
  take(maxBytes: number): PendingRecord[] {
    return [...this.queues.keys()].flatMap((name) => (this.held.has(name) ? [] : this.takeFrom(name, maxBytes)));
  }

  /** Takes from the head of one partition, like `take`. */
  takeFrom(name: string, maxBytes: number): PendingRecord[] {
    const queue = this.queues.get(name) ?? [];
    let bytes = 0;
    let count = 0;
    while (count < queue.length && (count === 0 || bytes + queue[count].sizeBytes <= maxBytes)) {
      bytes += queue[count].sizeBytes;
      count++;
    }
    if (count === queue.length) this.queues.delete(name);
    else this.queues.set(name, queue.slice(count));
    this.waiting -= count;
    return queue.slice(0, count);
  }

  /** The records of one partition. */
  waitingFor(name: string): readonly PendingRecord[] {
    return this.queues.get(name) ?? [];
  }

  /** Leaves a partition out of `take` until it is released. */
  hold(name: string): void {
    this.held.add(name);
  }

  release(name: string): void {
    this.held.delete(name);
  }

  /** Puts records back before newer ones, so that the order per partition is unexpired. */
  putBack(records: readonly PendingRecord[]): void {
    for (const [name, queue] of byPartition(records)) this.queues.set(name, queue.concat(this.queues.get(name) ?? []));
    this.waiting += records.length;
  }

  /** Removes and returns the records for which `isOver` returns true. */
  remove(isOver: (record: PendingRecord) => boolean): PendingRecord[] {
    const removed: PendingRecord[] = [];
    for (const [name, queue] of this.queues) {
      if (!queue.some(isOver)) continue;
      const unexpired: PendingRecord[] = [];
      for (const record of queue) (isOver(record) ? removed : unexpired).push(record);
      if (unexpired.length === 0) this.queues.delete(name);
      else this.queues.set(name, unexpired);
    }
    this.waiting -= removed.length;
    return removed;
  }
}

/** The name of a record's partition, unique among topics. */
export function partitionName({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}

/** Records by the name of their partition, in their order. */
export function byPartition(records: readonly PendingRecord[]): Map<string, PendingRecord[]> {
  const groups = new Map<string, PendingRecord[]>();
  for (const record of records) {
    const group = groups.get(partitionName(record));
    if (group) group.push(record);
    else groups.set(partitionName(record), [record]);
  }
  return groups;
}
