import { IHeaders, RecordMetadata, TopicMessages } from 'kafkajs';
import { RecordPlace } from './pending-records';

/** A record with its partition. */
export interface PartitionRecord {
  readonly topic: string;
  readonly partition: number;
  readonly key: string | Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: IHeaders;
}

/** Records as kafkajs messages, in their order. */
export function topicMessagesOf(records: readonly PartitionRecord[]): TopicMessages[] {
  const byTopic = new Map<string, TopicMessages>();
  for (const { topic, partition, key, value, headers } of records) {
    let entry = byTopic.get(topic);
    if (!entry) byTopic.set(topic, (entry = { topic, messages: [] }));
    // kafkajs copies each message and sets these two fields on the copy. In V8, adding fields to a copy takes microseconds;
    // setting existing ones is nearly free.
    const message = { key, value, partition, headers, offsetDelta: 0, timestampDelta: 0 };
    entry.messages.push(message);
  }
  return [...byTopic.values()];
}

/**
 * The offset of each record of a request; undefined for those whose partition the response does not confirm. A send can
 * resolve without confirming every partition.
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
