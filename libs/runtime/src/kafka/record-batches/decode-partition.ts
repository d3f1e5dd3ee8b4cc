import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32c } from '@node-rs/crc32';
import { errorMessage } from '../../errors';
import { BatchHeader, batchHeaderBytes, batchSizeAt, checkedFrom, readBatchHeader } from './batch-header';
import { decompress } from './decompress';
import { DecodedMessage, ReadRecords, readRecords } from './read-records';
import { UndecodableBatch, UndecodableError, UndecodableReason, batchDigest, codecName } from './undecodable-reason';

/** The bytes that a fetch returned for a partition: whole batches in order, the last one may be truncated. */
export interface FetchedPartition {
  readonly bytes: Buffer;
  /** The broker returns at least one whole batch, however large: one that is truncated has a wrong length. */
  readonly firstIsWhole: boolean;
  /** The requested offset. */
  readonly position: bigint;
  readonly highWatermark: bigint;
}

/** The result of decoding. */
export interface DecodedPartition {
  readonly messages: readonly DecodedMessage[];
  /** The last decoded offset, gaps of compaction included; undefined when there is none. */
  readonly lastOffset?: bigint;
  /** The undecodable batch at which decoding stopped. */
  readonly undecodable?: UndecodableBatch;
}

/** How much of a partition is decoded at once; the next fetch returns the rest. Both limits may be exceeded by one record. */
export interface DecodeLimits {
  readonly maxBytes: number;
  readonly maxRecords: number;
}

const defaultLimits: DecodeLimits = { maxBytes: 4 * 1024 * 1024, maxRecords: 50_000 };

/** No broker is configured for batches of this size: a larger length is wrong. */
const largestBatchBytes = 100 * 1024 * 1024;

/** Yields to other work of the process each time this many bytes are decoded. */
const bytesPerTurn = 512 * 1024;

/**
 * Decodes the batches of one partition, each after verifying its checksum, up to the first undecodable one, which affects
 * this partition alone. Never rejects.
 */
export async function decodePartition(
  fetched: FetchedPartition,
  limits: DecodeLimits = defaultLimits,
): Promise<DecodedPartition> {
  const { bytes, position } = fetched;
  const messages: DecodedMessage[] = [];
  let lastOffset: bigint | undefined;
  let takenBytes = 0;
  let bytesInTurn = 0;
  for (let at = 0; ;) {
    const sizeBytes = batchSizeAt(bytes, at);
    // The end, or a batch that the fetch truncated.
    if (sizeBytes === null || (isPlausible(sizeBytes) && at + sizeBytes > bytes.length && !isMissing(fetched, at)))
      break;
    const remaining = { maxBytes: limits.maxBytes - takenBytes, maxRecords: limits.maxRecords - messages.length };
    try {
      const batch = batchAt(bytes, at, sizeBytes);
      const header = readBatchHeader(batch);
      const read = await readBatch(header, batch, position, remaining);
      for (const message of read.messages) messages.push(message);
      takenBytes += read.takenBytes;
      if (read.hasMore) break;
      lastOffset = header.firstOffset + BigInt(header.lastOffsetDelta);
      at += sizeBytes;
      if (takenBytes >= limits.maxBytes || messages.length >= limits.maxRecords) break;
      if ((bytesInTurn += sizeBytes) < bytesPerTurn) continue;
      bytesInTurn = 0;
      await nextTurn();
    } catch (error) {
      return { messages, lastOffset, undecodable: describe(fetched, at, error) };
    }
  }
  return { messages, lastOffset };
}

function isPlausible(sizeBytes: number): boolean {
  return sizeBytes >= batchHeaderBytes && sizeBytes <= largestBatchBytes;
}

function isMissing({ firstIsWhole, bytes }: FetchedPartition, at: number): boolean {
  return firstIsWhole && at === 0 && bytes.length >= batchHeaderBytes;
}

