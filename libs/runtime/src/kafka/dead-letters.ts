import { ConsumerGroup, TopicRow, deadLetterTopicName } from '@podium/messages';
import { KafkaMessage } from 'kafkajs';
import { DeadLetterReference, referenceHeader, referenceText } from './dead-letter-reference';
import { RecordProducer } from './record-producer';
import { redriveHeaders } from './redrive';

/** Names of the headers that a dead letter has beside the source's own; all are text. */
export const deadLetterHeaders = {
  topic: 'dead_letter_topic',
  partition: 'dead_letter_partition',
  offset: 'dead_letter_offset',
  key: 'dead_letter_key',
  reason: 'dead_letter_reason',
  attempts: 'dead_letter_attempts',
  /** Unix milliseconds. */
  failedAt: 'dead_letter_failed_at',
  /** How often the record was redriven and died again; missing is never. */
  redrives: 'dead_letter_redrives',
} as const;

/** The row-like view of the topic that takes a group's dead letters of a source: as many partitions as the source has. */
export function deadLetterTopic(
  group: ConsumerGroup,
  source: Pick<TopicRow, 'name' | 'partitions'>,
): Pick<TopicRow, 'name' | 'partitions'> {
  return { name: deadLetterTopicName(group, source), partitions: source.partitions };
}

/**
 * Writes what a group could not process, value and key unchanged, to its dead-letter topic. A redriven record that dies
 * again keeps the place of the source from which it first came.
 */
export class DeadLetters {
  constructor(
    private readonly producer: Pick<RecordProducer, 'send'>,
    private readonly group: ConsumerGroup,
  ) {}

  /** Resolves once Kafka has the dead letter; rejects as the producer does. */
  async write(
    source: Pick<TopicRow, 'name' | 'partitions'>,
    partition: number,
    message: KafkaMessage,
    cause: { reason: string; attempts: number },
  ): Promise<void> {
    const nowMs = Date.now();
    const place = placeOf(source, partition, message);
    await this.producer.send(
      {
        topic: deadLetterTopic(this.group, source),
        partition: place.partition,
        key: message.key,
        value: message.value,
        headers: {
          ...message.headers,
          [deadLetterHeaders.topic]: source.name,
          [deadLetterHeaders.partition]: String(place.partition),
          [deadLetterHeaders.offset]: place.offset,
          ...(place.redrives > 0 && { [deadLetterHeaders.redrives]: String(place.redrives) }),
          [deadLetterHeaders.key]: message.key ?? '',
          [deadLetterHeaders.reason]: cause.reason.slice(0, 1_000),
          [deadLetterHeaders.attempts]: String(cause.attempts),
          [deadLetterHeaders.failedAt]: String(nowMs),
        },
      },
      { deadlineMs: nowMs + 5_000 },
    );
  }

  /** Leaves a dead letter in the place of a batch that nobody can decode; resolves once Kafka has it. */
  async writeBatch(
    source: Pick<TopicRow, 'name' | 'partitions'>,
    batch: DeadLetterReference,
    reason: string,
  ): Promise<void> {
    const nowMs = Date.now();
    await this.producer.send(
      {
        topic: deadLetterTopic(this.group, source),
        partition: batch.partition,
        key: null,
        value: null,
        headers: {
          [referenceHeader]: referenceText(batch),
          [deadLetterHeaders.topic]: source.name,
          [deadLetterHeaders.partition]: String(batch.partition),
          [deadLetterHeaders.offset]: String(batch.firstOffset),
          [deadLetterHeaders.key]: '',
          [deadLetterHeaders.reason]: reason.slice(0, 1_000),
          [deadLetterHeaders.attempts]: '1',
          [deadLetterHeaders.failedAt]: String(nowMs),
        },
      },
      { deadlineMs: nowMs + 5_000 },
    );
  }
}

interface SourcePlace {
  readonly partition: number;
  readonly offset: string;
  readonly redrives: number;
}

/** Where a record lies in the source; for a redriven one its headers say it. */
function placeOf(source: Pick<TopicRow, 'partitions'>, partition: number, message: KafkaMessage): SourcePlace {
  const header = (name: string): string | undefined => message.headers?.[name]?.toString();
  if (header(redriveHeaders.of) === undefined) return { partition, offset: message.offset, redrives: 0 };
  const original = Number(header(deadLetterHeaders.partition));
  return {
    partition: Number.isInteger(original) && original >= 0 && original < source.partitions ? original : 0,
    offset: header(deadLetterHeaders.offset) ?? '-1',
    redrives: Number(header(deadLetterHeaders.redrives) ?? 0) + 1,
  };
}
