import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Clocks, systemClocks } from '../../work';
import { Kafka } from '../client/create-kafka';
import { keepTrying } from '../client/keep-trying';
import { KafkaMetrics, kafkaMetrics, showProducedTopic } from '../metrics/kafka-metrics';
import { BatchSender } from './batch-sender';
import { checkPartitionCounts } from './check-partition-counts';
import { OutgoingRecord, ProducerTopic, SendLimits, sizeOf } from './outgoing-record';
import { partitionOf } from './partitioner';
import { PartitionsAside } from './partitions-aside';
import { Delivery, PendingRecord, PendingRecords, RecordPlace, byPartition, partitionName } from './pending-records';
import { QueueBounds, QueueQuota } from './queue-quota';
import {
  DeadlineExceededError,
  OutcomeUnknownError,
  PartitionUnavailableError,
  ProducerOverloadedError,
  RecordRefusedError,
  RecordTooLargeError,
  refusalOf,
} from './producer-errors';

/** Dependencies of a producer; sizes have defaults. */
export interface RecordProducerOptions extends QueueBounds {
  logger: Logger;
  registry: Registry;
  /** Topics whose partition counts are compared with the broker's at the start; all of the table by default. */
  topics?: readonly ProducerTopic[];
  /** Maximum bytes per partition and batch. */
  maxBatchBytes?: number;
  /** Compresses batches; a topic's maximum batch size counts the compressed bytes. */
  compress?: boolean;
  /** How long the broker may wait for its replicas, milliseconds. */
  ackTimeoutMs?: number;
  /** Pause before unconfirmed records of a send are retried, milliseconds. */
  resendPauseMs?: number;
  /** Those of the process by default. Records wait by the monotonic one. */
  clocks?: Clocks;
}

/**
 * A micro-batching producer with acks=all. One send is in flight: immediately when idle, else with all waiting records. The
 * response is checked for every addressed partition. Partitions that it does not confirm, and all of a send that fails as a
 * whole, are retried until each record's deadline: each partition on its own, over other connections, so that it delays no
 * other one. A record may be in the topic twice; per partition, the order of the first copies is the order of `send`.
 */
export class RecordProducer {
  private readonly sender: BatchSender;
  /** For partitions whose last send failed. */
  private readonly retrying: BatchSender;
  private readonly queue = new PendingRecords();
  private readonly aside: PartitionsAside;
  private readonly metrics: KafkaMetrics;
  private readonly maxBatchBytes: number;
  private readonly clocks: Clocks;
  /** Monotonic: when the time of day is set, records neither expire at once nor wait for longer. */
  private readonly now: () => number;
  private readonly abort = new AbortController();
  private readonly inFlight = new Set<readonly PendingRecord[]>();
  private readonly quota: QueueQuota;
  private draining = false;
  private state: 'new' | 'started' | 'stopping' | 'stopped' = 'new';
  private sweeper: NodeJS.Timeout | undefined;

  constructor(
    private readonly kafka: Pick<Kafka, 'producer' | 'admin'>,
    private readonly options: RecordProducerOptions,
  ) {
    const metrics = (this.metrics = kafkaMetrics(options.registry));
    for (const { name } of options.topics ?? []) showProducedTopic(metrics, name);
    this.sender = new BatchSender(kafka, { ...options, metrics });
    this.retrying = new BatchSender(kafka, { ...options, metrics });
    this.maxBatchBytes = options.maxBatchBytes ?? 512 * 1024;
    const clocks = (this.clocks = options.clocks ?? systemClocks);
    this.now = () => clocks.monotonic();
    this.quota = new QueueQuota(options, (bytes) => metrics.producerQueueBytes.set(bytes));
    this.aside = new PartitionsAside({
      queue: this.queue,
      maxBatchBytes: this.maxBatchBytes,
      firstPauseMs: options.resendPauseMs ?? 100,
      send: (batch) => this.deliver(this.retrying, batch),
      onReleased: () => this.wake(),
      onCount: (added) => metrics.producerPartitionsAside.inc(added),
      now: this.now,
    });
  }

