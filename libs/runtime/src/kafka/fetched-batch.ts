import { KafkaMessage } from 'kafkajs';
import { UndecodableBatch } from './record-batches/undecodable-batch';

/** What a fetch brought of one partition. */
export interface FetchedBatch {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  /** Last offset that the fetch covers. */
  readonly lastOffset: bigint;
  /** The partition's end at the fetch: the next offset to be written. */
  readonly highWatermark: bigint;
  /** The stored position that the fetch follows, null when nothing is stored yet; undefined for a member without a store. */
  readonly position: bigint | null | undefined;
  /** False once the consumer stops or goes to another offset: what is not done then is delivered again. */
  isCurrent(): boolean;
  /** Commits `nextOffset` to the group; a commit that fails for the moment is repeated in the background. */
  commit(nextOffset: bigint): Promise<void>;
  /** Goes to the stored position, which is not the one that was expected; nothing more of this fetch is to be handled. */
  reposition(): void;
}

/** A batch that cannot be decoded, once everything of its partition before it is done. */
export interface UndecodableFetch extends Omit<FetchedBatch, 'messages' | 'lastOffset' | 'highWatermark'> {
  readonly batch: UndecodableBatch;
}
