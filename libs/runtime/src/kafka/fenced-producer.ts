import { setTimeout as sleep } from 'node:timers/promises';
import { Producer } from 'kafkajs';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Kafka } from './create-kafka';
import { FencedClient, fencedClient } from './fenced-client';
import { KafkaMetrics, kafkaMetrics } from './kafka-metrics';
import { OutgoingRecord } from './outgoing-record';
import { partitionOf } from './partition-of';
import { RecordPlace } from './pending-records';
import { PartitionRecord, placesOf, topicMessagesOf } from './produce-request';
import {
  OutcomeUnknownError,
  ProducerFencedError,
  RecordRefusedError,
  isFencedOut,
  refusalOf,
} from './producer-errors';

/** Surroundings of a fenced producer. */
export interface FencedProducerOptions {
  logger: Logger;
  registry: Registry;
  now?: () => number;
}

/** How long the broker may wait for its replicas, milliseconds. */
const ackTimeoutMs = 3_000;

/**
 * A claim is made again after this time, milliseconds: brokers forget a name that nobody has claimed for 7 days
 * (`transactional.id.expiration.ms`), and who claimed it before would then be fenced out no more.
 */
const claimLifetimeMs = 24 * 3_600_000;

/**
 * Sends records in order, for one process at a time: what an earlier holder of the name has still on its way is refused by the
 * broker wherever the present one has written. After a send that failed the name must be claimed again, so that what became of
 * the failed one does not matter: it can only come before the next.
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

  /** Whether records can be sent; not after a send that failed, and not for longer than the brokers keep the name. */
  isClaimed(): boolean {
    return this.client !== undefined && this.now() - this.claimedAtMs < claimLifetimeMs;
  }

  /** Takes a name from whoever has it, this process included. Rejects when Kafka cannot be asked. */
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
   * Sends records in one request and resolves with their places once all in-sync replicas have all of them. One call at a
   * time. Rejects, and gives the name up, with ProducerFencedError (another one has the name), RecordRefusedError (the broker
   * does not take one of them; the others may be in their topics) or OutcomeUnknownError (any may be in its topic).
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
      // Its client would ask again, for seconds; what becomes of the request does not matter.
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

  /** Sends no more until the name is claimed again; a request under way may still have its answer. */
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

/** Rejects as well when the reply does not confirm every partition. */
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
