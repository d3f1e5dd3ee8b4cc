import { TopicRow } from '@podium/messages';
import { IHeaders } from 'kafkajs';

/** The part of a topic's row that the producer needs. */
export type ProducerTopic = Pick<TopicRow, 'name' | 'partitions'>;

/** A record to send. */
export interface OutgoingRecord {
  topic: ProducerTopic;
  key: string | Buffer | null;
  /** Null is a tombstone. */
  value: Buffer | null;
  headers?: IHeaders;
  /** Set only where the key does not decide, for example for a dead letter that keeps its source's partition. */
  partition?: number;
}

/** How long a record may take. */
export interface SendLimits {
  /** Unix milliseconds; then the record fails. */
  readonly deadlineMs: number;
  /**
   * How long it waits, milliseconds, for a partition that has failed for more than a second; until `deadlineMs` by default.
   * For records that others wait for: a partition can fail for minutes.
   */
  readonly asideMs?: number;
}

/** Bytes of a record in addition to key, value and headers. */
const recordOverheadBytes = 70;

/** Bytes of a header in addition to its name and value. */
const headerOverheadBytes = 4;

/** Bytes of a record as counted against the producer's bounds. */
export function sizeOf({ key, value, headers }: Pick<OutgoingRecord, 'key' | 'value' | 'headers'>): number {
  let bytes = recordOverheadBytes + (value?.length ?? 0);
  if (key !== null) bytes += typeof key === 'string' ? Buffer.byteLength(key) : key.length;
  for (const [name, content] of Object.entries(headers ?? {})) {
    for (const part of Array.isArray(content) ? content : [content ?? ''])
      bytes += headerOverheadBytes + name.length + ((part as string | Buffer | null) ?? '').length;
  }
  return bytes;
}

/** Headers as kafkajs can send them: a header without a value, which other clients send, becomes empty. */
export function sendableHeaders(headers: IHeaders | undefined): IHeaders {
  const present = (value: Buffer | string | null | undefined): Buffer | string => value ?? Buffer.alloc(0);
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(present) : present(value),
    ]),
  );
}
