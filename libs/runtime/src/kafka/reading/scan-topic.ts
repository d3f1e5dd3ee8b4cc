import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { IHeaders, KafkaMessage } from 'kafkajs';
import { Logger } from 'pino';
import { asError } from '../../errors';
import { Kafka } from '../client/create-kafka';
import { FetchedBatch, UndecodableFetch } from '../group-membership/fetched-batch';
import { GroupConsumer } from '../group-membership/group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { EmptyFetch, watchEmptyFetches } from '../record-batches/empty-fetches';
import { RecordHeaders } from '../record-headers/text-headers';
import { PassedBatches } from '../undecodable-batches/passed-batches';
import { lastPassed } from '../undecodable-batches/pause-at-undecodable-batch';
import { UndecodableBatch } from '../record-batches/undecodable-reason';
import { textHeaders } from '../record-headers/text-headers';

/** A range of a partition: offsets from `from` to before `to`. */
export interface PartitionRange {
  readonly topic: string;
  readonly partition: number;
  readonly from: bigint;
  readonly to: bigint;
}

/** An undecoded record of a partition. */
export interface ScannedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: RecordHeaders;
  /** Unchanged headers, for a caller that copies the record. */
  readonly rawHeaders: IHeaders;
  /** Unix milliseconds. */
  readonly timestampMs: number;
}

/** An undecodable batch and its position. */
export interface FoundUndecodable {
  readonly topic: string;
  readonly partition: number;
  readonly batch: UndecodableBatch;
}

/** A scan met an undecodable batch that operators have not passed. */
export class UndecodableScanError extends Error {
  constructor({ topic, partition, batch }: FoundUndecodable) {
    super(
      `${topic}/${partition}: the records from ${batch.firstOffset} to ${batch.lastOffset} cannot be decoded ` +
        `(${batch.detail}); batches show ${topic} ${partition}:${batch.firstOffset} shows details.`,
    );
  }
}

/** The ranges to read and the callbacks. */
export interface ScanOptions {
  kafka: Kafka;
  logger: Logger;
  /** At most one per partition, limited to the retained records. */
  ranges: readonly PartitionRange[];
  /** Receives records in the order of their partition, several partitions interleaved, one call at a time; `false` ends the scan. */
  onRecords(records: readonly ScannedRecord[]): void | boolean | Promise<void | boolean>;
  /**
   * Called with an undecodable batch, after which the scan continues. Without it such a batch ends the scan with
   * `UndecodableScanError`, unless operators let it pass.
   */
  onUndecodable?(found: FoundUndecodable): void;
  /** Only the first record of each range. */
  firstOnly?: boolean;
  /** The group that reads and is deleted at the end; `operator.<random>` when not given. */
  group?: string;
  /** Maximum time without records or the end of a range, milliseconds; 30,000 when not given. Time of the callbacks does not count. */
  patienceMs?: number;
}

/** Interval of checking that the records are still retained, milliseconds. */
const lookMs = 500;

/**
 * Reads ranges of topics once, as they are at the start, in a separate group that is deleted at the end. For operators'
 * commands. Rejects when a callback fails or Kafka stays unavailable. When compaction has removed the last records of a
 * range, no fetch returns its end; the range then ends with an empty fetch from where its last record was.
 */
export async function scanTopics(options: ScanOptions): Promise<void> {
  const group = options.group ?? `operator.${randomBytes(6).toString('hex')}`;
  const positions = new GroupPositions(options.kafka, options.logger);
  try {
    const ranges = await retainedRanges(positions, options.ranges);
    if (ranges.size > 0) await new Scan(options, group, positions, ranges).run();
  } finally {
    await positions.forget(group);
    await positions.close();
  }
}

/** The ranges by partition, limited to the broker's offsets; empty ones are left out. */
async function retainedRanges(
  positions: GroupPositions,
  ranges: readonly PartitionRange[],
): Promise<Map<string, PartitionRange>> {
  const retained = new Map<string, PartitionRange>();
  for (const topic of new Set(ranges.map((range) => range.topic))) {
    const bounds = await positions.bounds(topic);
    for (const range of ranges) {
      const bound = range.topic === topic ? bounds[range.partition] : undefined;
      if (!bound) continue;
      const from = range.from > bound.low ? range.from : bound.low;
      const to = range.to < bound.high ? range.to : bound.high;
      if (from < to) retained.set(nameOf(range), { ...range, from, to });
    }
  }
  return retained;
}

class Scan {
  private readonly open: Map<string, PartitionRange>;
  private readonly next: Map<string, bigint>;
  private readonly consumer: GroupConsumer;
  private passed: PassedBatches | undefined;
  private lastBatchAt = performance.now();
  private turn: Promise<void> = Promise.resolve();
  /** Whether a callback runs: the time that it takes is not Kafka's. */
  private isDelivering = false;
  private failure: Error | undefined;

