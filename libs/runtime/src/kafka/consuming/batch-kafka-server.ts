import { ConsumerGroup, TopicRow } from '@podium/messages';
import { MessageHandler, Server } from '@nestjs/microservices';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { lastValueFrom } from 'rxjs';
import { BatchHandlerExtras, HandlerFailure, transportOf } from './batch-handler';
import { Kafka } from '../client/create-kafka';
import { DeadLetters } from '../dead-letters/dead-letters';
import { GroupConsumer } from '../group-membership/group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { PartitionLag, UndecodableStop } from '../metrics/consumer-gauges';
import { KafkaMetrics, kafkaMetrics, showConsumedTopic } from '../metrics/kafka-metrics';
import { LagWatch } from './lag-watch';
import { RecordBatch } from './outcomes';
import { TakeTurn } from './batch-turn';
import { PartitionDelivery } from './partition-delivery';
import { PositionStore } from '../positions/partition-positions';
import { BatchPlace } from '../undecodable-batches/passed-batches';
import { RecordProducer } from '../producing/record-producer';
import { redriveTopic } from '../dead-letters/redrive';
import { RetryPolicy, defaultRetryPolicy } from './retry-and-dead-letter-policy';
import { UndecodablePauses } from '../undecodable-batches/pause-at-undecodable-batch';

/** A group's consumer; sizes have defaults. */
export interface BatchKafkaServerOptions {
  kafka: Kafka;
  /** Writes the dead letters. */
  producer: Pick<RecordProducer, 'send'>;
  group: ConsumerGroup;
  logger: Logger;
  registry: Registry;
  /** When given, its positions override the group's commits, which then only show lag. */
  positions?: PositionStore;
  /** Interval of comparing stored positions with the known ones, milliseconds. */
  positionsCheckMs?: number;
  retry?: Partial<RetryPolicy>;
  /** Maximum number of records per handler call. */
  maxBatchRecords?: number;
  /** Awaited before each batch; without it a batch begins immediately. */
  takeTurn?: TakeTurn;
  partitionsConsumedConcurrently?: number;
  maxBytesPerPartition?: number;
  maxWaitMs?: number;
  sessionTimeoutMs?: number;
  /** Replace the client after its fetches hang for this time while the brokers respond to others, milliseconds. */
  hangPatienceMs?: number;
  /** Interval of reading the end offsets, for the lag, milliseconds. */
  lagCheckMs?: number;
  /** Serve before Kafka is available; by default the start waits for it. */
  joinsInBackground?: boolean;
  /** Called when the consumer stopped permanently: end the process. Without it only `healthy()` shows it. */
  onFatal?: (error: Error) => void;
}

/** A topic that a server reads, and the handler of its records. */
interface Intake {
  readonly row: TopicRow;
  readonly handler: MessageHandler;
}

/**
 * A transport of @nestjs/microservices that delivers records to handlers in batches (`@BatchHandler`) and turns their
 * outcomes into commits, retries and dead letters. A paused partition never blocks another. Redriven records reach the
 * same handlers by separate topics.
 */
export class BatchKafkaServer extends Server {
  private readonly metrics: KafkaMetrics;
  private readonly deadLetters: DeadLetters;
  private readonly intakes = new Map<string, Intake>();
  private readonly deliveries = new Map<string, PartitionDelivery>();
  private readonly groupPositions: GroupPositions;
  private readonly lagWatch: LagWatch;
  private readonly stops: UndecodablePauses;
  private readonly lagSource = (): Iterable<PartitionLag> => this.lagWatch.lags();
  private readonly stopSource = (): Iterable<UndecodableStop> => this.stops.figures();
  private lagTimer: NodeJS.Timeout | undefined;
  private closed = false;
  private successes = 0;
  private consumer: GroupConsumer | undefined;

  constructor(private readonly options: BatchKafkaServerOptions) {
    super();
    this.transportId = transportOf(options.group);
    this.metrics = kafkaMetrics(options.registry);
    this.deadLetters = new DeadLetters(options.producer, options.group);
    this.groupPositions = new GroupPositions(options.kafka, options.logger);
    this.lagWatch = new LagWatch(
      options.group,
      this.groupPositions,
      (topic, partition) => this.deliveries.get(`${topic}/${partition}`)?.progress,
    );
    this.stops = new UndecodablePauses({
      ...options,
      pause: (topic, partition, durationMs) => this.consumer!.pause(topic, partition, durationMs),
      onPassed: (found, lastOffset) => this.deliveryOf(found).pass(found, lastOffset),
    });
  }

  /** Called by the framework: joins the group with the topics of the registered handlers, once Kafka is available. */
  listen(callback: (error?: Error) => void): void {
    const started = this.start();
    if (!this.options.joinsInBackground)
      return void started.then(
        () => callback(),
        (error: Error) => callback(error),
      );
    started.catch((error: Error) => (this.closed ? undefined : this.options.onFatal?.(error)));
    callback();
  }

