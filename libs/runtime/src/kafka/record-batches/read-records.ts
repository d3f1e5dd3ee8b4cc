import { IHeaders } from 'kafkajs';
import { BatchHeader } from './batch-header';
import { RecordReader } from './record-reader';
import { UndecodableError } from './undecodable-reason';

/** A message in the form of kafkajs's own decoder. */
export interface DecodedMessage {
  readonly magicByte: number;
  readonly attributes: number;
  /** Unix milliseconds. */
  readonly timestamp: string;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: IHeaders;
  readonly isControlRecord: boolean;
  readonly batchContext: BatchContext;
}

/** Batch fields that kafkajs reads from a message to leave out those of aborted transactions. */
export interface BatchContext {
  readonly producerId: string;
  readonly inTransaction: boolean;
}

/** Selects records of a batch. */
export interface WantedRecords {
  /** Earlier records are left out. */
  readonly from: bigint;
  /** Stops once this many records, or this many bytes, are taken. */
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/** The selected records, and whether the batch has more after them. */
export interface ReadRecords {
  readonly messages: DecodedMessage[];
  /** Bytes of the taken records. */
  readonly takenBytes: number;
  readonly hasMore: boolean;
}

/** The smallest record: its length, and each of its seven fields in one byte. */
const minRecordBytes = 7;

/**
 * Reads the records of a batch from its inflated bytes. It parses all of them, selected or not, so that no record of a
 * corrupt batch is returned; throws `UndecodableError` for such a batch.
 */
export function readRecords(header: BatchHeader, bytes: Buffer, wanted: WantedRecords): ReadRecords {
  const { lastOffsetDelta, recordCount } = header;
  if (recordCount < 0 || recordCount * minRecordBytes > bytes.length)
    throw new UndecodableError('broken_records', `${recordCount} records are not in ${bytes.length} bytes`);
  const firstWantedDelta = Number(wanted.from - header.firstOffset);
  const batchContext = { producerId: String(header.producerId), inTransaction: header.inTransaction };
  const reader = new RecordReader(bytes);
  const messages: DecodedMessage[] = [];
  let takenBytes = 0;
  let hasMore = false;
  let before = -1;
  for (let index = 0; index < recordCount; index++) {
    const length = reader.varint();
    const start = reader.position;
    if (length < 0 || start + length > bytes.length)
      throw new UndecodableError('broken_records', 'a record is longer than the batch');
    const attributes = bytes[start];
    reader.skip(1);
    const timestampDelta = reader.varlong();
    const offsetDelta = reader.varint();
    if (offsetDelta <= before || offsetDelta > lastOffsetDelta)
      throw new UndecodableError('broken_records', 'the offsets of records are not those of the batch');
    before = offsetDelta;
    const key = reader.field();
    const value = reader.field();
    const isWanted = offsetDelta >= firstWantedDelta;
    const isTaken = isWanted && !hasMore && messages.length < wanted.maxRecords && hasRoom(takenBytes, length, wanted);
    const headers = readHeaders(reader);
    if (reader.position !== start + length)
      throw new UndecodableError('broken_records', 'the fields of a record do not add up to its length');
    if (!isTaken) {
      hasMore ||= isWanted;
      continue;
    }
    takenBytes += length;
    messages.push({
      magicByte: header.magic,
      attributes,
      timestamp: header.usesAppendTime ? String(header.maxTimestampMs) : sum(header.baseTimestampMs, timestampDelta),
      offset: sum(header.firstOffset, offsetDelta),
      key,
      value,
      headers,
      isControlRecord: header.isControl,
      batchContext,
    });
  }
  if (reader.position !== bytes.length)
    throw new UndecodableError('broken_records', `bytes are left behind the ${recordCount} records of the batch`);
  return { messages, takenBytes, hasMore };
}

/** Converts to text; adding numbers costs a tenth of adding bigints. */
function sum(base: bigint, delta: number | bigint): string {
  const fast = Number(base) + Number(delta);
  return String(Number.isSafeInteger(fast) ? fast : base + BigInt(delta));
}

/** One record is always taken, however large it is. */
function hasRoom(takenBytes: number, length: number, { maxBytes }: WantedRecords): boolean {
  return takenBytes === 0 || takenBytes + length <= maxBytes;
}

/** A repeated header has all its values; one without a value has empty bytes. */
function readHeaders(reader: RecordReader): IHeaders {
  const count = reader.varint();
  if (count === 0) return {};
  if (count < 0) throw new UndecodableError('broken_records', 'a record has fewer than no headers');
  const values = new Map<string, NonNullable<IHeaders[string]>>();
  for (let index = 0; index < count; index++) {
    const name = reader.field()?.toString('utf8');
    if (name === undefined) throw new UndecodableError('broken_records', 'a header of a record has no name');
    const value = reader.field() ?? Buffer.alloc(0);
    const known = values.get(name);
    if (known === undefined) values.set(name, value);
    else if (Array.isArray(known)) known.push(value);
    else values.set(name, [known, value]);
  }
  return Object.fromEntries(values);
}
