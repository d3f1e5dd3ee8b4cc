import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchPassedData, batchPassed, decodeRecord, recordKey, topics } from '@podium/messages';
import { Logger } from 'pino';
import { Kafka } from './create-kafka';
import { FetchedBatch } from './fetched-batch';
import { GroupConsumer } from './group-consumer';
import { GroupPositions } from './group-positions';
import { UndecodableBatch } from './record-batches/undecodable-batch';

/** Where a batch lies. */
export interface BatchPlace {
  readonly topic: string;
  readonly partition: number;
}

/** The Kafka key of a leave to go past a batch. */
export function passedBatchKey({ topic, partition }: BatchPlace, firstOffset: bigint): string {
  return recordKey(topic, String(partition), String(firstOffset));
}

/**
 * Which undecodable batches the operators let consumers go past: read whole from its topic, in a group of its own, by whoever
 * is stopped by one. Nobody who is not stopped reads it.
 */
export class PassedBatches {
  private readonly passed = new Map<string, BatchPassedData>();
  private readonly positions: GroupPositions;
  private readonly consumer: GroupConsumer;
  private readonly abort = new AbortController();
  private readonly group: string;
  private next = 0n;
  private started: Promise<void> | undefined;

  /** `reader` is the name of the consumer group that is stopped: its service's name stands first in it. */
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
      // A leave that cannot be read is none: the partition stays where it is, and it can be given again.
      onUndecodable: async ({ topic, batch: { lastOffset, reason, detail }, commit }) => {
        logger.error(
          { topic, last_offset: String(lastOffset), reason, detail },
          'leaves to pass batches are unreadable',
        );
        this.next = lastOffset + 1n;
        await commit(this.next);
      },
      onFatal: (error) => logger.error({ err: error }, 'reading which batches may be passed failed'),
    });
  }

  /** Begins to read, and resolves once everything is known that was there then; waits while Kafka is away. */
  start(): Promise<void> {
    this.started ??= this.catchUp();
    return this.started;
  }

  /** The leave to go past this batch; only what has the same bytes at the same place is the same batch. */
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