function batchAt(bytes: Buffer, at: number, sizeBytes: number): Buffer {
  if (!isPlausible(sizeBytes) || at + sizeBytes > bytes.length)
    throw new UndecodableError('unknown_format', `a batch says that it has ${sizeBytes} bytes`);
  return bytes.subarray(at, at + sizeBytes);
}

async function readBatch(
  header: BatchHeader,
  batch: Buffer,
  position: bigint,
  remaining: DecodeLimits,
): Promise<ReadRecords> {
  if (header.magic !== 2) throw new UndecodableError('unknown_format', `message format ${header.magic} instead of 2`);
  const crc = crc32c(batch.subarray(checkedFrom));
  if (crc !== header.crc)
    throw new UndecodableError('wrong_checksum', `the checksum is ${crc} instead of ${header.crc}`);
  const compressed = batch.subarray(batchHeaderBytes);
  // Compaction keeps an empty batch for its producer's sequence; it has no compressed data.
  const isEmpty = header.recordCount === 0 && compressed.length === 0;
  const inflated = isEmpty ? compressed : await decompress(header.codec, compressed);
  const read = readRecords(header, inflated, { from: position, ...remaining });
  // Records are slices: a few records of a partly read batch would keep all of its inflated bytes in memory.
  const isWasteful = inflated !== compressed && inflated.length > 2 * read.takenBytes;
  return isWasteful ? { ...read, messages: read.messages.map(copied) } : read;
}

function copied(message: DecodedMessage): DecodedMessage {
  const copy = (bytes: Buffer | null): Buffer | null => bytes && Buffer.from(bytes);
  const headers = Object.entries(message.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((each) => Buffer.from(each)) : Buffer.from(value!),
  ]);
  return {
    ...message,
    key: copy(message.key),
    value: copy(message.value),
    headers: Object.fromEntries(headers) as DecodedMessage['headers'],
  };
}

function describe({ bytes, position, highWatermark }: FetchedPartition, at: number, error: unknown): UndecodableBatch {
  const sizeBytes = batchSizeAt(bytes, at) ?? 0;
  const end = at + sizeBytes;
  const isWhole = isPlausible(sizeBytes) && end <= bytes.length;
  // Without a valid length the header alone identifies it: the following bytes change from fetch to fetch.
  const batch = bytes.subarray(at, isWhole ? end : at + batchHeaderBytes);
  const header = batch.length >= batchHeaderBytes ? readBatchHeader(batch) : undefined;
  const firstOffset = bytes.readBigInt64BE(at);
  const claimed = firstOffset + BigInt(header?.magic === 2 ? header.lastOffsetDelta : 0);
  const next = (isWhole ? firstOffsetBehind(bytes, end, firstOffset) : undefined) ?? highWatermark;
  const [reason, detail] = causeOf(error);
  return {
    position,
    firstOffset,
    lastOffset: within(claimed, position > firstOffset ? position : firstOffset, next - 1n),
    reason,
    detail,
    codec: header?.magic === 2 ? codecName(header.codec) : 'unknown',
    sizeBytes: batch.length,
    digest: batchDigest(batch),
  };
}

/** First offset of the next batch; undefined if the bytes there do not look like a batch. */
function firstOffsetBehind(bytes: Buffer, end: number, firstOffset: bigint): bigint | undefined {
  if (end + batchHeaderBytes > bytes.length || bytes.readInt8(end + 16) !== 2) return undefined;
  const next = bytes.readBigInt64BE(end);
  return next > firstOffset ? next : undefined;
}

function causeOf(error: unknown): [UndecodableReason, string] {
  if (error instanceof UndecodableError) return [error.reason, error.message];
  return ['broken_records', errorMessage(error)];
}

/** Bounds an offset from a possibly corrupt header by the known content of the batch and the next batch. */
function within(claimed: bigint, min: bigint, max: bigint): bigint {
  const bounded = claimed > max ? max : claimed;
  return bounded < min ? min : bounded;
}
