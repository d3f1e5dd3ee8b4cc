import { ICustomPartitioner, IHeaders, RecordMetadata, TopicMessages } from 'kafkajs';
import { RecordPlace } from './pending-records';

/** A record with the partition that it goes to. */
export interface PartitionRecord {
  readonly topic: string;
  readonly partition: number;
  readonly key: string | Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: IHeaders;
}

/** Every message carries its partition. */
export const partitionOfMessage: ICustomPartitioner =
  () =>
  ({ message }) =>
    message.partition ?? 0;

/** Records as the client takes them, in their order. */
export function topicMessagesOf(records: readonly PartitionRecord[]): TopicMessages[] {
  const byTopic = new Map<string, TopicMessages>();
  for (const { topic, partition, key, value, headers } of records) {
    let entry = byTopic.get(topic);
    if (!entry) byTopic.set(topic, (entry = { topic, messages: [] }));
    // The client copies each message and sets these two on the copy; V8 takes microseconds to add fields to a copy and
    // nearly nothing to set those that are there.
    const message = { key, value, partition, headers, offsetDelta: 0, timestampDelta: 0 };
    entry.messages.push(message);
  }
  return [...byTopic.values()];
}

/**
 * Where each record of a request landed; undefined for those whose partition the reply does not confirm: a send can resolve
 * without one that it was given.
 */
export function placesOf(
  records: readonly PartitionRecord[],
  reply: readonly RecordMetadata[],
): (RecordPlace | undefined)[] {
  const offsets = new Map<string, bigint>();
  for (const part of reply) {
    if (part.errorCode === 0 && part.baseOffset !== undefined)
      offsets.set(`${part.topicName}/${part.partition}`, BigInt(part.baseOffset));
  }
  return records.map(({ topic, partition }) => {
    const name = `${topic}/${partition}`;
    const offset = offsets.get(name);
    if (offset === undefined) return undefined;
    offsets.set(name, offset + 1n);
    return { partition, offset };
  });
}