  /** Finishes the batch in progress with its commit and leaves the group. */
  async close(): Promise<void> {
    this.closed = true;
    this.metrics.lagSources.delete(this.lagSource);
    this.metrics.stopSources.delete(this.stopSource);
    clearInterval(this.lagTimer);
    await this.consumer?.stop();
    await this.stops.close();
    await this.groupPositions.close();
  }

  /**
   * Leaves the group once the batches in progress are done, runs `between`, and rejoins. Stored positions are then loaded
   * again, and nothing that was fetched before is delivered. Does nothing before `listen` and after `close`.
   */
  async restart(between: () => Promise<void>): Promise<void> {
    if (!this.consumer || this.closed) return;
    await this.consumer.stop();
    this.deliveries.clear();
    await between();
    await this.join();
  }

  /** False once the consumer stopped permanently. */
  healthy(): boolean {
    return this.consumer?.healthy() ?? true;
  }

  on(): never {
    throw new Error('BatchKafkaServer has no events; see healthy() and onFatal');
  }

  unwrap<T>(): T {
    return this.consumer as T;
  }

  private async start(): Promise<void> {
    const { group } = this.options;
    if (this.messageHandlers.size === 0) throw new Error(`the group ${group} has no @BatchHandler`);
    for (const handler of this.messageHandlers.values()) {
      const { row } = handler.extras as unknown as BatchHandlerExtras;
      this.intakes.set(row.name, { row, handler });
      if (!row.consumers.includes(group)) continue;
      const { name } = redriveTopic(group, row);
      this.intakes.set(name, { row, handler });
    }
    for (const topic of this.intakes.keys()) showConsumedTopic(this.metrics, { group, topic });
    this.metrics.lagSources.add(this.lagSource);
    this.metrics.stopSources.add(this.stopSource);
    this.metrics.consumerReplacements.inc({ group }, 0);
    this.metrics.consumerJoins.inc({ group }, 0);
    this.lagTimer = setInterval(() => this.checkLag(), this.options.lagCheckMs ?? 5_000);
    this.lagTimer.unref();
    await this.join();
  }

  private async join(): Promise<void> {
    if (this.closed) return;
    this.lost();
    this.consumer = new GroupConsumer({
      ...this.options,
      topics: [...this.intakes.keys()],
      probe: this.groupPositions,
      onBatch: (batch) => {
        this.stops.readable(batch);
        return this.deliveryOf(batch).deliver(batch);
      },
      onUndecodable: (found) => this.stops.meet(found),
      onLost: () => this.lost(),
      onReplaced: () => this.metrics.consumerReplacements.inc({ group: this.options.group }),
      onAssigned: (assignment) => this.assigned(assignment),
      onFatal: (error) => this.options.onFatal?.(error),
    });
    await this.consumer.start();
  }

  private assigned(assignment: Readonly<Record<string, number[]>>): void {
    this.metrics.consumerJoins.inc({ group: this.options.group });
    this.metrics.consumerJoined.set({ group: this.options.group }, 1);
    this.report(assignment);
    this.checkLag();
  }

  /** The other members get its partitions and report them: what it read last would look like a growing lag. */
  private lost(): void {
    this.metrics.consumerJoined.set({ group: this.options.group }, 0);
    this.report({});
  }

  /** Lag and undecodable batches are reported of these partitions. Known progress is out of date: others may have read on. */
  private report(assignment: Readonly<Record<string, number[]>>): void {
    for (const delivery of this.deliveries.values()) delivery.progress = undefined;
    this.stops.assign(assignment);
    this.lagWatch.assign(assignment);
  }

  private checkLag(): void {
    this.lagWatch.check().catch((error: unknown) => {
      this.options.logger.debug({ group: this.options.group, cause: String(error) }, 'the ends are unavailable');
    });
  }

  private deliveryOf({ topic, partition }: BatchPlace): PartitionDelivery {
    const name = `${topic}/${partition}`;
    let delivery = this.deliveries.get(name);
    if (!delivery) {
      const { row, handler } = this.intakes.get(topic)!;
      delivery = new PartitionDelivery({
        group: this.options.group,
        row,
        topic,
        partition,
        handle: (batch) => callHandler(handler, batch),
        hasOwnPositions: this.options.positions !== undefined,
        pause: (durationMs) => this.consumer!.pause(topic, partition, durationMs),
        deadLetters: this.deadLetters,
        maxBatchRecords: this.options.maxBatchRecords ?? 500,
        takeTurn: this.options.takeTurn,
        successes: { note: () => void this.successes++, total: () => this.successes },
        retry: { ...defaultRetryPolicy, ...this.options.retry },
        logger: this.options.logger,
        metrics: this.metrics,
      });
      this.deliveries.set(name, delivery);
    }
    return delivery;
  }
}

/** Runs the handler with the framework's pipes, guards and interceptors; rethrows the handler's error. */
async function callHandler(handler: MessageHandler, batch: RecordBatch): Promise<unknown> {
  const result: unknown = await handler(batch);
  const value: unknown =
    typeof (result as { subscribe?: unknown } | null)?.subscribe === 'function'
      ? await lastValueFrom(result as Parameters<typeof lastValueFrom>[0])
      : result;
  if (value instanceof HandlerFailure) throw value.error;
  return value;
}
