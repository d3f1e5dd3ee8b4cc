import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventDefinition, RecordOf, TopicRow, ViewGroup, decodeRecord } from '@podium/messages';
import { KafkaMessage } from 'kafkajs';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { errorMessage } from '../../errors';
import { Kafka } from '../client/create-kafka';
import { FetchedBatch, UndecodableFetch } from '../group-membership/fetched-batch';
import { GroupConsumer } from '../group-membership/group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { UndecodableStop } from '../metrics/consumer-gauges';
import { KafkaMetrics, kafkaMetrics } from '../metrics/kafka-metrics';
import { EmptyFetch, watchEmptyFetches } from '../record-batches/empty-fetches';
import { UndecodablePauses } from '../undecodable-batches/pause-at-undecodable-batch';
import { textHeaders } from '../record-headers/text-headers';
import { tombstoneRevision } from '../record-headers/tombstone-revision';
import { ConfirmedPartitions } from './confirmed-partitions';

/** A view of a small compacted topic. */
export interface CompactedTopicViewOptions<D extends EventDefinition> {
  kafka: Kafka;
  row: TopicRow<D>;
  viewGroup: ViewGroup;
  /** Name of this process; a random part is added, so that a restart need not wait for its predecessor's session to expire. */
  instance: string;
  logger: Logger;
  registry: Registry;
  /** Receives the newest state of a key, null for a tombstone; called in order, only with a higher revision of the key. */
  apply(key: string, record: RecordOf<D> | null): void;
  /** A record of the key is unreadable or could not be applied: the key's state is outdated until a readable one arrives. */
  onUnreadable(key: string, reason: string): void;
  /** The consumer stopped permanently: end the process. */
  onFatal?: (error: Error) => void;
}

/**
 * Reads a small compacted topic completely for this process, from the beginning at each start, in its own group. Commits
 * follow applied records, so that the broker shows which live instances have a record.
 *
 * An undecodable batch pauses it, because any key of the partition may be in that batch. The view's age then grows as if
 * Kafka were unavailable, and an instance that has just started does not become ready. Before operators let it pass the
 * batch, they republish the keys' states behind it, so that the skipped records are outdated.
 */
export class CompactedTopicView<D extends EventDefinition> {
  /** The group of this process, `<viewGroup>.<instance>.<random>`. */
  readonly group: string;
  private readonly consumer: GroupConsumer;
  private readonly positions: GroupPositions;
  private readonly applied = new Map<number, bigint>();
  private readonly confirmed = new ConfirmedPartitions();
  private readonly revisions = new Map<string, number>();
  private readonly abort = new AbortController();
  private readonly stops: UndecodablePauses;
  private readonly metrics: KafkaMetrics;
  private readonly stopSource = (): Iterable<UndecodableStop> => this.stops.figures();
  private unwatch: () => void = () => undefined;
  private caughtUp = false;
  /** The end offset after a batch was passed: the start waits for the records behind the batch. */
  private owed: { readonly partition: number; readonly end: bigint } | undefined;

  constructor(private readonly options: CompactedTopicViewOptions<D>) {
    this.group = `${options.viewGroup}.${options.instance}.${randomBytes(4).toString('hex')}`;
    this.positions = new GroupPositions(options.kafka, options.logger);
    this.metrics = kafkaMetrics(options.registry);
    this.stops = new UndecodablePauses({
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
      // The minimum that brokers allow: after an outage the client joins as a new member and waits for its old one's end.
      sessionTimeoutMs: 6_000,
      probe: this.positions,
      onBatch: (batch) => this.applyBatch(batch),
      onUndecodable: (found) => this.stops.meet(found),
      onReplaced: () => this.metrics.consumerReplacements.inc({ group: options.viewGroup }),
      onAssigned: (assignment) => {
        this.stops.assign(assignment);
        this.confirmed.expect(assignment[options.row.name] ?? [], this.caughtUp);
      },
      onFatal: (error) => options.onFatal?.(error),
    });
  }

  /** Resolves once everything is applied that was in the topic at the call; waits while Kafka is unavailable. */
  async start(): Promise<void> {
    const { signal } = this.abort;
    this.metrics.stopSources.add(this.stopSource);
    this.unwatch = watchEmptyFetches((fetch) => this.noteEmpty(fetch));
    this.metrics.consumerReplacements.inc({ group: this.options.viewGroup }, 0);
    await this.consumer.start();
    const ends = await this.positions.endsWhenThere(this.options.row.name, signal);
    this.confirmed.expect(ends.keys(), false);
    const isThere = (partition: number, end: bigint): boolean => (this.applied.get(partition) ?? 0n) >= end;
    while (!ends.every(({ low, high }, partition) => low === high || isThere(partition, high)) || this.owes()) {
      signal.throwIfAborted();
      await sleep(5);
    }
    this.caughtUp = true;
  }

  /** Leaves the group and deletes it. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.metrics.stopSources.delete(this.stopSource);
    this.unwatch();
    await this.consumer.stop();
    await this.stops.close();
    await this.positions.forget(this.group);
    await this.positions.close();
  }

  /** True once `start` has resolved. */
  isCaughtUp(): boolean {
    return this.caughtUp;
  }

  /** False after the consumer stopped permanently. */
  healthy(): boolean {
    return this.consumer.healthy();
  }

  /**
   * Milliseconds since the view had everything that the brokers had, of the partition that has waited longest: small on an
   * idle topic, growing while Kafka or the leader of one partition is unavailable, a batch is undecodable, or the view reads
   * what came meanwhile. Infinity until it has had each partition.
   */
  ageMs(): number {
    return this.confirmed.ageMs();
  }

  private async applyBatch(batch: FetchedBatch): Promise<void> {
    this.stops.readable(batch);
    for (const message of batch.messages) this.applyMessage(message);
    if (batch.lastOffset + 1n >= batch.highWatermark) this.confirmed.confirm(batch.partition);
    await this.advance(batch, batch.lastOffset);
  }

  /** Nothing is in the partition behind what the view has; the fetch may be that of another reader in this process. */
  private noteEmpty({ topic, partition, position, start, end }: EmptyFetch): void {
    if (topic !== this.options.row.name) return;
    const applied = this.applied.get(partition) ?? 0n;
    if (end <= applied || position <= applied || position <= start) this.confirmed.confirm(partition);
  }

  private async pass(found: UndecodableFetch, lastOffset: bigint): Promise<void> {
    const { partition } = found;
    const ends = await this.positions.ends(this.options.row.name);
    this.owed = { partition, end: ends[partition] };
    await this.advance(found, lastOffset);
  }

  /** Whether the view lacks records behind a passed batch that were there when it was passed. */
  private owes(): boolean {
    return this.owed !== undefined && (this.applied.get(this.owed.partition) ?? 0n) < this.owed.end;
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

  /** A tombstone with a revision keeps older states out, and does not remove a newer one. */
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
