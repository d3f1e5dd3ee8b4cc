import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { CompressionTypes, KafkaJSRequestTimeoutError, Producer, RecordMetadata } from 'kafkajs';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { errorMessage } from '../errors';
import { Kafka } from './create-kafka';
import { keepTrying, NotRetriableError } from './keep-trying';
import { KafkaMetrics, kafkaMetrics, showProducedTopic } from './kafka-metrics';
import { OutgoingRecord, ProducerTopic, sizeOf } from './outgoing-record';
import { partitionOf } from './partition-of';
import { PendingRecord, PendingRecords, RecordPlace } from './pending-records';
import { partitionOfMessage, placesOf, topicMessagesOf } from './produce-request';
import {
  DeadlineExceededError,
  OutcomeUnknownError,
  ProducerOverloadedError,
  RecordRefusedError,
  RecordTooLargeError,
  refusalOf,
} from './producer-errors';

/** Sizes and surroundings of a producer; sizes have defaults. */
export interface RecordProducerOptions {
  logger: Logger;
  registry: Registry;
  /** Topics whose partition counts are compared with the broker's at the start; all of the table by default. */
  topics?: readonly ProducerTopic[];
  /** Most bytes per partition and batch. */
  maxBatchBytes?: number;
  /** Most bytes between `send` and acknowledgement; above it `send` fails with ProducerOverloadedError. */
  maxQueueBytes?: number;
  /** Most records between `send` and acknowledgement. */
  maxQueueRecords?: number;
  /** Compresses what is sent; a topic's largest batch counts the compressed bytes. */
  compress?: boolean;
  /** How long the broker may wait for its replicas, milliseconds. */
  ackTimeoutMs?: number;
  /** Pause before the rest of a failed send is sent again, milliseconds. */
  resendPauseMs?: number;
  now?: () => number;
}

/**
 * A micro-batching producer with acks=all: one send in flight, at once when idle, else everything that has gathered.
 * The client's own retries are off, because a retry over two brokers can resolve without sending (kafkajs issue 1303): the
 * reply is checked for every partition addressed, and the rest is sent again until each record's deadline.
 * A record may be in the topic twice; per partition the order of the first copies is the order of `send`.
 */
