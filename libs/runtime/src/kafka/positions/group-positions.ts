import { setTimeout as sleep } from 'node:timers/promises';
import { Admin } from 'kafkajs';
import { Logger } from 'pino';
import { Kafka } from '../client/create-kafka';
import { keepTrying } from '../client/keep-trying';
import { LeaderlessPartitionError, noLeader } from '../partition-errors/known-leaders';

/** Distinguishes a hanging client from brokers that are down. */
export interface BrokerProbe {
  /** By id, whether each broker is there: those that lead partitions of these topics have responded. Rejects when none does. */
  brokerAnswers(topics: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
}

/** Offsets of a partition: the first retained one, and the next to be written. */
export interface PartitionBounds {
  low: bigint;
  high: bigint;
}

/** The leader of a partition does not respond to this process, so that its offsets are unknown. */
export class SilentLeaderError extends Error {
  override readonly name = 'SilentLeaderError';
  constructor(topic: string, partition: number, leader: number) {
    super(`the leader of partition ${partition} of ${topic}, broker ${leader}, does not respond`);
  }
}

/** A new leader is known within some hundred milliseconds. */
const leaderAttempts = 4;

/** Errors of a broker that does not lead a partition, or does not coordinate a group, any more or yet. */
const movedTypes: ReadonlySet<unknown> = new Set([
  'NOT_LEADER_FOR_PARTITION',
  'NOT_COORDINATOR_FOR_GROUP',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
]);

/** Reads end offsets and group commits from the broker, to check that every part of the service has a record. */
export class GroupPositions implements BrokerProbe {
  private connection: Connection | undefined;
  private closed = false;

  constructor(
    private readonly kafka: Pick<Kafka, 'ownClient'>,
    private readonly logger: Logger,
  ) {}

  /** Per partition the next offset to be written. Rejects when one of them is unknown, as `bounds` does. */
  async ends(topic: string): Promise<bigint[]> {
    return (await this.bounds(topic)).map(({ high }) => high);
  }

  /** Per partition the next offset to be written; undefined where the partition has no leader that responds. */
  async knownEnds(topic: string): Promise<(bigint | undefined)[]> {
    return (await this.knownBounds(topic)).map((bounds) => bounds?.high);
  }

  /** Per partition its offsets. Rejects with LeaderlessPartitionError or SilentLeaderError when those of one are unknown. */
  bounds(topic: string): Promise<PartitionBounds[]> {
    return whenLed(async () => {
      const bounds: PartitionBounds[] = [];
      for (const [partition, known] of (await this.knownBounds(topic)).entries())
        if (known === undefined) throw await this.whyUnknown(topic, partition);
        else bounds.push(known);
      return bounds;
    });
  }

  /** Per partition its offsets; undefined where the partition has no leader that responds. Rejects when no leader does. */
  async knownBounds(topic: string): Promise<(PartitionBounds | undefined)[]> {
    // Without a leader that responds there is no offset (see separate-partitions.ts and separate-brokers.ts).
    const offsets: readonly (PartitionOffset & { low?: string; high?: string })[] = await this.request((admin) =>
      admin.fetchTopicOffsets(topic),
    );
    const bounds = new Array<PartitionBounds | undefined>(offsets.length).fill(undefined);
    for (const { partition, low, high } of offsets)
      if (low !== undefined && high !== undefined) bounds[partition] = { low: BigInt(low), high: BigInt(high) };
    return bounds;
  }

  /**
   * Per partition the first offset whose record is not older than the given Unix milliseconds, else the end. Rejects when
   * one of them is unknown, as `bounds` does.
   */
  offsetsAt(topic: string, timestampMs: number): Promise<bigint[]> {
    return whenLed(async () => {
      const response: readonly PartitionOffset[] = await this.request((admin) =>
        admin.fetchTopicOffsetsByTimestamp(topic, timestampMs),
      );
      const offsets: bigint[] = [];
      for (const { partition, offset } of response) {
        if (offset === undefined) throw await this.whyUnknown(topic, partition);
        offsets[partition] = BigInt(offset);
      }
      return offsets;
    });
  }

  /** Like `bounds`, but waits until Kafka and all partitions of the topic are available. */
  endsWhenThere(topic: string, signal: AbortSignal): Promise<PartitionBounds[]> {
    return keepTrying(`reading the ends of ${topic}`, () => this.bounds(topic), { logger: this.logger, signal });
  }

  /** Per partition the group's committed offset; -1 where it has committed none. */
  async committed(group: string, topic: string): Promise<bigint[]> {
    const [response] = await this.request((admin) => admin.fetchOffsets({ groupId: group, topics: [topic] }));
    const committed: bigint[] = [];
    for (const { partition, offset } of response?.partitions ?? []) committed[partition] = BigInt(offset);
    return committed;
  }

  /** Current number of members of a group; 0 for an unknown one. */
  async memberCount(group: string): Promise<number> {
    const { groups } = await this.request((admin) => admin.describeGroups([group]));
    return groups[0]?.members.length ?? 0;
  }

