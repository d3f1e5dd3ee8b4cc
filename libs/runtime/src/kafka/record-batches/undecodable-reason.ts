import { hash } from 'node:crypto';

/** Why a batch is undecodable, as named in metrics, logs and commands. */
export type UndecodableReason =
  /** A codec number that Kafka did not define when this was written. */
  | 'unknown_codec'
  /** The bytes differ from those that the producer wrote. */
  | 'wrong_checksum'
  | 'broken_compression'
  /** It inflates to more than a consumer accepts in memory. */
  | 'too_large'
  /** Its records do not match its header. */
  | 'broken_records'
  /** Not message format 2, or an impossible length. */
  | 'unknown_format'
  /** The broker itself refuses to return it. */
  | 'refused_by_broker';

/** An undecodable batch of a partition. */
export interface UndecodableBatch {
  /** The requested offset: in the batch or, where compaction left a gap, before it. */
  readonly position: bigint;
  readonly firstOffset: bigint;
  /** From the uncompressed header, limited by the start of the next batch. */
  readonly lastOffset: bigint;
  readonly reason: UndecodableReason;
  /** Description of the error, for people. */
  readonly detail: string;
  /** As the header says it. */
  readonly codec: string;
  readonly sizeBytes: number;
  /** SHA-256 of its bytes, hex; of no bytes when the broker does not return it. */
  readonly digest: string;
}

/** A batch is undecodable; it carries the reason only. */
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
