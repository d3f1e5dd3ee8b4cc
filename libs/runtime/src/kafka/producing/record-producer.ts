import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { CompressionTypes, Producer, RecordMetadata } from 'kafkajs';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { errorMessage } from '../../errors';
import { Kafka } from '../client/create-kafka';
import { keepTrying } from '../client/keep-trying';
import { KafkaMetrics, kafkaMetrics, showProducedTopic } from '../metrics/kafka-metrics';
import { checkPartitionCounts } from './check-partition-counts';
import { OutgoingRecord, ProducerTopic, sizeOf } from './outgoing-record';
import { partitionOf, partitionOfMessage } from './partitioner';
import { Delivery, PendingRecord, PendingRecords, RecordPlace } from './pending-records';
import { placesOf, topicMessagesOf } from './produce-request';
import { QueueBounds, QueueQuota } from './queue-quota';
import {
  DeadlineExceededError,
  OutcomeUnknownError,
  ProducerOverloadedError,
  RecordRefusedError,
  RecordTooLargeError,
  isRequestTimeout,
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
  now?: () => number;
}

/**
 * A micro-batching producer with acks=all. One send is in flight: immediately when idle, else with all waiting records.
 * The client's own retries are off, because a retry over two brokers can resolve without sending (kafkajs issue 1303). The
 * response is checked for every addressed partition, and the rest is retried until each record's deadline. A record may be
 * in the topic twice; per partition, the order of the first copies is the order of `send`.
 */
export class RecordProducer {
  private readonly client: Pick<Producer, 'connect' | 'disconnect' | 'sendBatch'>;
  private readonly queue = new PendingRecords();
  private readonly metrics: KafkaMetrics;
  private readonly maxBatchBytes: number;
  private readonly now: () => number;
  private readonly abort = new AbortController();
  private inFlight: readonly PendingRecord[] = [];
  private readonly quota: QueueQuota;
  private draining = false;
  private isConnected = false;
  private state: 'new' | 'started' | 'stopping' | 'stopped' = 'new';
  private sweeper: NodeJS.Timeout | undefined;

  constructor(
    private readonly kafka: Pick<Kafka, 'producer' | 'admin'>,
    private readonly options: RecordProducerOptions,
  ) {
    this.client = kafka.producer({
      retry: { retries: 0 },
      metadataMaxAge: 5_000,
      allowAutoTopicCreation: false,
      createPartitioner: partitionOfMessage,
    });
    this.metrics = kafkaMetrics(options.registry);
    for (const { name } of options.topics ?? []) showProducedTopic(this.metrics, name);
    this.maxBatchBytes = options.maxBatchBytes ?? 512 * 1024;
    this.now = options.now ?? Date.now;
    this.quota = new QueueQuota(options, (bytes) => this.metrics.producerQueueBytes.set(bytes));
  }

