import { setTimeout as sleep } from 'node:timers/promises';
import { Producer } from 'kafkajs';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Kafka } from '../client/create-kafka';
import { FencedClient, fencedClient } from './fenced-client';
import { KafkaMetrics, kafkaMetrics } from '../metrics/kafka-metrics';
import { OutgoingRecord } from './outgoing-record';
import { partitionOf } from './partitioner';
import { RecordPlace } from './pending-records';
import { PartitionRecord, placesOf, topicMessagesOf } from './produce-request';
import {
  OutcomeUnknownError,
  ProducerFencedError,
  RecordRefusedError,
  isFencedOut,
  refusalOf,
} from './producer-errors';

/** Dependencies of a fenced producer. */
export interface FencedProducerOptions {
  logger: Logger;
  registry: Registry;
  now?: () => number;
}

/** How long the broker may wait for its replicas, milliseconds. */
const ackTimeoutMs = 3_000;

/**
 * The claim is repeated after this time, milliseconds. Brokers expire a name that was not claimed for 7 days
 * (`transactional.id.expiration.ms`), and would then no longer fence out its earlier holder.
 */
const claimLifetimeMs = 24 * 3_600_000;

/**
 * Sends records in order, for one process at a time. The broker refuses pending records of an earlier holder of the name in
 * every partition where the current one has written. After a failed send the name must be claimed again. The result of the
 * failed send then does not matter: its records can only precede those of the next.
 */
export class FencedProducer {
  private client: FencedClient | undefined;
  private claimedAtMs = 0;
  private readonly metrics: KafkaMetrics;
  private readonly now: () => number;

  constructor(
    private readonly kafka: Pick<Kafka, 'ownClient'>,
    private readonly options: FencedProducerOptions,
  ) {
    this.metrics = kafkaMetrics(options.registry);
    this.now = options.now ?? Date.now;
  }

  /** Whether records can be sent: not after a failed send, and not for longer than the brokers keep the name. */
  isClaimed(): boolean {
    return this.client !== undefined && this.now() - this.claimedAtMs < claimLifetimeMs;
  }

  /** Takes the name from its current holder, which may be this process. Rejects when Kafka is unavailable. */
  async claim(name: string): Promise<void> {
    this.release();
    const claimedAtMs = this.now();
    const client = fencedClient(this.kafka, name);
    try {
      await client.producer.connect();
    } catch (error) {
      client.cutOff();
      this.end(client);
      throw error;
    }
    this.client = client;
    this.claimedAtMs = claimedAtMs;
  }

  /**
   * Sends records in one request and resolves with their offsets once all in-sync replicas have all of them. One call at a
   * time. When it rejects, it releases the name. It rejects with ProducerFencedError (another producer has the name),
   * RecordRefusedError (the broker refuses one of them; the others may be in their topics) or OutcomeUnknownError (any may be
   * in its topic).
   */
  async send(records: readonly OutgoingRecord[], { timeoutMs }: { timeoutMs: number }): Promise<RecordPlace[]> {
    const { client } = this;
    if (!client) throw new Error('the name must be claimed before records are sent');
    const batch = records.map(partitionRecord);
    this.metrics.producerBatchRecords.observe(records.length);
    const stopTimer = this.metrics.producerSendSeconds.startTimer();
    const done = new AbortController();
    try {
      const places = await Promise.race([request(client.producer, batch), givingUp(timeoutMs, done.signal)]);
      this.count(batch, 'acknowledged');
      return places;
    } catch (error) {
      // Its client would retry for seconds; the result of the request no longer matters.
      client.cutOff();
      this.release();
      const refusal = refusalOf(error);
      this.count(batch, refusal === undefined ? 'unknown' : 'refused');
      if (refusal !== undefined) throw new RecordRefusedError(refusal);
      throw isFencedOut(error) ? new ProducerFencedError() : new OutcomeUnknownError(error);
    } finally {
      done.abort();
      stopTimer();
    }
  }

  /** Stops sending until the name is claimed again; a request in progress may still be acknowledged. */
  release(): void {
    const { client } = this;
    this.client = undefined;
    if (client) this.end(client);
  }

  private end({ producer, cutOff }: FencedClient): void {
    const failed = (error: unknown): void =>
      this.options.logger.debug({ cause: String(error) }, 'a producer did not disconnect cleanly');
    void producer.disconnect().catch(failed).finally(cutOff);
  }

  private count(records: readonly PartitionRecord[], outcome: string): void {
    for (const { topic } of records) this.metrics.producedRecords.inc({ topic, outcome });
  }
}

function partitionRecord({ topic, partition, key, value, headers }: OutgoingRecord): PartitionRecord {
  return { topic: topic.name, partition: partition ?? partitionOf(key ?? '', topic.partitions), key, value, headers };
}

/** Also rejects when the response does not confirm every partition. */
async function request(client: Producer, batch: readonly PartitionRecord[]): Promise<RecordPlace[]> {
  const reply = await client.sendBatch({ acks: -1, timeout: ackTimeoutMs, topicMessages: topicMessagesOf(batch) });
  return placesOf(batch, reply).map((place, index) => {
    if (place) return place;
    throw new Error(`the reply does not confirm ${batch[index].topic}/${batch[index].partition}`);
  });
}

async function givingUp(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await sleep(timeoutMs, undefined, { signal });
  throw new Error(`no acknowledgement within ${timeoutMs} ms`);
}
