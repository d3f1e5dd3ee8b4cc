import { randomBytes } from 'node:crypto';
import { EventDefinition, TopicRow } from '@podium/messages';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Kafka } from '../client/create-kafka';
import { FetchedBatch } from '../group-membership/fetched-batch';
import { GroupConsumer } from '../group-membership/group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { UndecodableStop } from '../metrics/consumer-gauges';
import { KafkaMetrics, kafkaMetrics } from '../metrics/kafka-metrics';
import { BatchHandlerMethod, RecordBatch } from '../consuming/outcomes';
import { PartitionDelivery } from '../consuming/partition-delivery';
import { PositionStore } from '../positions/partition-positions';
import { defaultRetryPolicy } from '../consuming/retry-and-dead-letter-policy';
import { UndecodablePauses } from '../undecodable-batches/pause-at-undecodable-batch';

/** A record that is unreadable or was given up, as a reader reports it. */
export interface DeadRecord {
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string;
  readonly reason: string;
}

/** A reader's topic and callbacks; sizes have defaults. */
export interface TopicReaderOptions<D extends EventDefinition> {
  kafka: Kafka;
  row: TopicRow<D>;
  /** The reader's group is `<groupPrefix>.<random>`: it shares no partition with other groups. */
  groupPrefix: string;
  logger: Logger;
  registry: Registry;
  /** Works like a handler of a shared group: outcomes, errors, retries and halving mean the same. */
  handle: BatchHandlerMethod<D>;
  /** The handler's position store; without it this reader remembers the positions. */
  positions?: PositionStore;
  /** Called with records that a shared group would write to its dead letters; nothing is written. */
  onDead(record: DeadRecord): void;
  maxBatchRecords?: number;
  partitionsConsumedConcurrently?: number;
  /** The consumer stopped permanently. */
  onFatal(error: Error): void;
}

/** Reads a topic once from its beginning, in batches and with retries, to rebuild derived data. */
export class TopicReader<D extends EventDefinition> {
  private readonly group: string;
  private readonly consumer: GroupConsumer;
  private readonly groupPositions: GroupPositions;
  private readonly deliveries = new Map<number, PartitionDelivery>();
  private readonly finished = new Map<number, bigint>();
  private readonly stops: UndecodablePauses;
  private readonly metrics: KafkaMetrics;
  private readonly stopSource = (): Iterable<UndecodableStop> => this.stops.figures();
  private successes = 0;

  constructor(private readonly options: TopicReaderOptions<D>) {
    this.group = `${options.groupPrefix}.${randomBytes(4).toString('hex')}`;
    this.groupPositions = new GroupPositions(options.kafka, options.logger);
    this.metrics = kafkaMetrics(options.registry);
    this.stops = new UndecodablePauses({
      ...options,
      group: this.group,
      pause: (topic, partition, durationMs) => this.consumer.pause(topic, partition, durationMs),
      onPassed: (found, lastOffset) =>
        this.deliveryOf(found.partition).pass({ ...found, commit: this.committing(found) }, lastOffset),
    });
    this.consumer = new GroupConsumer({
      ...options,
      group: this.group,
      topics: [options.row.name],
      positions: options.positions ?? {
        load: (_topic, partition) => Promise.resolve(this.finished.get(partition) ?? null),
      },
      probe: this.groupPositions,
      onMoved: ({ partition, stored }) => this.noteMoved(partition, stored),
      onBatch: (batch) => {
        this.stops.readable(batch);
        return this.deliveryOf(batch.partition).deliver({ ...batch, commit: this.committing(batch) });
      },
      onUndecodable: (found) => this.stops.meet(found),
      onAssigned: (assignment) => this.stops.assign(assignment),
    });
  }

  /** Starts reading; retries while Kafka is unavailable. */
  start(): Promise<void> {
    this.metrics.stopSources.add(this.stopSource);
    return this.consumer.start();
  }

  /** Finishes the batches in progress, leaves the group and deletes it. */
  async stop(): Promise<void> {
    this.metrics.stopSources.delete(this.stopSource);
    await this.consumer.stop();
    await this.stops.close();
    await this.groupPositions.forget(this.group);
    await this.groupPositions.close();
  }

  /** Per partition the next offset to handle; partitions without a handled record are missing. */
  positions(): ReadonlyMap<number, bigint> {
    return this.finished;
  }

  /** Per partition the first retained offset and the next to be written; waits while Kafka is unavailable. */
  bounds(signal: AbortSignal): Promise<{ low: bigint; high: bigint }[]> {
    return this.groupPositions.endsWhenThere(this.options.row.name, signal);
  }

  private noteMoved(partition: number, stored: bigint | null): void {
    if (stored === null) this.finished.delete(partition);
    else this.finished.set(partition, stored);
  }

  private committing({ partition, commit }: Pick<FetchedBatch, 'partition' | 'commit'>): FetchedBatch['commit'] {
    return (nextOffset) => {
      this.finished.set(partition, nextOffset);
      return commit(nextOffset);
    };
  }

  private deliveryOf(partition: number): PartitionDelivery {
    const { row, logger, handle, onDead, maxBatchRecords = 500 } = this.options;
    let delivery = this.deliveries.get(partition);
    if (!delivery) {
      delivery = new PartitionDelivery({
        group: this.group,
        row,
        partition,
        handle: (batch) => handle(batch as RecordBatch<D>),
        hasOwnPositions: true,
        pause: (durationMs) => this.consumer.pause(row.name, partition, durationMs),
        deadLetters: {
          write: async (_source, { offset, key }, { reason }) =>
            onDead({ partition, offset: BigInt(offset), key: key?.toString() ?? '', reason }),
          writeBatch: async (_source, { firstOffset }, reason) =>
            onDead({ partition, offset: firstOffset, key: '', reason }),
        },
        maxBatchRecords,
        successes: { note: () => void this.successes++, total: () => this.successes },
        retry: defaultRetryPolicy,
        logger,
        metrics: this.metrics,
      });
      this.deliveries.set(partition, delivery);
    }
    return delivery;
  }
}