  /** Groups named `<prefix>.…` that currently have members. */
  async liveViewGroups(prefix: string): Promise<string[]> {
    const { groups } = await this.request((admin) => admin.listGroups());
    const names = groups.map(({ groupId }) => groupId).filter((name) => name.startsWith(`${prefix}.`));
    if (names.length === 0) return [];
    const described = await this.request((admin) => admin.describeGroups(names));
    return described.groups.filter(({ members }) => members.length > 0).map(({ groupId }) => groupId);
  }

  async brokerAnswers(asked: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    const silent = new Set<number>();
    for (const topic of asked) {
      const leaders = await this.leadersOf(topic);
      const bounds = await this.knownBounds(topic).catch(() => []);
      for (const [partition, leader] of leaders) if (bounds[partition] === undefined) silent.add(leader);
    }
    const { brokers } = await this.request((admin) => admin.describeCluster());
    return new Map(brokers.map(({ nodeId }) => [String(nodeId), !silent.has(nodeId)]));
  }

  /** Whether all groups have committed past a record. */
  async passed(
    place: { topic: string; partition: number; offset: bigint },
    groups: readonly string[],
  ): Promise<boolean> {
    const commits = await Promise.all(groups.map((group) => this.committed(group, place.topic)));
    return commits.every((offsets) => (offsets[place.partition] ?? -1n) > place.offset);
  }

  /** Deletes a group without members; a failure is harmless, because the broker expires the group later. */
  async forget(group: string): Promise<void> {
    await this.request((admin) => admin.deleteGroups([group])).catch((error: unknown) =>
      this.logger.debug({ group, cause: String(error) }, 'a group could not be deleted'),
    );
  }

  /** Disconnects permanently: later requests fail. */
  async close(): Promise<void> {
    this.closed = true;
    const { connection } = this;
    if (!connection) return;
    await disconnect(connection);
    this.leave(connection);
  }

  private async whyUnknown(topic: string, partition: number): Promise<Error> {
    const leader = (await this.leadersOf(topic)).get(partition);
    const isLed = leader !== undefined && leader !== noLeader;
    return isLed ? new SilentLeaderError(topic, partition, leader) : new LeaderlessPartitionError(topic, partition);
  }

  private async leadersOf(topic: string): Promise<ReadonlyMap<number, number>> {
    const { topics } = await this.request((admin) => admin.fetchTopicMetadata({ topics: [topic] }));
    return new Map(topics.flatMap(({ partitions }) => partitions.map((each) => [each.partitionId, each.leader])));
  }

  /**
   * Runs a request; again with new metadata where a partition's leader or a group's coordinator has changed: kafkajs asks the former
   * one again, if any.
   */
  private async request<T>(call: (admin: Admin) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.requestOnce(call);
      } catch (error) {
        if (!isMoved(error) || attempt === leaderAttempts) throw error;
        await sleep(attempt * 100);
      }
  }

  /** Runs a request over one open connection; after an error the next one reconnects. */
  private async requestOnce<T>(call: (admin: Admin) => Promise<T>): Promise<T> {
    if (this.closed) throw new Error('the positions of groups are closed');
    const connection = (this.connection ??= this.connect());
    const response = connection.admin.then(call);
    connection.inFlight.add(response);
    try {
      return await response;
    } catch (error) {
      this.leave(connection);
      throw error;
    } finally {
      connection.inFlight.delete(response);
    }
  }

  private connect(): Connection {
    const { client, cutOff } = this.kafka.ownClient();
    const admin = client.admin({ retry: { retries: 2 } });
    return { admin: admin.connect().then(() => admin), inFlight: new Set(), cutOff };
  }

  /**
   * Uses a connection no longer. Its other requests go on: it ends after them, which nobody waits for. Then all that the client has
   * opened is closed, because it connects again for requests that were in flight, and for parts of one that has failed.
   */
  private leave(connection: Connection): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    const { inFlight, cutOff } = connection;
    void Promise.allSettled(inFlight)
      .then(() => disconnect(connection))
      .then(cutOff);
  }
}

/** A client with its own connections, and its requests that have no response. */
interface Connection {
  readonly admin: Promise<Admin>;
  readonly inFlight: Set<Promise<unknown>>;
  cutOff(): void;
}

function disconnect({ admin }: Connection): Promise<void> {
  return admin.then((connected) => connected.disconnect()).catch(() => undefined);
}

/** After its own attempts kafkajs has the error as a cause. */
function isMoved(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return movedTypes.has((error as { type?: unknown }).type) || isMoved(error.cause);
}

interface PartitionOffset {
  readonly partition: number;
  readonly offset?: string;
}

/** Reads offsets again while a partition has no leader, for about a second. */
async function whenLed<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LeaderlessPartitionError) || attempt === leaderAttempts) throw error;
      await sleep(attempt * 200);
    }
}
