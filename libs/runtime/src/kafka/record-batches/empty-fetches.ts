/**
 * A fetch that found no records in a partition from `position` to before `end`: whatever was there, compaction has removed.
 * At the end of an idle partition `position` equals `end`.
 */
export interface EmptyFetch {
  readonly topic: string;
  readonly partition: number;
  /** The requested offset. */
  readonly position: bigint;
  /** First retained offset of the partition. */
  readonly start: bigint;
  /** The next offset to be written, or the first of an open transaction. */
  readonly end: bigint;
}

type Listener = (fetch: EmptyFetch) => void;

const listeners = new Set<Listener>();

/**
 * Calls back at each empty fetch of this process, whichever client has sent it, until the returned function is called. A
 * client of kafkajs shows neither which partitions an empty response is about nor that they are empty.
 */
export function watchEmptyFetches(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Reports an empty fetch; listeners must not throw. */
export function reportEmptyFetch(fetch: EmptyFetch): void {
  for (const listener of listeners) listener(fetch);
}
