import { RecordHeaders } from '../record-headers/text-headers';

/**
 * The content that a dead letter refers to instead of carrying it: bytes in the source topic that cannot be copied, because
 * they are undecodable or too large.
 */
export interface DeadLetterReference {
  /** One record, identified by its value, or a batch, identified by all its bytes. */
  readonly kind: 'record' | 'batch';
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: bigint;
  /** Equals `firstOffset` for a single record. */
  readonly lastOffset: bigint;
  /** SHA-256 of the bytes, hex. */
  readonly digest: string;
  readonly sizeBytes: number;
}

/** The header with the reference of a dead letter; JSON. */
export const referenceHeader = 'dead_letter_reference';

/** Encodes a reference as the header's text. */
export function referenceText({ kind, topic, partition, ...reference }: DeadLetterReference): string {
  return JSON.stringify({
    kind,
    topic,
    partition,
    offset: Number(reference.firstOffset),
    last_offset: Number(reference.lastOffset),
    sha256: reference.digest,
    bytes: reference.sizeBytes,
  });
}

/** The reference of a dead letter; undefined for one that carries its record itself, and for a malformed header. */
export function referenceOf(headers: RecordHeaders): DeadLetterReference | undefined {
  const text = headers[referenceHeader];
  if (text === undefined) return undefined;
  try {
    const { kind, topic, partition, offset, last_offset, sha256, bytes } = JSON.parse(text) as Record<string, unknown>;
    if ((kind !== 'record' && kind !== 'batch') || typeof topic !== 'string' || typeof sha256 !== 'string')
      return undefined;
    const [at, firstOffset, lastOffset, sizeBytes] = [partition, offset, last_offset, bytes].map(wholeNumber);
    const place = { partition: Number(at), firstOffset, lastOffset };
    return { kind, topic, ...place, digest: sha256, sizeBytes: Number(sizeBytes) };
  } catch {
    return undefined;
  }
}

/** Throws unless the value is a whole number from 0. */
function wholeNumber(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new TypeError('not a whole number');
  return BigInt(value);
}
