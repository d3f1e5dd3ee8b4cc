import { ConsumerGroup, TopicRow, redriveTopicName } from '@podium/messages';
import { IHeaders } from 'kafkajs';
import { OutgoingRecord, ProducerTopic, sendableHeaders } from './outgoing-record';

/** Names of the headers that a redriven record has beside those of its dead letter; all are text. */
export const redriveHeaders = {
  /** The dead letter: `<partition>:<offset>` in the dead-letter topic. */
  of: 'redrive_of',
  /** Unix milliseconds. */
  at: 'redrive_at',
} as const;

/**
 * The topic by which dead letters come back to their group alone: its members read it beside the source, through the same
 * handler. One partition, so that what is handed over stays in its order.
 */
export function redriveTopic(group: ConsumerGroup, source: Pick<TopicRow, 'name'>): ProducerTopic {
  return { name: redriveTopicName(group, source), partitions: 1 };
}

/** A dead letter as it lies in its topic. */
export interface DeadLetter {
  readonly partition: number;
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** The source's and those of the letter. */
  readonly rawHeaders: IHeaders;
}

/** The record that hands a dead letter to its group again: key and value unchanged, with the name of the dead letter. */
export function redrivenRecord(
  group: ConsumerGroup,
  source: Pick<TopicRow, 'name'>,
  letter: DeadLetter,
  nowMs: number,
): OutgoingRecord {
  return {
    topic: redriveTopic(group, source),
    partition: 0,
    key: letter.key,
    value: letter.value,
    headers: {
      ...sendableHeaders(letter.rawHeaders),
      [redriveHeaders.of]: `${letter.partition}:${letter.offset}`,
      [redriveHeaders.at]: String(nowMs),
    },
  };
}
