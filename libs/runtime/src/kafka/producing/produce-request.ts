import { IHeaders, RecordMetadata, TopicMessages } from 'kafkajs';
import { createErrorFromCode } from 'kafkajs/src/protocol/error';
import { PartitionMessage } from '../partition-errors/partition-message';
import { RecordPlace, partitionName } from './pending-records';
import { PartitionFailedError } from './producer-errors';

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
    entry.messages.push(new PartitionMessage(key, value, partition, headers));
  }
  return [...byTopic.values()];
}

/**
 * The result of each record of a request: its place, or PartitionFailedError when the response does not confirm its
 * partition. A send can resolve without confirming every partition.
 */
export function outcomesOf(
  records: readonly PartitionRecord[],
  reply: readonly RecordMetadata[],
): (RecordPlace | PartitionFailedError)[] {
  const offsets = new Map<string, bigint>();
  const failures = new Map<string, PartitionFailedError>();
  for (const { topicName: topic, partition, errorCode, baseOffset } of reply) {
    const name = partitionName({ topic, partition });
    if (errorCode === 0 && baseOffset !== undefined) offsets.set(name, BigInt(baseOffset));
    else failures.set(name, new PartitionFailedError(name, createErrorFromCode(errorCode).type));
  }
  return records.map(({ topic, partition }) => {
    const name = partitionName({ topic, partition });
    const offset = offsets.get(name);
    if (offset === undefined) return failures.get(name) ?? new PartitionFailedError(name, 'NOT_CONFIRMED');
    offsets.set(name, offset + 1n);
    return { partition, offset };
  });
}
