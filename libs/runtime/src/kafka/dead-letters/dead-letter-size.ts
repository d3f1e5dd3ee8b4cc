import { createHash } from 'node:crypto';
import { IHeaders, KafkaMessage } from 'kafkajs';
import { DeadLetterReference } from './dead-letter-reference';
import { sendableHeaders } from '../producing/outgoing-record';

/** A whole record, or the parts of it that a letter with a reference carries. */
export interface LetterContent {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** The source's headers. */
  readonly headers: IHeaders;
  readonly isWhole: boolean;
}

/** Larger records are not sent whole: they would fill the producer's queue, or the broker would close the connection. */
const wholeBytes = 16 * 1024 * 1024;

/**
 * Maximum bytes of the parts that accompany a reference, each attempt smaller; every topic accepts the last one. Keys are
 * compared by at least this prefix where only the newest record of a key counts.
 */
const excerpts = [
  { key: 4 * 1024, value: 64 * 1024, headers: 16 * 1024 },
  { key: 1024, value: 0, headers: 0 },
] as const;

/** Possible contents of a letter, in the order of attempts until one is not refused for its size. */
export function* fittingContents(message: KafkaMessage, sizeBytes: number): Generator<LetterContent> {
  const headers = sendableHeaders(message.headers);
  const { key, value } = message;
  if (sizeBytes <= wholeBytes) yield { key, value, headers, isWhole: true };
  for (const limits of excerpts)
    yield {
      key: key && key.subarray(0, limits.key),
      value: limits.value === 0 ? null : value && value.subarray(0, limits.value),
      headers: firstHeaders(headers, limits.headers),
      isWhole: false,
    };
}

/** The reference to a record, identified by its value. */
export function referenceTo(
  place: { readonly topic: string; readonly partition: number },
  { offset, value }: KafkaMessage,
): DeadLetterReference {
  const bytes = value ?? Buffer.alloc(0);
  return {
    kind: 'record',
    ...place,
    firstOffset: BigInt(offset),
    lastOffset: BigInt(offset),
    digest: valueDigest(bytes),
    sizeBytes: bytes.length,
  };
}

/** The digest that identifies a record: SHA-256 of its value, hex. */
export function valueDigest(value: Buffer | null): string {
  return createHash('sha256')
    .update(value ?? Buffer.alloc(0))
    .digest('hex');
}

/** The first headers that fit together, each with its name. */
function firstHeaders(headers: IHeaders, mostBytes: number): IHeaders {
  const taken: [string, IHeaders[string]][] = [];
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) {
    for (const part of Array.isArray(value) ? value : [value ?? '']) bytes += Buffer.byteLength(name) + part.length + 8;
    if (bytes > mostBytes) break;
    taken.push([name, value]);
  }
  return Object.fromEntries(taken);
}
