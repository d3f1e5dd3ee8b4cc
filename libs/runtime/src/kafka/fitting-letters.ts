import { createHash } from 'node:crypto';
import { IHeaders, KafkaMessage } from 'kafkajs';
import { DeadLetterReference } from './dead-letter-reference';
import { sendableHeaders } from './outgoing-record';

/** A record whole, or what of it goes with a letter that refers to it. */
export interface LetterContent {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** The source's own. */
  readonly headers: IHeaders;
  readonly isWhole: boolean;
}

/** Larger records are not offered whole: they would fill the producer's queue, or the broker would end the connection. */
const wholeBytes = 16 * 1024 * 1024;

/**
 * Most bytes of what goes with a reference, each try smaller; the last is taken by every topic that takes anything. At least so
 * much of the key is compared where only the newest record of a key counts.
 */
const excerpts = [
  { key: 4 * 1024, value: 64 * 1024, headers: 16 * 1024 },
  { key: 1024, value: 0, headers: 0 },
] as const;

/** What a letter may have, to be offered in this order until it is not refused for its size. */
export function* fittingContents(message: KafkaMessage, sizeBytes: number): Generator<LetterContent> {
  const headers = sendableHeaders(message.headers);
  const { key, value } = message;
  if (sizeBytes <= wholeBytes) yield { key, value, headers, isWhole: true };
  for (const most of excerpts)
    yield {
      key: key && key.subarray(0, most.key),
      value: most.value === 0 ? null : value && value.subarray(0, most.value),
      headers: firstHeaders(headers, most.headers),
      isWhole: false,
    };
}

/** The reference to a record, by its value; `place` is where it lies. */
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

/** The digest by which a record is known again: SHA-256 of its value, hex. */
export function valueDigest(value: Buffer | null): string {
  return createHash('sha256')
    .update(value ?? Buffer.alloc(0))
    .digest('hex');
}

/** The first headers that have room together, each with its name. */
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