  /**
   * Connects and compares partition counts, retrying while Kafka is unavailable. Rejects when a topic's partition count
   * differs from the table: keys would go to other partitions.
   */
  async start(): Promise<void> {
    const { logger } = this.options;
    const signal = this.abort.signal;
    await keepTrying('connecting the producer', () => this.sender.connect(), { logger, signal });
    const rows = this.options.topics ?? Object.values<ProducerTopic>(topics);
    await keepTrying('checking topics', () => checkPartitionCounts(this.kafka, rows), { logger, signal });
    this.state = 'started';
    this.sweeper = setInterval(() => this.expire(), 20);
    this.sweeper.unref();
  }

  /** Whether records are accepted; Kafka itself may still be unavailable. */
  isStarted(): boolean {
    return this.state === 'started';
  }

  /**
   * Sends a record and resolves with its partition and offset once all in-sync replicas have it. Rejects with
   * ProducerOverloadedError, DeadlineExceededError (not produced; PartitionUnavailableError if its partition fails),
   * OutcomeUnknownError (perhaps produced), RecordTooLargeError or RecordRefusedError.
   */
  send(record: OutgoingRecord, limits: SendLimits): Promise<RecordPlace> {
    return new Promise((resolve, reject) => {
      const settled = (_index: number, result: RecordPlace | Error): void =>
        result instanceof Error ? reject(result) : resolve(result);
      this.enqueue(record, this.waitingUntil(limits), { settled }, 0);
    });
  }

  /**
   * Sends records as `send` does each of them, and resolves once all have their result: the place, or the error with which
   * `send` would reject. Never rejects. One promise for all, because promises per record cost more than sending them.
   */
  sendAll(records: readonly OutgoingRecord[], limits: SendLimits): Promise<readonly (RecordPlace | Error)[]> {
    const results = new Array<RecordPlace | Error>(records.length);
    if (records.length === 0) return Promise.resolve(results);
    return new Promise((resolve) => {
      let open = records.length;
      const settled = (index: number, result: RecordPlace | Error): void => {
        results[index] = result;
        if (--open === 0) resolve(results);
      };
      const delivery = { settled };
      const until = this.waitingUntil(limits);
      for (let index = 0; index < records.length; index++) this.enqueue(records[index], until, delivery, index);
    });
  }

  /** Refuses new records, waits at most `timeoutMs` for those in progress, fails the rest and disconnects. */
  async stop(timeoutMs = 5_000): Promise<void> {
    this.abort.abort();
    if (this.state === 'started') {
      this.state = 'stopping';
      const endMs = this.now() + timeoutMs;
      while (this.quota.records > 0 && this.now() < endMs) await sleep(5);
      clearInterval(this.sweeper);
      for (const record of [...this.queue.remove(() => true), ...[...this.inFlight].flat()]) this.fail(record);
    }
    this.state = 'stopped';
    await Promise.all([this.sender.disconnect(), this.retrying.disconnect()]);
  }

  /** The limits with the deadline by the producer's own clock. */
  private waitingUntil({ deadlineMs, asideMs }: SendLimits): SendLimits {
    return { deadlineMs: this.now() + deadlineMs - this.clocks.timeOfDay(), asideMs };
  }

  private enqueue(
    record: OutgoingRecord,
    { deadlineMs, asideMs }: SendLimits,
    delivery: Delivery,
    index: number,
  ): void {
    const sizeBytes = sizeOf(record);
    if (this.state !== 'started' || !this.quota.admits(sizeBytes)) {
      this.metrics.producedRecords.inc({ topic: record.topic.name, outcome: 'overloaded' });
      return delivery.settled(index, new ProducerOverloadedError());
    }
    if (deadlineMs <= this.now()) {
      this.metrics.producedRecords.inc({ topic: record.topic.name, outcome: 'expired' });
      return delivery.settled(index, new DeadlineExceededError());
    }
    this.quota.take(sizeBytes);
    const pending: PendingRecord = {
      topic: record.topic.name,
      partition: record.partition ?? partitionOf(record.key ?? '', record.topic.partitions),
      key: record.key,
      value: record.value,
      headers: record.headers,
      sizeBytes,
      deadlineMs,
      asideMs,
      attempted: false,
      settled: false,
      delivery,
      index,
    };
    this.queue.add(pending);
    this.aside.notice(pending);
    this.wake();
  }