  constructor(
    private readonly options: ScanOptions,
    private readonly group: string,
    private readonly positions: GroupPositions,
    ranges: ReadonlyMap<string, PartitionRange>,
  ) {
    this.open = new Map(ranges);
    this.next = new Map([...ranges].map(([name, { from }]) => [name, from]));
    this.consumer = new GroupConsumer({
      kafka: options.kafka,
      logger: options.logger,
      group,
      topics: [...new Set([...ranges.values()].map(({ topic }) => topic))],
      positions: { load: (topic, partition) => Promise.resolve(this.next.get(nameOf({ topic, partition })) ?? null) },
      probe: positions,
      onBatch: (batch) => this.inTurn(() => this.take(batch)),
      onUndecodable: (found) => this.inTurn(() => this.skip(found)),
      onFatal: (error) => (this.failure ??= error),
    });
  }

  async run(): Promise<void> {
    const unwatch = watchEmptyFetches((fetch) => this.closeIfEmpty(fetch));
    try {
      await this.consumer.start();
      this.lastBatchAt = performance.now();
      while (this.open.size > 0 && !this.failure) {
        if (!this.isDelivering && performance.now() - this.lastBatchAt > lookMs) await this.closeWhatIsGone();
        // Whether something is open is looked at after each pause: what is complete is not late, however long this process was stopped.
        await sleep(20);
      }
    } finally {
      unwatch();
      await this.consumer.stop();
      await this.passed?.stop();
    }
    if (this.failure) throw this.failure;
  }

  /** Callbacks run one at a time, whatever the number of partitions. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(async () => {
      this.isDelivering = true;
      try {
        await work();
      } catch (error) {
        this.failure ??= asError(error);
      } finally {
        this.isDelivering = false;
        this.lastBatchAt = performance.now();
      }
    });
    return this.turn;
  }

  private async take(batch: FetchedBatch): Promise<void> {
    const name = nameOf(batch);
    const range = this.open.get(name);
    if (range && !this.failure) {
      const wanted = batch.messages.filter(({ offset }) => BigInt(offset) >= range.from && BigInt(offset) < range.to);
      const records = (this.options.firstOnly ? wanted.slice(0, 1) : wanted).map((message) => recordOf(batch, message));
      if (records.length > 0 && (await this.options.onRecords(records)) === false) this.open.clear();
      if (batch.lastOffset + 1n >= range.to || (this.options.firstOnly && records.length > 0)) this.open.delete(name);
    }
    await this.goOn(batch, batch.lastOffset + 1n);
  }

  private async skip(found: UndecodableFetch): Promise<void> {
    const { topic, partition, batch } = found;
    const range = this.open.get(nameOf(found));
    let { lastOffset } = batch;
    if (range && batch.firstOffset < range.to && !this.failure) {
      if (this.options.onUndecodable) this.options.onUndecodable({ topic, partition, batch });
      else lastOffset = await this.pass(found);
    }
    if (range && lastOffset + 1n >= range.to) this.open.delete(nameOf(found));
    await this.goOn(found, lastOffset + 1n);
  }

  /** The last offset that operators let pass: only the permission has the end of a batch that the broker does not return. */
  private async pass(found: UndecodableFetch): Promise<bigint> {
    this.passed ??= new PassedBatches(this.options.kafka, this.group, this.options.logger);
    await this.passed.start();
    const leave = this.passed.leaveFor(found, found.batch);
    if (!leave) throw new UndecodableScanError(found);
    return lastPassed(leave, found.batch);
  }

  private async goOn(
    { topic, partition, commit }: Pick<FetchedBatch, 'topic' | 'partition' | 'commit'>,
    next: bigint,
  ): Promise<void> {
    const name = nameOf({ topic, partition });
    this.next.set(name, next);
    if (!this.open.has(name)) this.consumer.pause(topic, partition, 24 * 3600 * 1_000);
    else await commit(next);
  }

  /** Ends a range of which all records are delivered that the broker has. */
  private closeIfEmpty(fetch: EmptyFetch): void {
    const name = nameOf(fetch);
    const range = this.open.get(name);
    const next = this.next.get(name);
    if (!range || next === undefined || fetch.end < range.to) return;
    if (fetch.position <= next || fetch.position <= fetch.start) this.open.delete(name);
  }

  /** Ends ranges without retained records; throws when those of a range stay away. */
  private async closeWhatIsGone(): Promise<void> {
    const { patienceMs = 30_000 } = this.options;
    if (performance.now() - this.lastBatchAt > patienceMs)
      throw new Error(`Kafka does not respond: no records of ${[...this.open.keys()].join(', ')} for ${patienceMs} ms`);
    for (const topic of new Set([...this.open.values()].map((range) => range.topic))) {
      const bounds = await this.positions.bounds(topic);
      for (const [name, range] of this.open)
        if (range.topic === topic && bounds[range.partition].low >= range.to) this.open.delete(name);
    }
  }
}

function recordOf({ topic, partition }: FetchedBatch, message: KafkaMessage): ScannedRecord {
  return {
    topic,
    partition,
    offset: BigInt(message.offset),
    key: message.key,
    value: message.value,
    headers: textHeaders(message.headers),
    rawHeaders: message.headers ?? {},
    timestampMs: Number(message.timestamp),
  };
}

function nameOf({ topic, partition }: { topic: string; partition: number }): string {
  return `${topic}/${partition}`;
}
