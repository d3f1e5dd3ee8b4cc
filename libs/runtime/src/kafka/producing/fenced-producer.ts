import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Clocks, systemClocks } from '../../work';
import { Kafka } from '../client/create-kafka';
import { FencedClient, fencedClient } from './fenced-client';
import { KafkaMetrics, kafkaMetrics } from '../metrics/kafka-metrics';
import { OutgoingRecord } from './outgoing-record';
import { partitionOf } from './partitioner';
import { RecordPlace } from './pending-records';
import { PartitionRecord } from './produce-request';
import {
  OutcomeUnknownError,
  PartitionFailedError,
  PartlySentError,
  ProducerFencedError,
  RecordRefusedError,
  TopicUnavailableError,
  isFencedOut,
  refusalOf,
  topicErrorOf,
} from './producer-errors';
import { sendByLeader } from './send-by-leader';
import { UnresponsiveLeaders } from './unresponsive-leaders';

/** Dependencies of a fenced producer. */
export interface FencedProducerOptions {
  logger: Logger;
  registry: Registry;
  /** Those of the process by default. */
  clocks?: Clocks;
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
 * failed send then does not matter: its records can only precede those of the next. A leader that does not respond fails its
 * own partitions only, and nothing is sent to it for a while.
 */
export class FencedProducer {
  private client: FencedClient | undefined;
  private claimedAtMs = 0;
  private readonly metrics: KafkaMetrics;
  private readonly clocks: Clocks;
  private readonly unresponsive: UnresponsiveLeaders;

  constructor(
    private readonly kafka: Pick<Kafka, 'ownClient'>,
    private readonly options: FencedProducerOptions,
  ) {
    this.metrics = kafkaMetrics(options.registry);
    const clocks = (this.clocks = options.clocks ?? systemClocks);
    // A step of the time of day does not prolong a pause.
    this.unresponsive = new UnresponsiveLeaders(() => clocks.monotonic());
  }

  /**
   * Whether records can be sent: not after a failed send, and not for longer than the brokers keep the name. By the time of day, because
   * the brokers' time goes on while this machine sleeps.
   */
  isClaimed(): boolean {
    return this.client !== undefined && this.clocks.timeOfDay() - this.claimedAtMs < claimLifetimeMs;
  }

  /** Takes the name from its current holder, which may be this process. Rejects when Kafka is unavailable. */
  async claim(name: string): Promise<void> {
    this.release();
    const claimedAtMs = this.clocks.timeOfDay();
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
   * Sends records, in one request for each leader, and resolves with their offsets once all in-sync replicas have all of
   * them. One call at a time. It rejects with ProducerFencedError (another producer has the name), PartlySentError (some
   * partitions were not acknowledged), RecordRefusedError (the broker refuses records of every partition),
   * TopicUnavailableError (nothing was sent) or OutcomeUnknownError (any record may be in its topic). It releases the name
   * then, unless every record that was sent was acknowledged.
   */
  async send(records: readonly OutgoingRecord[], { timeoutMs }: { timeoutMs: number }): Promise<RecordPlace[]> {
    const { client, unresponsive } = this;
    const { logger } = this.options;
    if (!client) throw new Error('the name must be claimed before records are sent');
    const batch = records.map(partitionRecord);
    this.metrics.producerBatchRecords.observe(records.length);
    const stopTimer = this.metrics.producerSendSeconds.startTimer();
    const done = new AbortController();
    try {
      const deadline = givingUp(timeoutMs, done.signal);
      const outcomes = await sendByLeader(batch, { client, unresponsive, deadline, ackTimeoutMs, logger });
      this.count(batch, outcomes);
      return allPlaces(outcomes);
    } catch (error) {
      if (error instanceof PartlySentError && error.isIntact) throw error;
      // Its client would retry for seconds; the result of the request no longer matters.
      client.cutOff();
      this.release();
      if (error instanceof PartlySentError || error instanceof ProducerFencedError) throw error;
      if (error instanceof RecordRefusedError) throw error;
      const topicError = topicErrorOf(error);
      const failure = topicError === undefined ? new OutcomeUnknownError(error) : new TopicUnavailableError(topicError);
      this.count(
        batch,
        batch.map(() => failure),
      );
      throw failure;
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

  private count(records: readonly PartitionRecord[], outcomes: readonly (RecordPlace | Error)[]): void {
    for (const [index, { topic }] of records.entries()) {
      const result = outcomes[index];
      const failed = refusalOf(result) === undefined ? 'unknown' : 'refused';
      this.metrics.producedRecords.inc({ topic, outcome: result instanceof Error ? failed : 'acknowledged' });
    }
  }
}

function partitionRecord({ topic, partition, key, value, headers }: OutgoingRecord): PartitionRecord {
  return { topic: topic.name, partition: partition ?? partitionOf(key ?? '', topic.partitions), key, value, headers };
}

/** Throws unless every record was acknowledged. */
function allPlaces(outcomes: readonly (RecordPlace | PartitionFailedError)[]): RecordPlace[] {
  const places = outcomes.filter((outcome): outcome is RecordPlace => !(outcome instanceof Error));
  if (places.length === outcomes.length) return places;
  if (outcomes.some(isFencedOut)) throw new ProducerFencedError();
  const refusals = outcomes.map(refusalOf);
  if (refusals[0] !== undefined && !refusals.includes(undefined)) throw new RecordRefusedError(refusals[0]);
  throw new PartlySentError(outcomes);
}

async function givingUp(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await sleep(timeoutMs, undefined, { signal });
  throw new Error(`no acknowledgement within ${timeoutMs} ms`);
}