  private wake(): void {
    if (this.draining) return;
    this.draining = true;
    // Deferred to the end of this turn, so that records passed together are sent together.
    queueMicrotask(() => void this.drain());
  }

  /** Sends batches one after the other until no record waits, except those of partitions that are aside. */
  private async drain(): Promise<void> {
    for (;;) {
      this.expire();
      const batch = this.queue.take(this.maxBatchBytes);
      if (batch.length === 0) break;
      const rest = await this.deliver(this.sender, batch);
      if (rest.length > 0) this.aside.put(rest);
    }
    this.draining = false;
  }

  /** Sends a batch and settles the certain results; returns the rest, in order per partition. */
  private async deliver(sender: BatchSender, batch: readonly PendingRecord[]): Promise<PendingRecord[]> {
    for (const record of batch) record.attempted = true;
    this.inFlight.add(batch);
    try {
      const outcomes = await sender.send(batch);
      const rest: PendingRecord[] = [];
      const refused: PendingRecord[] = [];
      for (const [index, record] of batch.entries()) {
        const outcome = outcomes[index];
        if (!(outcome instanceof Error)) this.acknowledge(record, outcome);
        else if (refusalOf(outcome) === undefined) rest.push(record);
        else refused.push(record);
      }
      if (rest.length > 0) this.noteFailed(rest, outcomes[batch.indexOf(rest[0])] as Error);
      for (const records of byPartition(refused).values()) {
        const code = refusalOf(outcomes[batch.indexOf(records[0])])!;
        rest.push(...(await this.isolate(sender, records, code)));
      }
      return rest;
    } finally {
      this.inFlight.delete(batch);
    }
  }

  private noteFailed(rest: readonly PendingRecord[], { message }: Error): void {
    this.metrics.producerResends.inc();
    this.options.logger.warn(
      { records: rest.length, partitions: [...new Set(rest.map(partitionName))], cause: message },
      'a send to Kafka failed; it is retried until its records expire',
    );
  }

  private acknowledge(record: PendingRecord, place: RecordPlace): void {
    if (this.settle(record, 'acknowledged')) record.delivery.settled(record.index, place);
  }

  /** Halves refused records of one partition until the faulty one is alone and fails. */
  private async isolate(sender: BatchSender, batch: readonly PendingRecord[], code: string): Promise<PendingRecord[]> {
    if (batch.length === 1) {
      const [record] = batch;
      const tooLarge = code === 'MESSAGE_TOO_LARGE' || code === 'RECORD_LIST_TOO_LARGE';
      if (this.settle(record, 'refused'))
        record.delivery.settled(
          record.index,
          tooLarge ? new RecordTooLargeError(record.sizeBytes) : new RecordRefusedError(code),
        );
      return [];
    }
    const half = batch.length >> 1;
    const rest = await this.deliver(sender, batch.slice(0, half));
    if (rest.length > 0) return [...rest, ...batch.slice(half)];
    return this.deliver(sender, batch.slice(half));
  }

  /** Fails records past their deadline, including those in flight: callers must respond in time. */
  private expire(): void {
    if (this.quota.records === 0) return;
    const now = this.now();
    for (const record of this.queue.remove(({ deadlineMs }) => deadlineMs <= now)) this.fail(record);
    for (const batch of this.inFlight) for (const record of batch) if (record.deadlineMs <= now) this.fail(record);
  }

  private fail(record: PendingRecord): void {
    if (!this.settle(record, record.attempted ? 'unknown' : 'expired')) return;
    record.delivery.settled(record.index, this.failureOf(record));
  }

  private failureOf(record: PendingRecord): Error {
    if (record.attempted) return new OutcomeUnknownError();
    return this.aside.has(record) ? new PartitionUnavailableError() : new DeadlineExceededError();
  }

  /** Marks a record as settled; false when it already was. */
  private settle(record: PendingRecord, outcome: string): boolean {
    if (record.settled) return false;
    record.settled = true;
    this.quota.release(record.sizeBytes);
    this.metrics.producedRecords.inc({ topic: record.topic, outcome });
    return true;
  }
}
