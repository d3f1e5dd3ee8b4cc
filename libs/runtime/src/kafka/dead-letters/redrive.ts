import { ConsumerGroup, TopicRow, redriveTopicName } from '@podium/messages';
import { IHeaders } from 'kafkajs';
import { OutgoingRecord, ProducerTopic, sendableHeaders } from '../producing/outgoing-record';

/** Names of the headers that a redriven record has in addition to those of its dead letter; all are text. */
export const redriveHeaders = {
  /** The dead letter: `<partition>:<offset>` in the dead-letter topic. */
  of: 'redrive_of',
  /** The dead letter, on all records of it but the last: a letter that refers to several is redriven only when all are. */
  partOf: 'redrive_part_of',
  /** Unix milliseconds. */
  at: 'redrive_at',
} as const;

/**
 * The redrive topic of a group: its members read it together with the source, through the same handler. It has one
 * partition, so that redriven records stay in order.
 */
export function redriveTopic(group: ConsumerGroup, source: Pick<TopicRow, 'name'>): ProducerTopic {
  return { name: redriveTopicName(group, source), partitions: 1 };
}

/** A dead letter as stored in its topic. */
export interface DeadLetter {
  readonly partition: number;
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Headers of the source and of the letter. */
  readonly rawHeaders: IHeaders;
}

/**
 * The record that redrives a dead letter: key and value unchanged, with the letter's position in a header. `isLast` is false
 * for a record that others of its letter follow.
 */
export function redrivenRecord(
  group: ConsumerGroup,
  source: Pick<TopicRow, 'name'>,
  letter: DeadLetter,
  { nowMs, isLast }: { readonly nowMs: number; readonly isLast: boolean },
): OutgoingRecord {
  // A letter of a record that was redriven before has its headers.
  const { [redriveHeaders.of]: _of, [redriveHeaders.partOf]: _partOf, ...headers } = sendableHeaders(letter.rawHeaders);
  return {
    topic: redriveTopic(group, source),
    partition: 0,
    key: letter.key,
    value: letter.value,
    headers: {
      ...headers,
      [isLast ? redriveHeaders.of : redriveHeaders.partOf]: `${letter.partition}:${letter.offset}`,
      [redriveHeaders.at]: String(nowMs),
    },
  };
}
