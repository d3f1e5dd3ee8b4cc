import { ConsumerGroup } from '@podium/messages';
import { MessageHandler, Server } from '@nestjs/microservices';
import { Logger } from 'pino';
import { Registry } from 'prom-client';
import { lastValueFrom } from 'rxjs';
import { BatchHandlerExtras, HandlerFailure, transportOf } from './batch-handler';
import { Kafka } from './create-kafka';
import { DeadLetters } from './dead-letters';
import { FetchedBatch, GroupConsumer, PositionStore } from './group-consumer';
import { KafkaMetrics, kafkaMetrics, PartitionLag } from './kafka-metrics';
import { RecordBatch } from './outcomes';
import { PartitionDelivery } from './partition-delivery';
import { RecordProducer } from './record-producer';

/** How often and after which pauses a record is delivered again. */
export interface RetryPolicy {
  /** Deliveries of a record that fails by itself, before it goes to the dead letters. */
  maxAttempts: number;
  /** First pause, milliseconds; doubled each time. */
  baseMs: number;
  /** Longest pause, milliseconds. */
  maxMs: number;
}

/** A group's consumer; sizes have defaults. */
export interface BatchKafkaServerOptions {
  kafka: Pick<Kafka, 'consumer'>;
  /** Takes the dead letters. */
  producer: Pick<RecordProducer, 'send'>;
  group: ConsumerGroup;
  logger: Logger;
  registry: Registry;
  /** Given: positions in the store win over the group's commits, which then only show lag. */
  positions?: PositionStore;
  retry?: Partial<RetryPolicy>;
  /** Most records a handler gets at once. */
  maxBatchRecords?: number;
  partitionsConsumedConcurrently?: number;
  maxBytesPerPartition?: number;
  maxWaitMs?: number;
  sessionTimeoutMs?: number;
  /** The consumer gave up for good: end the process. Without it only `healthy()` tells. */
  onFatal?: (error: Error) => void;
}

/**
 * A transport of @nestjs/microservices that hands records to handlers in batches (`@BatchHandler`) and turns their outcomes
 * into commits, retries and dead letters. A partition that stands still never blocks another.
 */
export class BatchKafkaServer extends Server {
  private readonly metrics: KafkaMetrics;
  private readonly deadLetters: DeadLetters;
  private readonly deliveries = new Map<string, PartitionDelivery>();
  private readonly lagSource = (): Iterable<PartitionLag> => this.lags();
  private assignment: Readonly<Record<string, number[]>> = {};
  private consumer: GroupConsumer | undefined;

  constructor(private readonly options: BatchKafkaServerOptions) {
    super();
    this.transportId = transportOf(options.group);
    this.metrics = kafkaMetrics(options.registry);
    this.deadLetters = new DeadLetters(options.producer, options.group);
  }

  /** Called by the framework: joins the group with the topics of the registered handlers, once Kafka is there. */
  listen(callback: (error?: Error) => void): void {
    this.start().then(
      () => callback(),
      (error: Error) => callback(error),
    );
  }

  /** Finishes the batch in hand with its commit and leaves the group. */
  async close(): Promise<void> {
    this.metrics.lagSources.delete(this.lagSource);
    await this.consumer?.stop();
  }

  /** False once the consumer gave up for good. */
  healthy(): boolean {
    return this.consumer?.healthy() ?? true;
  }

  /** Milliseconds since the broker last answered a fetch; Infinity before the first. */
  fetchAgeMs(): number {
    return this.consumer?.fetchAgeMs() ?? Infinity;
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
    this.metrics.lagSources.add(this.lagSource);
    this.consumer = new GroupConsumer({
      ...this.options,
      topics: [...this.messageHandlers.keys()],
      onBatch: (batch) => this.deliveryOf(batch).deliver(batch),
      onAssigned: (assignment) => (this.assignment = assignment),
      onFatal: (error) => this.options.onFatal?.(error),
    });
    await this.consumer.start();
  }

  private deliveryOf({ topic, partition }: FetchedBatch): PartitionDelivery {
    const name = `${topic}/${partition}`;
    let delivery = this.deliveries.get(name);
    if (!delivery) {
      const handler = this.messageHandlers.get(topic)!;
      delivery = new PartitionDelivery({
        group: this.options.group,
        row: (handler.extras as unknown as BatchHandlerExtras).row,
        partition,
        handle: (batch) => callHandler(handler, batch),
        hasOwnPositions: this.options.positions !== undefined,
        pause: (durationMs) => this.consumer!.pause(topic, partition, durationMs),
        deadLetters: this.deadLetters,
        maxBatchRecords: this.options.maxBatchRecords ?? 500,
        retry: { maxAttempts: 5, baseMs: 100, maxMs: 5_000, ...this.options.retry },
        logger: this.options.logger,
        metrics: this.metrics,
      });
      this.deliveries.set(name, delivery);
    }
    return delivery;
  }

  private *lags(): Iterable<PartitionLag> {
    for (const [topic, partitions] of Object.entries(this.assignment)) {
      for (const partition of partitions) {
        const lag = this.deliveries.get(`${topic}/${partition}`)?.lag ?? { records: 0 };
        yield { group: this.options.group, topic, partition, ...lag };
      }
    }
  }
}

/** Runs the handler with the framework's pipes, guards and interceptors; throws what the handler threw. */
async function callHandler(handler: MessageHandler, batch: RecordBatch): Promise<unknown> {
  const result: unknown = await handler(batch);
  const value: unknown =
    typeof (result as { subscribe?: unknown } | null)?.subscribe === 'function'
      ? await lastValueFrom(result as Parameters<typeof lastValueFrom>[0])
      : result;
  if (value instanceof HandlerFailure) throw value.error;
  return value;
}