export class RecordProducer {
  private readonly client: Pick<Producer, 'connect' | 'disconnect' | 'sendBatch'>;
  private readonly queue = new PendingRecords();
  private readonly metrics: KafkaMetrics;
  private readonly maxBatchBytes: number;
  private readonly now: () => number;
  private readonly abort = new AbortController();
  private inFlight: readonly PendingRecord[] = [];
  private unsettled = 0;
  private unsettledBytes = 0;
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
  }

  /**
   * Connects and compares partition counts, trying again while Kafka is away.
   * Rejects on topics with other partition counts than the table's: keys would go to other partitions.
   */
  async start(): Promise<void> {
    const { logger } = this.options;
    const signal = this.abort.signal;
    await keepTrying('connecting the producer', () => this.connect(), { logger, signal });
    await keepTrying('checking topics', () => this.checkTopics(), { logger, signal });
    this.state = 'started';
    this.sweeper = setInterval(() => this.expire(), 20);
    this.sweeper.unref();
  }

  /** Whether records can be handed over; Kafka itself may still be away. */
  isStarted(): boolean {
    return this.state === 'started';
  }

  /**
   * Sends a record and resolves with its place once all in-sync replicas have it.
   * Rejects with ProducerOverloadedError, DeadlineExceededError (not produced), OutcomeUnknownError (perhaps produced),
   * RecordTooLargeError or RecordRefusedError.
   */
  send(record: OutgoingRecord, { deadlineMs }: { deadlineMs: number }): Promise<RecordPlace> {
    return new Promise((resolve, reject) => {
      const sizeBytes = sizeOf(record);
      if (this.state !== 'started' || !this.hasRoom(sizeBytes)) {
        this.metrics.producedRecords.inc({ topic: record.topic.name, outcome: 'overloaded' });
        return reject(new ProducerOverloadedError());
      }
      if (deadlineMs <= this.now()) {
        this.metrics.producedRecords.inc({ topic: record.topic.name, outcome: 'expired' });
        return reject(new DeadlineExceededError());
      }
      this.unsettled++;
      this.unsettledBytes += sizeBytes;
      this.metrics.producerQueueBytes.set(this.unsettledBytes);
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
        resolve,
        reject,
      });
      if (!this.draining) {
        this.draining = true;
        // After this turn, so that records handed over together go together.
        queueMicrotask(() => void this.drain());
      }
    });
  }

  /** Refuses new records, waits at most `timeoutMs` for those in hand, fails the rest and disconnects. */
  async stop(timeoutMs = 5_000): Promise<void> {
    this.abort.abort();
    if (this.state === 'started') {
      this.state = 'stopping';
      const endMs = this.now() + timeoutMs;
      while (this.unsettled > 0 && this.now() < endMs) await sleep(5);
      clearInterval(this.sweeper);
      for (const record of [...this.queue.remove(() => true), ...this.inFlight]) this.fail(record);
    }
    this.state = 'stopped';
    await this.client.disconnect();
  }

  private hasRoom(sizeBytes: number): boolean {
    const { maxQueueBytes = 32 * 1024 * 1024, maxQueueRecords = 50_000 } = this.options;
    return this.unsettled < maxQueueRecords && this.unsettledBytes + sizeBytes <= maxQueueBytes;
  }

  private async checkTopics(): Promise<void> {
    const rows = this.options.topics ?? Object.values<ProducerTopic>(topics);
    const admin = this.kafka.admin();
    try {
      await admin.connect();
      const { topics: found } = await admin.fetchTopicMetadata({ topics: rows.map((row) => row.name) });
      for (const row of rows) {
        const count = found.find((topic) => topic.name === row.name)?.partitions.length;
        if (count !== row.partitions)
          throw new NotRetriableError(
            `topic ${row.name} has ${count} partitions, the topics table says ${row.partitions}`,
          );
      }
    } finally {
      await admin.disconnect();
    }
  }

  /** One send after the other until nothing waits. */
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

  /** Sends a batch and settles what is certain; returns the rest in order. */
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
        'a send to Kafka failed; it is repeated until its records expire',
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

  /** The client would go on asking over a connection whose other end may have vanished, for as long as the network says nothing. */
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
      if (this.settle(record, 'acknowledged')) record.resolve(place);
      return false;
    });
  }

  /** Halves a refused batch until the guilty record stands alone and fails. */
  private async isolate(batch: readonly PendingRecord[], code: string): Promise<readonly PendingRecord[]> {
    if (batch.length === 1) {
      const [record] = batch;
      const tooLarge = code === 'MESSAGE_TOO_LARGE' || code === 'RECORD_LIST_TOO_LARGE';
      if (this.settle(record, 'refused'))
        record.reject(tooLarge ? new RecordTooLargeError(record.sizeBytes) : new RecordRefusedError(code));
      return [];
    }
    const half = batch.length >> 1;
    const rest = await this.deliver(batch.slice(0, half));
    if (rest.length > 0) return [...rest, ...batch.slice(half)];
    return this.deliver(batch.slice(half));
  }

  /** Fails what is past its deadline, in flight as well: whoever waits must answer in time. */
  private expire(): void {
    if (this.unsettled === 0) return;
    const now = this.now();
    for (const record of this.queue.remove(({ deadlineMs }) => deadlineMs <= now)) this.fail(record);
    for (const record of this.inFlight) if (record.deadlineMs <= now) this.fail(record);
  }

  private fail(record: PendingRecord): void {
    if (!this.settle(record, record.attempted ? 'unknown' : 'expired')) return;
    record.reject(record.attempted ? new OutcomeUnknownError() : new DeadlineExceededError());
  }

  /** Marks a record as answered; false when it already was. */
  private settle(record: PendingRecord, outcome: string): boolean {
    if (record.settled) return false;
    record.settled = true;
    this.unsettled--;
    this.unsettledBytes -= record.sizeBytes;
    this.metrics.producerQueueBytes.set(this.unsettledBytes);
    this.metrics.producedRecords.inc({ topic: record.topic, outcome });
    return true;
  }
}

/** The client wraps what made it give up. */
function isRequestTimeout(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return error instanceof KafkaJSRequestTimeoutError || cause instanceof KafkaJSRequestTimeoutError;
}
