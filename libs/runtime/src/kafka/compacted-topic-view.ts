import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventDefinition, RecordOf, TopicRow, ViewGroup, decodeRecord } from '@podium/messages';
import { KafkaMessage } from 'kafkajs';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { errorMessage } from '../errors';
import { Kafka } from './create-kafka';
import { FetchedBatch, UndecodableFetch } from './fetched-batch';
import { GroupConsumer } from './group-consumer';
import { GroupPositions } from './group-positions';
import { KafkaMetrics, UndecodableStop, kafkaMetrics } from './kafka-metrics';
import { UndecodableStops } from './undecodable-stops';
import { textHeaders } from './text-headers';
import { tombstoneRevision } from './tombstone-revision';

/** A view of a small compacted topic. */
export interface CompactedTopicViewOptions<D extends EventDefinition> {
  kafka: Kafka;
  row: TopicRow<D>;
  viewGroup: ViewGroup;
  /** Names this process; a random part is added, so that a restart need not wait for its dead predecessor's session. */
  instance: string;
  logger: Logger;
  registry: Registry;
  /** Takes the newest state of a key, null for a tombstone; called in order, only with a higher revision of the key. */
  apply(key: string, record: RecordOf<D> | null): void;
  /** A record of the key cannot be read or applied: what is known of the key is out of date until a readable one comes. */
  onUnreadable(key: string, reason: string): void;
  /** The consumer gave up for good: end the process. */
  onFatal?: (error: Error) => void;
}

/**
 * Reads a small compacted topic whole for this process, from the beginning at each start, in a group of its own. Commits
 * follow what is applied, so that others see in the broker which live instances have a record.
 *
 * A batch that cannot be decoded stops it: any key of the partition may be in it. What is known then grows old as if Kafka
 * were away, and an instance that has just started does not get ready. Operators have the keys' states published again behind
 * the batch before they let it pass, so that what is passed over is out of date.
 */
export class CompactedTopicView<D extends EventDefinition> {
  /** The group of this process, `<viewGroup>.<instance>.<random>`. */
  readonly group: string;
  private readonly consumer: GroupConsumer;
  private readonly positions: GroupPositions;
  private readonly applied = new Map<number, bigint>();
  private readonly revisions = new Map<string, number>();
  private readonly abort = new AbortController();
  private readonly stops: UndecodableStops;
  private readonly metrics: KafkaMetrics;
  private readonly stopSource = (): Iterable<UndecodableStop> => this.stops.figures();
  private caughtUp = false;
  /** After a batch was passed: what lies behind it has to come before the view counts as up to date. */
  private owed: { readonly partition: number; readonly end: bigint; readonly sinceMs: number } | undefined;

  constructor(private readonly options: CompactedTopicViewOptions<D>) {
    this.group = `${options.viewGroup}.${options.instance}.${randomBytes(4).toString('hex')}`;
    this.positions = new GroupPositions(options.kafka, options.logger);
    this.metrics = kafkaMetrics(options.registry);
    this.stops = new UndecodableStops({
      ...options,
      group: options.viewGroup,
      pause: (topic, partition, durationMs) => this.consumer.pause(topic, partition, durationMs),
      onPassed: (found, lastOffset) => this.pass(found, lastOffset),
    });
    this.consumer = new GroupConsumer({
      kafka: options.kafka,
      group: this.group,
      topics: [options.row.name],
      logger: options.logger,
      positions: { load: (_topic, partition) => Promise.resolve(this.applied.get(partition) ?? null) },
      partitionsConsumedConcurrently: 1,
      // The shortest that brokers take: after an outage the client joins as a new member and waits for its old one's end.
      sessionTimeoutMs: 6_000,
      probe: this.positions,
      onBatch: (batch) => this.applyBatch(batch),
      onUndecodable: (found) => this.stops.meet(found),
      onReplaced: () => this.metrics.consumerReplacements.inc({ group: options.viewGroup }),
      onAssigned: (assignment) => this.stops.assign(assignment),
      onFatal: (error) => options.onFatal?.(error),
    });
  }

