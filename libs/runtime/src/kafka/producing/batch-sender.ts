import { CompressionTypes, Producer } from 'kafkajs';
import { asError } from '../../errors';
import { Kafka } from '../client/create-kafka';
import { KafkaMetrics } from '../metrics/kafka-metrics';
import { partitionOfMessage } from './partitioner';
import { RecordPlace } from './pending-records';
import { isRequestTimeout } from './producer-errors';
import { PartitionRecord, outcomesOf, topicMessagesOf } from './produce-request';

/** Settings of the requests. */
export interface BatchSenderOptions {
  readonly metrics: KafkaMetrics;
  readonly compress?: boolean;
  /** How long the broker may wait for its replicas, milliseconds. */
  readonly ackTimeoutMs?: number;
}

/**
 * Sends batches with acks=all over connections of its own. The client's own retries are off, because a retry over two
 * brokers can resolve without sending (kafkajs issue 1303).
 */
export class BatchSender {
  private readonly client: Pick<Producer, 'connect' | 'disconnect' | 'sendBatch'>;
  private connection: Promise<void> | undefined;
  private closing: Promise<unknown> = Promise.resolve();

  constructor(
    kafka: Pick<Kafka, 'producer'>,
    private readonly options: BatchSenderOptions,
  ) {
    this.client = kafka.producer({
      retry: { retries: 0 },
      metadataMaxAge: 5_000,
      allowAutoTopicCreation: false,
      createPartitioner: partitionOfMessage,
    });
  }

  connect(): Promise<void> {
    if (!this.connection) {
      const connection = this.closing.then(() => this.client.connect());
      this.connection = connection;
      connection.catch(() => (this.connection = this.connection === connection ? undefined : this.connection));
    }
    return this.connection;
  }

  /** Sends a batch in one request per broker, and returns the result of each record. Never rejects. */
  async send(batch: readonly PartitionRecord[]): Promise<readonly (RecordPlace | Error)[]> {
    const { metrics, compress, ackTimeoutMs = 3_000 } = this.options;
    const stopTimer = metrics.producerSendSeconds.startTimer();
    metrics.producerBatchRecords.observe(batch.length);
    const connection = this.connect();
    try {
      await connection;
      const reply = await this.client.sendBatch({
        acks: -1,
        timeout: ackTimeoutMs,
        compression: compress ? CompressionTypes.GZIP : CompressionTypes.None,
        topicMessages: topicMessagesOf(batch),
      });
      return outcomesOf(batch, reply);
    } catch (cause) {
      // The other end may have vanished: kafkajs would retry over these connections for as long as TCP stays silent.
      if (isRequestTimeout(cause) && this.connection === connection) await this.disconnect();
      const error = asError(cause);
      return batch.map(() => error);
    } finally {
      stopTimer();
    }
  }

  /** Closes the connections; a later send opens new ones. */
  async disconnect(): Promise<void> {
    const { connection, closing } = this;
    this.connection = undefined;
    this.closing = Promise.allSettled([closing, connection]).then(() =>
      this.client.disconnect().catch(() => undefined),
    );
    await this.closing;
  }
}
