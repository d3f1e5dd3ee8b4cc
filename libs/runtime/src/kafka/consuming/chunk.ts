import { TopicRow, decodeRecord } from '@podium/messages';
import { KafkaMessage } from 'kafkajs';
import { errorMessage } from '../../errors';
import { FetchedBatch } from '../group-membership/fetched-batch';
import { ConsumedRecord } from './outcomes';
import { textHeaders } from '../record-headers/text-headers';

/** A part of a fetch for the handler: each message with its decoded record, or the reason why it has none. */
export interface Chunk {
  readonly messages: readonly KafkaMessage[];
  readonly offsets: readonly bigint[];
  readonly decoded: readonly ({ record: ConsumedRecord } | { reason: string })[];
  readonly lastOffset: bigint;
  /** The stored position that it follows, for a handler that stores its own positions. */
  readonly position: bigint | null | undefined;
}

/** The next messages of a fetch, at most `maxRecords`, starting at the index `from`. */
export function chunkOf(
  batch: FetchedBatch,
  row: TopicRow,
  { from, maxRecords, position }: { from: number; maxRecords: number; position: Chunk['position'] },
): Chunk {
  const messages = batch.messages.slice(from, from + maxRecords);
  const offsets = messages.map((message) => BigInt(message.offset));
  const isLast = from + messages.length === batch.messages.length;
  const lastOffset = isLast ? batch.lastOffset : offsets[offsets.length - 1];
  return { messages, offsets, lastOffset, position, decoded: messages.map((message) => decode(row, message)) };
}

/** Never throws: an exception would stop the partition at a record that no dead letter shows. */
function decode(row: TopicRow, message: KafkaMessage): { record: ConsumedRecord } | { reason: string } {
  try {
    return decodeMessage(row, message);
  } catch (error) {
    return { reason: `decoding failed: ${errorMessage(error)}` };
  }
}

function decodeMessage(row: TopicRow, message: KafkaMessage): { record: ConsumedRecord } | { reason: string } {
  const isTombstone = message.value === null && row.retention.kind === 'compact';
  const decoded = isTombstone ? ({ ok: true, record: null } as const) : decodeRecord(row.events, message.value);
  if (!decoded.ok) return { reason: decoded.reason };
  return {
    record: {
      offset: BigInt(message.offset),
      key: message.key?.toString() ?? '',
      timestampMs: Number(message.timestamp),
      headers: textHeaders(message.headers),
      sizeBytes: (message.key?.length ?? 0) + (message.value?.length ?? 0),
      record: decoded.record,
    },
  };
}
