import { AbortedTransaction, withoutAborted } from './aborted-records';
import { batchDigest } from './undecodable-reason';
import { FetchedPartition, decodePartition } from './decode-partition';
import { EmptyFetch } from './empty-fetches';
import { DecodedMessage } from './read-records';
import { gapMessage, nothingMessage, undecodableMessage } from './undecodable-message';

/** The decoded version of the fetch response: the highest that kafkajs requests, Kafka 2.3 and newer. */
export const fetchVersion = 11;

/** A fetch response in the form of kafkajs's own decoder. */
export interface FetchResponse {
  readonly throttleTime: number;
  readonly clientSideThrottleTime: number;
  readonly errorCode: number;
  readonly sessionId: number;
  readonly responses: readonly { readonly topicName: string; readonly partitions: readonly PartitionResponse[] }[];
}

/** A partition of a fetch response. */
interface PartitionResponse {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: string;
  readonly lastStableOffset: string;
  readonly lastStartOffset: string;
  /** Always empty: their records are left out already, and kafkajs would look for them again. */
  readonly abortedTransactions: readonly AbortedTransaction[];
  readonly preferredReadReplica: number;
  readonly messages: readonly DecodedMessage[];
}

/** What a response says of a partition before its records. */
type PartitionFields = Omit<PartitionResponse, 'messages'>;

/** Returns the offset that the request asked for. */
export type PositionOf = (topic: string, partition: number) => bigint;

/**
 * Errors of one partition that do not change where it is fetched: CORRUPT_MESSAGE, and UNKNOWN_SERVER_ERROR, which a broker
 * returns when it cannot read its own log. kafkajs would fail the fetch of all partitions.
 */
const refusals: ReadonlyMap<number, string> = new Map([
  [2, 'the broker answers CORRUPT_MESSAGE'],
  [-1, 'the broker answers UNKNOWN_SERVER_ERROR'],
]);

/**
 * Decodes a fetch response, partition by partition: an undecodable batch is the last of its partition's messages. A broker
 * throttles by responding late, and asks the client to wait with `clientSideThrottleTime`. `onEmpty` is called with each
 * partition that was read to its end, and with all if the response has no records at all: otherwise a partition may have none
 * because others have used up its size.
 */
export async function decodeFetchResponse(
  bytes: Buffer,
  positionOf: PositionOf,
  onEmpty: (fetch: EmptyFetch) => void,
): Promise<FetchResponse> {
  const reader = new ResponseReader(bytes);
  const clientSideThrottleTime = reader.int32();
  const errorCode = reader.int16();
  const sessionId = reader.int32();
  let hasRecords = false;
  const empty: EmptyFetch[] = [];
  const responses = [];
  for (let topics = reader.int32(); topics > 0; topics--) {
    const topicName = reader.string();
    const partitions: PartitionResponse[] = [];
    for (let count = reader.int32(); count > 0; count--) {
      const { records, ...fields } = readPartition(reader);
      const position = positionOf(topicName, fields.partition);
      const fetched = {
        bytes: records,
        firstIsWhole: !hasRecords,
        position,
        highWatermark: BigInt(fields.highWatermark),
      };
      if (records.length > 0) hasRecords = true;
      else if (isAnswered(fields)) empty.push({ topic: topicName, position, ...rangeOf(fields) });
      partitions.push(await decoded(fields, fetched));
    }
    responses.push({ topicName, partitions });
  }
  for (const each of empty) if (!hasRecords || each.position >= each.end) onEmpty(each);
  return { throttleTime: 0, clientSideThrottleTime, errorCode, sessionId, responses };
}

/** Neither an error nor a reference to another replica. */
function isAnswered({ errorCode, preferredReadReplica }: PartitionFields): boolean {
  return errorCode === 0 && preferredReadReplica === -1;
}

function rangeOf(fields: PartitionFields): Pick<EmptyFetch, 'partition' | 'start' | 'end'> {
  const [stable, high] = [BigInt(fields.lastStableOffset), BigInt(fields.highWatermark)];
  return {
    partition: fields.partition,
    start: BigInt(fields.lastStartOffset),
    end: stable < high ? stable : high,
  };
}

async function decoded(
  { abortedTransactions, ...fields }: PartitionFields,
  fetched: FetchedPartition,
): Promise<PartitionResponse> {
  const refusal = refusals.get(fields.errorCode);
  if (refusal !== undefined)
    return {
      ...{ ...fields, errorCode: 0, abortedTransactions: [] },
      messages: [refusedMessage(fetched.position, refusal)],
    };
  const { messages, lastOffset, undecodable } = await decodePartition(fetched);
  const all = [...withoutAborted(messages, abortedTransactions)];
  const reached = later(lastOffset, messages.at(-1));
  if (reached !== undefined && reached >= fetched.position && all.at(-1)?.offset !== String(reached))
    all.push(gapMessage(reached));
  if (undecodable) all.push(undecodableMessage(undecodable));
  const isNothing = reached !== undefined && reached >= fetched.position && all.every((each) => each.isControlRecord);
  return { ...fields, abortedTransactions: [], messages: isNothing ? [nothingMessage(reached)] : all };
}

/** Where decoding ended: after whole batches, or within one whose last decoded records may all be of an aborted transaction. */
function later(lastOffset: bigint | undefined, lastMessage: DecodedMessage | undefined): bigint | undefined {
  if (lastMessage === undefined) return lastOffset;
  const offset = BigInt(lastMessage.offset);
  return lastOffset === undefined || offset > lastOffset ? offset : lastOffset;
}

/** Only the start offset is known of a batch that the broker does not return. */
function refusedMessage(position: bigint, detail: string): DecodedMessage {
  return undecodableMessage({
    position,
    firstOffset: position,
    lastOffset: position,
    reason: 'refused_by_broker',
    detail,
    codec: 'unknown',
    sizeBytes: 0,
    digest: batchDigest(Buffer.alloc(0)),
  });
}

function readPartition(reader: ResponseReader): PartitionFields & { records: Buffer } {
  return {
    partition: reader.int32(),
    errorCode: reader.int16(),
    highWatermark: String(reader.int64()),
    lastStableOffset: String(reader.int64()),
    lastStartOffset: String(reader.int64()),
    abortedTransactions: readAborted(reader),
    preferredReadReplica: reader.int32(),
    records: reader.sizedBytes(),
  };
}

function readAborted(reader: ResponseReader): AbortedTransaction[] {
  const aborted = [];
  for (let count = reader.int32(); count > 0; count--)
    aborted.push({ producerId: String(reader.int64()), firstOffset: String(reader.int64()) });
  return aborted;
}

class ResponseReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  int16(): number {
    this.at += 2;
    return this.bytes.readInt16BE(this.at - 2);
  }

  int32(): number {
    this.at += 4;
    return this.bytes.readInt32BE(this.at - 4);
  }

  int64(): bigint {
    this.at += 8;
    return this.bytes.readBigInt64BE(this.at - 8);
  }

  string(): string {
    const length = this.int16();
    this.at += length;
    return this.bytes.toString('utf8', this.at - length, this.at);
  }

  /** A length of -1 means no bytes. */
  sizedBytes(): Buffer {
    const length = Math.max(0, this.int32());
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
