import { Batch, KafkaMessage } from 'kafkajs';
import { isNothing, undecodableOf } from '../record-batches/undecodable-message';
import { UndecodableBatch } from '../record-batches/undecodable-reason';

/** The messages that a fetch returned for one partition; none when it only passes offsets without records. */
export interface FetchedBatch {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  /** Last offset that the fetch covers. */
  readonly lastOffset: bigint;
  /** The partition's end at the fetch: the next offset to be written. */
  readonly highWatermark: bigint;
  /** The stored position that the fetch follows, null when none is stored yet; undefined for a member without a store. */
  readonly position: bigint | null | undefined;
  /** False once the consumer stops, moves to another offset or must join again: unfinished messages are then delivered again. */
  isCurrent(): boolean;
  /** Commits `nextOffset` to the group; a commit with a transient failure is retried in the background. */
  commit(nextOffset: bigint): Promise<void>;
  /** Moves to the stored position, which is not the expected one; nothing more of this fetch may be handled. */
  reposition(): void;
}

/** An undecodable batch, delivered once everything before it in its partition is done. */
export interface UndecodableFetch extends Omit<FetchedBatch, 'messages' | 'lastOffset' | 'highWatermark'> {
  readonly batch: UndecodableBatch;
}

/** Callbacks that receive the fetched messages. */
export interface FetchHandlers {
  onBatch(batch: FetchedBatch): Promise<void>;
  onUndecodable(found: UndecodableFetch): Promise<void>;
}

/** Delivers a fetch. An undecodable batch is its last message, and is delivered separately once the others are done. */
export async function deliverFetch(
  fetched: Batch,
  place: Omit<UndecodableFetch, 'batch'>,
  { onBatch, onUndecodable }: FetchHandlers,
): Promise<void> {
  const { messages } = fetched;
  const last = messages.at(-1);
  const batch = undecodableOf(last);
  const readable = batch || isNothing(last) ? messages.slice(0, -1) : messages;
  if (batch && readable.length === 0) return onUndecodable({ ...place, batch });
  await onBatch({
    ...place,
    messages: readable,
    lastOffset: BigInt(batch ? readable[readable.length - 1].offset : fetched.lastOffset()),
    highWatermark: BigInt(fetched.highWatermark),
  });
}
