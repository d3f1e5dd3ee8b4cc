import { TopicRow } from '@podium/messages';
import { IHeaders } from 'kafkajs';

/** What the producer must know of a topic. */
export type ProducerTopic = Pick<TopicRow, 'name' | 'partitions'>;

/** A record to send. */
export interface OutgoingRecord {
  topic: ProducerTopic;
  key: string | Buffer | null;
  /** Null is a tombstone. */
  value: Buffer | null;
  headers?: IHeaders;
  /** Only where the key does not decide, for example a dead letter that keeps its source's partition. */
  partition?: number;
}

/** Bytes that a record costs beside key, value and headers. */
const recordOverheadBytes = 70;

/** Bytes that a header costs beside its name and value. */
const headerOverheadBytes = 4;

/** Bytes of a record as they count against the producer's bounds. */
export function sizeOf({ key, value, headers }: Pick<OutgoingRecord, 'key' | 'value' | 'headers'>): number {
  let bytes = recordOverheadBytes + (value?.length ?? 0);
  if (key !== null) bytes += typeof key === 'string' ? Buffer.byteLength(key) : key.length;
  for (const [name, content] of Object.entries(headers ?? {})) {
    for (const part of Array.isArray(content) ? content : [content ?? ''])
      bytes += headerOverheadBytes + name.length + ((part as string | Buffer | null) ?? '').length;
  }
  return bytes;
}

/** Headers as the client can send them: one without a value, which other clients send, has no bytes then. */
export function sendableHeaders(headers: IHeaders | undefined): IHeaders {
  const present = (value: Buffer | string | null | undefined): Buffer | string => value ?? Buffer.alloc(0);
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(present) : present(value),
    ]),
  );
}
