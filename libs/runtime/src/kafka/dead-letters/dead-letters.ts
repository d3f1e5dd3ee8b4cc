import { ConsumerGroup, TopicRow, deadLetterTopicName } from '@podium/messages';
import { IHeaders, KafkaMessage } from 'kafkajs';
import { DeadLetterReference, referenceHeader, referenceText } from './dead-letter-reference';
import { fittingContents, referenceTo } from './dead-letter-size';
import { sizeOf } from '../producing/outgoing-record';
import { RecordTooLargeError } from '../producing/producer-errors';
import { RecordProducer } from '../producing/record-producer';
import { redriveHeaders } from './redrive';
import { textHeaders } from '../record-headers/text-headers';

/** Names of the headers that a dead letter has in addition to those of the source; all are text. */
export const deadLetterHeaders = {
  topic: 'dead_letter_topic',
  partition: 'dead_letter_partition',
  offset: 'dead_letter_offset',
  key: 'dead_letter_key',
  reason: 'dead_letter_reason',
  attempts: 'dead_letter_attempts',
  /** Unix milliseconds. */
  failedAt: 'dead_letter_failed_at',
  /** How often the record was redriven and failed again; missing means never. */
  redrives: 'dead_letter_redrives',
} as const;

/** The dead-letter topic of a group and a source as a row, with as many partitions as the source has. */
export function deadLetterTopic(
  group: ConsumerGroup,
  source: Pick<TopicRow, 'name' | 'partitions'>,
): Pick<TopicRow, 'name' | 'partitions'> {
  return { name: deadLetterTopicName(group, source), partitions: source.partitions };
}

/** The source's row, and the topic that the record was read from, which differs for a redriven record. */
export interface LetterSource {
  readonly row: Pick<TopicRow, 'name' | 'partitions'>;
  readonly topic: string;
  readonly partition: number;
}

/**
 * Writes records that a group could not process, value and key unchanged, to its dead-letter topic. A record that is too
 * large for that topic is written as a reference with as much of its content as fits, so a letter always fits. A redriven
 * record that fails again keeps its original source position.
 */
export class DeadLetters {
  constructor(
    private readonly producer: Pick<RecordProducer, 'send'>,
    private readonly group: ConsumerGroup,
  ) {}

  /** Resolves once Kafka has the dead letter; rejects as the producer does. */
  async write(source: LetterSource, message: KafkaMessage, cause: { reason: string; attempts: number }): Promise<void> {
    const place = placeOf(source, message);
    const own = ownHeaders(source, place, message, cause);
    const reference = { [referenceHeader]: referenceText(referenceTo(source, message)) };
    let refused: unknown;
    for (const { key, value, headers, isWhole } of fittingContents(message, sizeOf(message))) {
      const letter = {
        topic: deadLetterTopic(this.group, source.row),
        partition: place.partition,
        key,
        value,
        headers: { ...sourceHeaders(source, headers), ...own, ...(!isWhole && reference) },
      };
      try {
        await this.producer.send(letter, { deadlineMs: Date.now() + 5_000 });
        return;
      } catch (error) {
        if (!(error instanceof RecordTooLargeError)) throw error;
        refused = error;
      }
    }
    throw refused;
  }

  /** Writes a dead letter that refers to an undecodable batch; resolves once Kafka has it. */
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
          [deadLetterHeaders.reason]: reason.slice(0, longestText),
          [deadLetterHeaders.attempts]: '1',
          [deadLetterHeaders.failedAt]: String(nowMs),
        },
      },
      { deadlineMs: nowMs + 5_000 },
    );
  }
}

/** Maximum length of a dead letter's header, characters. */
const longestText = 1_000;

function ownHeaders(
  { row }: LetterSource,
  place: SourcePlace,
  { key }: KafkaMessage,
  { reason, attempts }: { reason: string; attempts: number },
): Record<string, string | Buffer> {
  return {
    [deadLetterHeaders.topic]: row.name,
    [deadLetterHeaders.partition]: String(place.partition),
    [deadLetterHeaders.offset]: place.offset,
    ...(place.redrives > 0 && { [deadLetterHeaders.redrives]: String(place.redrives) }),
    [deadLetterHeaders.key]: key?.subarray(0, longestText) ?? '',
    [deadLetterHeaders.reason]: reason.slice(0, longestText),
    [deadLetterHeaders.attempts]: String(attempts),
    [deadLetterHeaders.failedAt]: String(Date.now()),
  };
}

const ownNames = new Set<string>([
  ...Object.values(deadLetterHeaders),
  ...Object.values(redriveHeaders),
  referenceHeader,
]);

/** The source's headers, without the redrive headers: writers of the source could forge them. */
function sourceHeaders(source: LetterSource, headers: IHeaders): IHeaders {
  if (isRedriven(source)) {
    const { [referenceHeader]: _, ...others } = headers;
    return others;
  }
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownNames.has(name)));
}

function isRedriven({ row, topic }: LetterSource): boolean {
  return topic !== row.name;
}

interface SourcePlace {
  readonly partition: number;
  readonly offset: string;
  readonly redrives: number;
}

/** The position of a record in the source; a redriven record has it in its headers. */
function placeOf(source: LetterSource, message: KafkaMessage): SourcePlace {
  if (!isRedriven(source)) return { partition: source.partition, offset: message.offset, redrives: 0 };
  const headers = textHeaders(message.headers);
  const original = Number(headers[deadLetterHeaders.partition]);
  const { partitions } = source.row;
  return {
    partition: Number.isInteger(original) && original >= 0 && original < partitions ? original : 0,
    offset: headers[deadLetterHeaders.offset] ?? '-1',
    redrives: Number(headers[deadLetterHeaders.redrives] ?? 0) + 1,
  };
}
