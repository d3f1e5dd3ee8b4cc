import { hash } from 'node:crypto';

/** Why a batch cannot be decoded, as metrics, logs and commands name it. */
export type UndecodableReason =
  /** A number of a codec that Kafka did not have when this was written. */
  | 'unknown_codec'
  /** The bytes are not those that the producer wrote. */
  | 'wrong_checksum'
  | 'broken_compression'
  /** It inflates to more than a consumer takes into memory. */
  | 'too_large'
  /** Its records do not add up to what the header says. */
  | 'broken_records'
  /** Not message format 2, or a length that no batch has. */
  | 'unknown_format'
  /** The broker itself refuses to hand it out. */
  | 'refused_by_broker';

/** A batch of a partition that no record can be had of. */
export interface UndecodableBatch {
  /** The offset that was asked for: in the batch or, where compaction left a gap, before it. */
  readonly position: bigint;
  readonly firstOffset: bigint;
  /** From the uncompressed header, and no further than what lies behind the batch allows. */
  readonly lastOffset: bigint;
  readonly reason: UndecodableReason;
  /** What is wrong, for people. */
  readonly detail: string;
  /** As the header says it. */
  readonly codec: string;
  readonly sizeBytes: number;
  /** SHA-256 of its bytes, hex; of what the broker does not hand out, of nothing. */
  readonly digest: string;
}

/** A batch cannot be decoded; what throws it knows no more than why. */
export class UndecodableError extends Error {
  constructor(
    readonly reason: UndecodableReason,
    detail: string,
  ) {
    super(detail);
  }
}

const codecNames = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

/** The name of a codec by its number in the batch's attributes. */
export function codecName(codec: number): string {
  return codecNames[codec] ?? `codec ${codec}`;
}

/** SHA-256 of a batch's bytes, hex. */
export function batchDigest(batch: Uint8Array): string {
  return hash('sha256', batch, 'hex');
}
