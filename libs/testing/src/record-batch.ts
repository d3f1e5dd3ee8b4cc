import { crc32c } from '@node-rs/crc32';

/** A record to be written; offset and time are relative to the batch's first. */
export interface BatchRecord {
  readonly key?: string | null;
  readonly value?: string | Buffer | null;
  readonly headers?: readonly (readonly [string, string | null])[];
  readonly offsetDelta?: number;
}

/** Options of a batch that differ from the defaults. */
export interface BatchOptions {
  readonly firstOffset?: bigint;
  /** The codec's number in the attributes. */
  readonly codec?: number;
  /** Compresses the records' bytes with that codec. */
  readonly compress?: (bytes: Buffer) => Buffer;
  readonly lastOffsetDelta?: number;
  readonly recordCount?: number;
  /** Further bits of the attributes: 0x10 transactional, 0x20 control. */
  readonly attributes?: number;
}

const headerBytes = 61;

/** A record batch as in a fetch and in a segment (message format 2), with a correct checksum. */
export function recordBatch(records: readonly BatchRecord[], options: BatchOptions = {}): Buffer {
  const bytes = Buffer.concat(records.map((record, index) => recordBytes(record, record.offsetDelta ?? index)));
  const body = (options.compress ?? ((raw) => raw))(bytes);
  const batch = Buffer.alloc(headerBytes + body.length);
  batch.writeBigInt64BE(options.firstOffset ?? 0n, 0);
  batch.writeInt32BE(batch.length - 12, 8);
  batch.writeInt8(2, 16);
  batch.writeInt16BE((options.codec ?? 0) | (options.attributes ?? 0), 21);
  batch.writeInt32BE(options.lastOffsetDelta ?? records.length - 1, 23);
  batch.writeBigInt64BE(1_795_176_000_000n, 27);
  batch.writeBigInt64BE(1_795_176_000_000n + BigInt(records.length), 35);
  batch.writeBigInt64BE(-1n, 43);
  batch.writeInt16BE(-1, 51);
  batch.writeInt32BE(-1, 53);
  batch.writeInt32BE(options.recordCount ?? records.length, 57);
  body.copy(batch, headerBytes);
  return withChecksum(batch);
}

/** The batch with the checksum of its current bytes. */
export function withChecksum(batch: Buffer): Buffer {
  batch.writeUInt32BE(crc32c(batch.subarray(21)), 17);
  return batch;
}

function recordBytes({ key = null, value = null, headers = [] }: BatchRecord, delta: number): Buffer {
  const fields = Buffer.concat([
    Buffer.from([0]),
    varint(delta),
    varint(delta),
    sized(key),
    sized(value),
    varint(headers.length),
    ...headers.flatMap(([name, content]) => [sized(name), sized(content)]),
  ]);
  return Buffer.concat([varint(fields.length), fields]);
}

function sized(content: string | Buffer | null): Buffer {
  if (content === null) return varint(-1);
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
