import { KafkaMessage } from 'kafkajs';
import { Logger } from 'pino';
import { DeadLetters, LetterSource } from './dead-letters';
import { KafkaMetrics } from '../metrics/kafka-metrics';
import { UndecodableBatch } from '../record-batches/undecodable-reason';

/** The consumer whose dead letters are written, and where. */
export interface PartitionLettersOptions extends LetterSource {
  readonly group: string;
  readonly deadLetters: Pick<DeadLetters, 'write' | 'writeBatch'>;
  readonly logger: Logger;
  readonly metrics: KafkaMetrics;
}

/** The dead letters of one partition. Each is written once, however often its record is delivered before it is passed. */
export class PartitionLetters {
  /** Offsets that are not yet passed but whose dead letter Kafka already has. */
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

  /** Writes a dead letter that refers to an undecodable batch, which ends at `lastOffset`. */
  async writeBatch(batch: UndecodableBatch, lastOffset: bigint): Promise<void> {
    const { firstOffset, digest, sizeBytes, reason, detail } = batch;
    if (this.written.has(firstOffset)) return;
    const { topic, row, partition, deadLetters } = this.options;
    const place = { topic, partition, firstOffset, lastOffset, digest, sizeBytes };
    await deadLetters.writeBatch(row, { kind: 'batch', ...place }, `${reason}: ${detail}`);
    this.note(firstOffset);
  }

  /** All offsets before `nextOffset` are passed. */
  passed(nextOffset: bigint): void {
    for (const offset of this.written) if (offset < nextOffset) this.written.delete(offset);
  }

  private note(offset: bigint): void {
    const { group, topic, metrics } = this.options;
    this.written.add(offset);
    metrics.deadLetters.inc({ group, topic });
  }
}
