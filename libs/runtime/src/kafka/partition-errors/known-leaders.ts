import type { Metadata } from 'kafkajs/src/protocol/requests/metadata';
import type { ProduceReply } from 'kafkajs/src/protocol/requests/produce';

/** The broker id in place of a leader where a partition has none. */
export const noLeader = -1;

/** A partition has no leader at present, so that its offsets are unknown. */
export class LeaderlessPartitionError extends Error {
  override readonly name = 'LeaderlessPartitionError';
  constructor(topic: string, partition: number) {
    super(`partition ${partition} of ${topic} has no leader`);
  }
}

/** How old metadata may be that names a partition without a leader, milliseconds. */
const leaderlessAgeMs = 500;

/**
 * How long a partition counts as unavailable after it was last seen so, milliseconds. Clients that use one without a leader
 * look twice a second; metadata of all topics also name those that nobody of this process asks for again.
 */
export const confirmedForMs = 60_000;

/**
 * Errors of a partition by which a broker says that another one leads, or will: UNKNOWN_TOPIC_OR_PARTITION,
 * LEADER_NOT_AVAILABLE, NOT_LEADER_OR_FOLLOWER, KAFKA_STORAGE_ERROR.
 */
const movedLeader: ReadonlySet<number> = new Set([3, 5, 6, 56]);

/** What brokers say about the leaders of partitions, to all clients of a process. */
export class KnownLeaders {
  private readonly receivedMs = new WeakMap<object, number>();
  private readonly leaderless = new Map<string, { readonly partitions: readonly number[]; readonly seenMs: number }>();
  /** Per topic when a broker last refused records of a partition because it does not lead it. */
  private readonly movedMs = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Per topic the partitions without a leader in its latest metadata; none when these are not recent. */
  withoutLeader(): ReadonlyMap<string, readonly number[]> {
    const since = this.now() - confirmedForMs;
    const known = [...this.leaderless].map(
      ([topic, { partitions, seenMs }]) => [topic, seenMs > since ? partitions : []] as const,
    );
    return new Map(known);
  }

  noteMetadata(metadata: Metadata): void {
    const seenMs = this.now();
    this.receivedMs.set(metadata, seenMs);
    for (const { topic, partitionMetadata } of metadata.topicMetadata) {
      const leaderless = partitionMetadata.filter(({ leader }) => leader === noLeader);
      this.leaderless.set(topic, { partitions: leaderless.map(({ partitionId }) => partitionId), seenMs });
    }
  }

  noteReply({ topics }: ProduceReply): void {
    for (const { topicName, partitions } of topics)
      if (partitions.some(({ errorCode }) => movedLeader.has(errorCode))) this.movedMs.set(topicName, this.now());
  }

  /** Whether a client should replace its metadata before they have reached their age. */
  isOutdated(metadata: object | null): boolean {
    const receivedMs = metadata === null ? undefined : this.receivedMs.get(metadata);
    if (receivedMs === undefined) return false;
    const { topicMetadata } = metadata as Metadata;
    const isLeaderless = topicMetadata.some(({ partitionMetadata }) =>
      partitionMetadata.some(({ leader }) => leader === noLeader),
    );
    if (isLeaderless && this.now() - receivedMs >= leaderlessAgeMs) return true;
    return topicMetadata.some(({ topic }) => (this.movedMs.get(topic) ?? -Infinity) >= receivedMs);
  }
}

/** The leaders as this process knows them. */
export const knownLeaders = new KnownLeaders();
