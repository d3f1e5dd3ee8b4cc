import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchPassedData, batchPassed, decodeRecord, recordKey, topics } from '@podium/messages';
import { Logger } from 'pino';
import { Kafka } from '../client/create-kafka';
import { FetchedBatch } from '../group-membership/fetched-batch';
import { GroupConsumer } from '../group-membership/group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { UndecodableBatch } from '../record-batches/undecodable-reason';

/** Position of a batch. */
export interface BatchPlace {
  readonly topic: string;
  readonly partition: number;
}

/** The Kafka key of a permission to pass a batch. */
export function passedBatchKey({ topic, partition }: BatchPlace, firstOffset: bigint): string {
  return recordKey(topic, String(partition), String(firstOffset));
}

/**
 * Reads which undecodable batches the operators let consumers pass. Only a consumer that is paused at such a batch reads
 * this topic, completely and in its own group.
 */
export class PassedBatches {
  private readonly passed = new Map<string, BatchPassedData>();
  private readonly positions: GroupPositions;
  private readonly consumer: GroupConsumer;
  private readonly abort = new AbortController();
  private readonly group: string;
  private next = 0n;
  private started: Promise<void> | undefined;

  /** `reader` is the name of the paused consumer group, which begins with its service's name. */
  constructor(kafka: Kafka, reader: string, logger: Logger) {
    this.group = `${reader.split('.')[0]}.passed-batches.${randomBytes(6).toString('hex')}`;
    this.positions = new GroupPositions(kafka, logger);
    this.consumer = new GroupConsumer({
      kafka,
      logger,
      group: this.group,
      topics: [topics.passedBatches.name],
      probe: this.positions,
      positions: { load: () => Promise.resolve(this.next) },
      sessionTimeoutMs: 6_000,
      onBatch: (batch) => this.take(batch),
      // An unreadable permission does not count: the partition stays paused, and operators can repeat it.
      onUndecodable: async ({ topic, batch: { lastOffset, reason, detail }, commit }) => {
        logger.error(
          { topic, last_offset: String(lastOffset), reason, detail },
          'permissions to pass batches are unreadable',
        );
        this.next = lastOffset + 1n;
        await commit(this.next);
      },
      onFatal: (error) => logger.error({ err: error }, 'reading which batches may be passed failed'),
    });
  }

  /** Starts reading, and resolves once it has read the topic to its current end; waits while Kafka is unavailable. */
  start(): Promise<void> {
    this.started ??= this.catchUp();
    return this.started;
  }

  /** The permission to pass this batch; it applies only to the same bytes at the same position. */
  leaveFor(place: BatchPlace, batch: UndecodableBatch): BatchPassedData | undefined {
    const leave = this.passed.get(passedBatchKey(place, batch.firstOffset));
    return leave?.digest === batch.digest ? leave : undefined;
  }

  async stop(): Promise<void> {
    this.abort.abort();
    if (!this.started) return;
    await this.consumer.stop();
    await this.started.catch(() => undefined);
    await this.positions.forget(this.group);
    await this.positions.close();
  }

  private async catchUp(): Promise<void> {
    await this.consumer.start();
    const [end] = await this.positions.endsWhenThere(topics.passedBatches.name, this.abort.signal);
    while (end.low < end.high && this.next < end.high) {
      await sleep(20, undefined, { signal: this.abort.signal });
    }
  }

  private async take({ messages, lastOffset, commit }: FetchedBatch): Promise<void> {
    for (const { key, value } of messages) {
      const decoded = decodeRecord([batchPassed], value);
      if (decoded.ok) this.passed.set(decoded.record.key, decoded.record.data);
      else if (value === null) this.passed.delete(key?.toString() ?? '');
    }
    this.next = lastOffset + 1n;
    await commit(this.next);
  }
}