  /**
   * Connects and compares partition counts, retrying while Kafka is unavailable. Rejects when a topic's partition count
   * differs from the table: keys would go to other partitions.
   */
  async start(): Promise<void> {
    const { logger } = this.options;
    const signal = this.abort.signal;
    await keepTrying('connecting the producer', () => this.connect(), { logger, signal });
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
   * ProducerOverloadedError, DeadlineExceededError (not produced), OutcomeUnknownError (perhaps produced),
   * RecordTooLargeError or RecordRefusedError.
   */
  send(record: OutgoingRecord, { deadlineMs }: { deadlineMs: number }): Promise<RecordPlace> {
    return new Promise((resolve, reject) => {
      const settled = (_index: number, result: RecordPlace | Error): void =>
        result instanceof Error ? reject(result) : resolve(result);
      this.enqueue(record, deadlineMs, { settled }, 0);
    });
  }

  /**
   * Sends records as `send` does each of them, and resolves once all have their result: the place, or the error with which
   * `send` would reject. Never rejects. One promise for all, because promises per record cost more than sending them.
   */
  sendAll(
    records: readonly OutgoingRecord[],
    { deadlineMs }: { deadlineMs: number },
  ): Promise<readonly (RecordPlace | Error)[]> {
    const results = new Array<RecordPlace | Error>(records.length);
    if (records.length === 0) return Promise.resolve(results);
    return new Promise((resolve) => {
      let open = records.length;
      const settled = (index: number, result: RecordPlace | Error): void => {
        results[index] = result;
        if (--open === 0) resolve(results);
      };
      const delivery = { settled };
      for (let index = 0; index < records.length; index++) this.enqueue(records[index], deadlineMs, delivery, index);
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
      for (const record of [...this.queue.remove(() => true), ...this.inFlight]) this.fail(record);
    }
    this.state = 'stopped';
    await this.client.disconnect();
  }

  private enqueue(record: OutgoingRecord, deadlineMs: number, delivery: Delivery, index: number): void {
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
    this.queue.add({
      topic: record.topic.name,
      partition: record.partition ?? partitionOf(record.key ?? '', record.topic.partitions),
      key: record.key,
      value: record.value,
      headers: record.headers,
      sizeBytes,
      deadlineMs,
      attempted: false,
      settled: false,
      delivery,
      index,
    });
    if (!this.draining) {
      this.draining = true;
      // Deferred to the end of this turn, so that records passed together are sent together.
      queueMicrotask(() => void this.drain());
    }
  }

  /** Sends batches one after the other until no record waits. */
  private async drain(): Promise<void> {
    for (;;) {
      this.expire();
      const batch = this.queue.take(this.maxBatchBytes);
      if (batch.length === 0) break;
      this.inFlight = batch;
      const rest = (await this.deliver(batch)).filter((record) => !record.settled);
      this.inFlight = [];
      if (rest.length === 0) continue;
      this.queue.putBack(rest);
      this.metrics.producerResends.inc();
      await sleep(this.options.resendPauseMs ?? 100);
    }
    this.draining = false;
  }

  /** Sends a batch and settles the certain results; returns the rest in order. */
  private async deliver(batch: readonly PendingRecord[]): Promise<readonly PendingRecord[]> {
    const stopTimer = this.metrics.producerSendSeconds.startTimer();
    this.metrics.producerBatchRecords.observe(batch.length);
    for (const record of batch) record.attempted = true;
    try {
      if (!this.isConnected) await this.connect();
      const reply = await this.client.sendBatch({
        acks: -1,
        timeout: this.options.ackTimeoutMs ?? 3_000,
        compression: this.options.compress ? CompressionTypes.GZIP : CompressionTypes.None,
        topicMessages: topicMessagesOf(batch),
      });
      return this.acknowledge(batch, reply);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== undefined) return await this.isolate(batch, refusal);
      this.options.logger.warn(
        { records: batch.length, cause: errorMessage(error) },
        'a send to Kafka failed; it is retried until its records expire',
      );
      if (isRequestTimeout(error)) await this.disconnect();
      return batch;
    } finally {
      stopTimer();
    }
  }

  private async connect(): Promise<void> {
    await this.client.connect();
    this.isConnected = true;
  }

  /** Closes connections whose other end may have vanished: kafkajs would retry over them for as long as TCP stays silent. */
  private async disconnect(): Promise<void> {
    this.isConnected = false;
    await this.client.disconnect().catch(() => undefined);
  }

  /** Settles the records whose partition the reply confirms, and returns the others. */
  private acknowledge(batch: readonly PendingRecord[], reply: readonly RecordMetadata[]): PendingRecord[] {
    const places = placesOf(batch, reply);
    return batch.filter((record, index) => {
      const place = places[index];
      if (!place) return true;
      if (this.settle(record, 'acknowledged')) record.delivery.settled(record.index, place);
      return false;
    });
  }

  /** Halves a refused batch until the faulty record is alone and fails. */
  private async isolate(batch: readonly PendingRecord[], code: string): Promise<readonly PendingRecord[]> {
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
    const rest = await this.deliver(batch.slice(0, half));
    if (rest.length > 0) return [...rest, ...batch.slice(half)];
    return this.deliver(batch.slice(half));
  }

  /** Fails records past their deadline, including those in flight: callers must respond in time. */
  private expire(): void {
    if (this.quota.records === 0) return;
    const now = this.now();
    for (const record of this.queue.remove(({ deadlineMs }) => deadlineMs <= now)) this.fail(record);
    for (const record of this.inFlight) if (record.deadlineMs <= now) this.fail(record);
  }

  private fail(record: PendingRecord): void {
    if (!this.settle(record, record.attempted ? 'unknown' : 'expired')) return;
    record.delivery.settled(record.index, record.attempted ? new OutcomeUnknownError() : new DeadlineExceededError());
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
