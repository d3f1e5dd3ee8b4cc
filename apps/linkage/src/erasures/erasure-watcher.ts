import { TopicRow, topics } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';
import { Gauge, Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { PartitionEnd, readGroupCommits } from '../group-progress/group-commits';
import { WaitingErasure, readWaiting, saveEnds, savePassed } from './erasures.store';

/** Kafka operations that the watcher needs. */
export type ErasurePositions = Pick<GroupPositions, 'ends' | 'committed'>;

const waitingMax = 200;

/** The topics that carry records of an erasure. */
const watched: readonly (TopicRow & { readonly readyWhen: readonly string[] })[] = [topics.links, topics.erasures];
const groupCount = new Set(watched.flatMap(({ readyWhen }) => readyWhen)).size;

/**
 * When is an erasure complete? When every part of the service has applied it: after the relay's acknowledgement the ends of
 * the partitions with its records are stored, and each group must commit past them. Its state is in Postgres and Kafka, so
 * any instance can finish what another began.
 */
export class ErasureWatcher {
  private readonly age: Gauge;

  constructor(
    private readonly db: Queryable,
    private readonly positions: ErasurePositions,
    registry: Registry,
  ) {
    this.age = new Gauge({
      name: 'linkage_erasure_oldest_seconds',
      help: 'Age of the oldest erasure that is not done in every service; 0 when there is none',
      registers: [registry],
    });
  }

  /** Runs one round; does not query Kafka when no erasure waits. */
  async run(): Promise<void> {
    const waiting = await readWaiting(this.db, waitingMax);
    this.age.set(waiting.length === 0 ? 0 : Math.max(0, Date.now() - waiting[0].erasedAt.getTime()) / 1000);
    const published = waiting.filter((erasure) => erasure.published);
    if (published.length === 0) return;
    const positioned = await this.storeEnds(published);
    const commits = await Promise.all(
      watched.map(({ name, readyWhen }) => readGroupCommits(this.positions, name, readyWhen)),
    );
    for (const { erasureId, ends } of positioned) {
      const groups = commits.flatMap((each) => each.past(ends));
      if (groups.length > 0) await savePassed(this.db, erasureId, { groups, isLast: groups.length === groupCount });
    }
  }

  private async storeEnds(erasures: readonly WaitingErasure[]): Promise<ErasureEnds[]> {
    const topicEnds = erasures.some(({ places }) => places === null)
      ? await Promise.all(watched.map(({ name }) => this.positions.ends(name)))
      : [];
    const stored: ErasureEnds[] = [];
    for (const { erasureId, linkPartitions, places } of erasures) {
      const partitions = [linkPartitions, [0]];
      const found =
        places ??
        watched.flatMap(({ name }, index) =>
          partitions[index].map((partition) => ({ topic: name, partition, end: String(topicEnds[index][partition]) })),
        );
      if (places === null) await saveEnds(this.db, erasureId, found);
      stored.push({ erasureId, ends: found.map((each) => ({ ...each, end: BigInt(each.end) })) });
    }
    return stored;
  }
}

interface ErasureEnds {
  readonly erasureId: string;
  readonly ends: readonly PartitionEnd[];
}