  /** Resolves once everything is applied that was in the topic when it was called; waits while Kafka is away. */
  async start(): Promise<void> {
    const { signal } = this.abort;
    this.metrics.stopSources.add(this.stopSource);
    this.metrics.consumerReplacements.inc({ group: this.options.viewGroup }, 0);
    await this.consumer.start();
    const ends = await this.positions.endsWhenThere(this.options.row.name, signal);
    const isThere = (partition: number, end: bigint): boolean => (this.applied.get(partition) ?? 0n) >= end;
    while (!ends.every(({ low, high }, partition) => low === high || isThere(partition, high)) || this.owedMs() > 0) {
      signal.throwIfAborted();
      await sleep(5);
    }
    this.caughtUp = true;
  }

  /** Leaves the group and deletes it. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.metrics.stopSources.delete(this.stopSource);
    await this.consumer.stop();
    await this.stops.close();
    await this.positions.forget(this.group);
    await this.positions.close();
  }

  /** True once `start` has resolved. */
  isCaughtUp(): boolean {
    return this.caughtUp;
  }

  /** False after the consumer gave up for good. */
  healthy(): boolean {
    return this.consumer.healthy();
  }

  /**
   * Milliseconds since the view had everything that the broker had: small on an idle topic, growing while Kafka is away or a
   * batch cannot be decoded.
   */
  ageMs(): number {
    return Math.max(this.consumer.fetchAgeMs(), this.stops.stoppedMs(), this.owedMs());
  }

  private async applyBatch(batch: FetchedBatch): Promise<void> {
    this.stops.readable(batch);
    for (const message of batch.messages) this.applyMessage(message);
    await this.advance(batch, batch.lastOffset);
  }

  private async pass(found: UndecodableFetch, lastOffset: bigint): Promise<void> {
    const { partition } = found;
    const sinceMs = performance.now() - this.stops.stoppedMs();
    const ends = await this.positions.ends(this.options.row.name);
    this.owed = { partition, end: ends[partition], sinceMs };
    await this.advance(found, lastOffset);
  }

  /** Milliseconds for which the view has been without what lies behind a batch that was passed; 0 once it has it. */
  private owedMs(): number {
    if (this.owed && (this.applied.get(this.owed.partition) ?? 0n) >= this.owed.end) this.owed = undefined;
    return this.owed ? Math.max(1, performance.now() - this.owed.sinceMs) : 0;
  }

  private async advance(
    { partition, commit }: Pick<FetchedBatch, 'partition' | 'commit'>,
    lastOffset: bigint,
  ): Promise<void> {
    this.applied.set(partition, lastOffset + 1n);
    await commit(lastOffset + 1n);
  }

  private applyMessage(message: KafkaMessage): void {
    const key = message.key?.toString() ?? '';
    try {
      if (message.value === null) return this.remove(key, message);
      const decoded = decodeRecord(this.options.row.events, message.value);
      if (!decoded.ok) return this.unreadable(key, message, decoded.reason);
      const { revision } = decoded.record;
      const known = this.revisions.get(key);
      if (known !== undefined && revision <= known) return;
      this.options.apply(key, decoded.record);
      this.revisions.set(key, revision);
    } catch (error) {
      this.unreadable(key, message, `applying it failed: ${errorMessage(error)}`);
    }
  }

  /** A removal that says its revision keeps older states out, and does not take a newer one. */
  private remove(key: string, { headers }: KafkaMessage): void {
    const revision = tombstoneRevision(textHeaders(headers));
    if (revision !== null && revision <= (this.revisions.get(key) ?? -1)) return;
    this.options.apply(key, null);
    if (revision !== null) this.revisions.set(key, revision);
  }

  private unreadable(key: string, { offset }: KafkaMessage, reason: string): void {
    this.options.logger.error({ topic: this.options.row.name, offset, reason }, 'a record of a view is unreadable');
    this.options.onUnreadable(key, reason);
  }
}
