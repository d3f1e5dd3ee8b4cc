import { KafkaMessage } from 'kafkajs';
import { Logger } from 'pino';
import { DeadLetters, LetterSource } from './dead-letters';
import { KafkaMetrics } from './kafka-metrics';
import { UndecodableBatch } from './record-batches/undecodable-batch';

/** Whose dead letters are written where. */
export interface PartitionLettersOptions extends LetterSource {
  readonly group: string;
  readonly deadLetters: Pick<DeadLetters, 'write' | 'writeBatch'>;
  readonly logger: Logger;
  readonly metrics: KafkaMetrics;
}

/** The dead letters of one partition: each is written once, however often its record is delivered before it is passed. */
export class PartitionLetters {
  /** Offsets not yet passed whose dead letter Kafka already has. */
  private readonly written = new Set<bigint>();

  constructor(private readonly options: PartitionLettersOptions) {}

  async write(message: KafkaMessage, reason: string, attempts: number): Promise<void> {
    const offset = BigInt(message.offset);
    if (this.written.has(offset)) return;
    const { group, topic, row, partition, deadLetters, logger } = this.options;
    await deadLetters.write({ row, topic, partition }, message, { reason, attempts });
    this.note(offset);
    logger.error(
      { group, topic, partition, offset: message.offset, reason, attempts },
      'a record went to the dead letters',
    );
  }

  /** Refers to a batch that cannot be decoded, up to `lastOffset`. */
  async writeBatch(batch: UndecodableBatch, lastOffset: bigint): Promise<void> {
    const { firstOffset, digest, sizeBytes, reason, detail } = batch;
    if (this.written.has(firstOffset)) return;
    const { topic, row, partition, deadLetters } = this.options;
    const place = { topic, partition, firstOffset, lastOffset, digest, sizeBytes };
    await deadLetters.writeBatch(row, { kind: 'batch', ...place }, `${reason}: ${detail}`);
    this.note(firstOffset);
  }

  /** Everything before `nextOffset` is passed. */
  passed(nextOffset: bigint): void {
    for (const offset of this.written) if (offset < nextOffset) this.written.delete(offset);
  }

  private note(offset: bigint): void {
    const { group, topic, metrics } = this.options;
    this.written.add(offset);
    metrics.deadLetters.inc({ group, topic });
  }
}
