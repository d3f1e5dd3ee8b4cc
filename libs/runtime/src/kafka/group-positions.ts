import { Admin } from 'kafkajs';
import { Logger } from 'pino';
import { Kafka } from './create-kafka';
import { BrokerProbe } from './hang-watch';
import { keepTrying } from './keep-trying';

/** What the broker knows of ends and of groups' commits: the ground of "every part of the service has this record". */
export class GroupPositions implements BrokerProbe {
  private admin: Promise<Admin> | undefined;
  private readonly inFlight = new Set<Promise<unknown>>();
  private closed = false;

  constructor(
    private readonly kafka: Pick<Kafka, 'admin'>,
    private readonly logger: Logger,
  ) {}

  /** Per partition the next offset to be written. */
  async ends(topic: string): Promise<bigint[]> {
    return (await this.bounds(topic)).map(({ high }) => high);
  }

  /** Per partition the first offset that is kept and the next to be written. */
  async bounds(topic: string): Promise<{ low: bigint; high: bigint }[]> {
    const offsets = await this.ask((admin) => admin.fetchTopicOffsets(topic));
    const bounds: { low: bigint; high: bigint }[] = [];
    for (const { partition, low, high } of offsets) bounds[partition] = { low: BigInt(low), high: BigInt(high) };
    return bounds;
  }

  /** Per partition the first offset whose record is not older than the given Unix milliseconds, else the end. */
  async offsetsAt(topic: string, timestampMs: number): Promise<bigint[]> {
    const answer = await this.ask((admin) => admin.fetchTopicOffsetsByTimestamp(topic, timestampMs));
    const offsets: bigint[] = [];
    for (const { partition, offset } of answer) offsets[partition] = BigInt(offset);
    return offsets;
  }

  /** As `bounds`, and waits until Kafka and the topic are there. */
  endsWhenThere(topic: string, signal: AbortSignal): Promise<{ low: bigint; high: bigint }[]> {
    return keepTrying(`reading the ends of ${topic}`, () => this.bounds(topic), { logger: this.logger, signal });
  }

  /** Per partition the group's next offset; -1 where it has committed none. */
  async committed(group: string, topic: string): Promise<bigint[]> {
    const [answer] = await this.ask((admin) => admin.fetchOffsets({ groupId: group, topics: [topic] }));
    const committed: bigint[] = [];
    for (const { partition, offset } of answer?.partitions ?? []) committed[partition] = BigInt(offset);
    return committed;
  }

  /** Commits the beginning of every partition for a group without members, so that it reads the topic again. */
  async rewind(group: string, topic: string): Promise<void> {
    const bounds = await this.bounds(topic);
    const partitions = bounds.map(({ low }, partition) => ({ partition, offset: String(low) }));
    await this.ask((admin) => admin.setOffsets({ groupId: group, topic, partitions }));
  }

  /** How many members a group has now; 0 for one that the broker does not know. */
  async memberCount(group: string): Promise<number> {
    const { groups } = await this.ask((admin) => admin.describeGroups([group]));
    return groups[0]?.members.length ?? 0;
  }

  /** Groups named `<prefix>.…` that have members now. */
  async liveViewGroups(prefix: string): Promise<string[]> {
    const { groups } = await this.ask((admin) => admin.listGroups());
    const names = groups.map(({ groupId }) => groupId).filter((name) => name.startsWith(`${prefix}.`));
    if (names.length === 0) return [];
    const described = await this.ask((admin) => admin.describeGroups(names));
    return described.groups.filter(({ members }) => members.length > 0).map(({ groupId }) => groupId);
  }

  async answeringBrokers(asked: readonly string[]): Promise<ReadonlySet<string>> {
    for (const topic of asked) await this.bounds(topic);
    const { brokers } = await this.ask((admin) => admin.describeCluster());
    return new Set(brokers.map(({ nodeId }) => String(nodeId)));
  }

  /** Whether all groups have committed past a record. */
  async passed(
    place: { topic: string; partition: number; offset: bigint },
    groups: readonly string[],
  ): Promise<boolean> {
    const commits = await Promise.all(groups.map((group) => this.committed(group, place.topic)));
    return commits.every((offsets) => (offsets[place.partition] ?? -1n) > place.offset);
  }

  /** Deletes a group without members; a failure is of no consequence, the broker forgets it later. */
  async forget(group: string): Promise<void> {
    await this.ask((admin) => admin.deleteGroups([group])).catch((error: unknown) =>
      this.logger.debug({ group, cause: String(error) }, 'a group could not be deleted'),
    );
  }

  /** Disconnects for good: a question that is asked afterwards fails. */
  async close(): Promise<void> {
    this.closed = true;
    const admin = this.admin;
    await this.disconnect();
    // The client connects again for a question that was in flight; that does not hold up the stop.
    void Promise.allSettled(this.inFlight).then(() =>
      admin?.then((connected) => connected.disconnect()).catch(() => {}),
    );
  }

  /** Runs a question over one kept connection; after an error the next one connects anew. */
  private async ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    if (this.closed) throw new Error('the positions of groups are closed');
    const connecting = (this.admin ??= this.connect());
    const answer = connecting.then(question);
    this.inFlight.add(answer);
    try {
      return await answer;
    } catch (error) {
      if (this.admin === connecting) await this.disconnect();
      throw error;
    } finally {
      this.inFlight.delete(answer);
    }
  }

  private async disconnect(): Promise<void> {
    const admin = this.admin;
    this.admin = undefined;
    await admin?.then((connected) => connected.disconnect()).catch(() => undefined);
  }

  private async connect(): Promise<Admin> {
    const admin = this.kafka.admin({ retry: { retries: 2 } });
    await admin.connect();
    return admin;
  }
}
