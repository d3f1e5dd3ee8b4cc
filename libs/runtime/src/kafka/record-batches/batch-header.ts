/** Bytes of a batch before its records. */
export const batchHeaderBytes = 61;

/** Bytes that the length field does not count: the first offset and the length itself. */
const lengthEnd = 12;

/** Start of the bytes that the checksum covers: the attributes. */
export const checkedFrom = 21;

/** The header of a record batch (message format 2), which is never compressed. */
export interface BatchHeader {
  readonly firstOffset: bigint;
  /** Bytes of the whole batch, header included. */
  readonly sizeBytes: number;
  /** The message format; the following fields are defined for format 2 only. */
  readonly magic: number;
  /** CRC-32C of everything from the attributes on. */
  readonly crc: number;
  /** 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd; 5 to 7 are undefined. */
  readonly codec: number;
  readonly inTransaction: boolean;
  readonly isControl: boolean;
  /** The broker set the timestamps: every record has the batch's largest. */
  readonly usesAppendTime: boolean;
  readonly lastOffsetDelta: number;
  /** Unix milliseconds. */
  readonly baseTimestampMs: bigint;
  readonly maxTimestampMs: bigint;
  readonly producerId: bigint;
  readonly recordCount: number;
}

/** The length field of the batch at this offset; null when there are not enough bytes for it. */
export function batchSizeAt(bytes: Buffer, at: number): number | null {
  return at + lengthEnd > bytes.length ? null : lengthEnd + bytes.readInt32BE(at + 8);
}

/** Reads the header of a batch; the caller must check that there are enough bytes. */
export function readBatchHeader(batch: Buffer): BatchHeader {
  const attributes = batch.readInt16BE(checkedFrom);
  return {
    firstOffset: batch.readBigInt64BE(0),
    sizeBytes: batch.length,
    magic: batch.readInt8(16),
    crc: batch.readUInt32BE(17),
    codec: attributes & 0x07,
    usesAppendTime: (attributes & 0x08) !== 0,
    inTransaction: (attributes & 0x10) !== 0,
    isControl: (attributes & 0x20) !== 0,
    lastOffsetDelta: batch.readInt32BE(23),
    baseTimestampMs: batch.readBigInt64BE(27),
    maxTimestampMs: batch.readBigInt64BE(35),
    producerId: batch.readBigInt64BE(43),
    recordCount: batch.readInt32BE(57),
  };
}
