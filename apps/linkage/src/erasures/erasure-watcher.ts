import { TopicRow, topics } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';
import { Gauge, Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { ErasurePlace, WaitingErasure, readWaiting, savePassed, savePlaces } from './erasures.store';

/** What the watcher asks of Kafka. */
export type ErasurePositions = Pick<GroupPositions, 'ends' | 'committed'>;

const waitingMax = 200;

/**
 * Finds out when every part of the service has applied an erasure: after the relay's acknowledgement the ends of the
 * partitions with its records are noted, and each group must commit past them. All it needs lies in Postgres and Kafka, so
 * that any instance finishes what another began.
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

  /** One look; does not touch Kafka when nothing waits. */
  async run(): Promise<void> {
    const waiting = await readWaiting(this.db, waitingMax);
    this.age.set(waiting.length === 0 ? 0 : Math.max(0, Date.now() - waiting[0].erasedAt.getTime()) / 1000);
    const published = waiting.filter((erasure) => erasure.published);
    if (published.length === 0) return;
    const placed = await this.place(published);
    const committed = await this.committed();
    for (const { erasureId, places } of placed) {
      const groups = [...committed].filter(([, offsets]) => hasPassed(offsets, places)).map(([group]) => group);
      if (groups.length > 0) await savePassed(this.db, erasureId, { groups, isLast: groups.length === committed.size });
    }
  }

  private async place(erasures: readonly WaitingErasure[]): Promise<Placed[]> {
    const rows: readonly TopicRow[] = [topics.links, topics.erasures];
    const ends = erasures.some(({ places }) => places === null)
      ? await Promise.all(rows.map(({ name }) => this.positions.ends(name)))
      : [];
    const placed: Placed[] = [];
    for (const { erasureId, linkPartitions, places } of erasures) {
      const partitions = [linkPartitions, [0]];
      const found =
        places ??
        rows.flatMap(({ name }, index) =>
          partitions[index].map((partition) => ({ topic: name, partition, end: String(ends[index][partition]) })),
        );
      if (places === null) await savePlaces(this.db, erasureId, found);
      placed.push({ erasureId, places: found });
    }
    return placed;
  }

  /** By group its topic and how far it is. */
  private async committed(): Promise<Map<string, GroupOffsets>> {
    const groups = [topics.links, topics.erasures].flatMap(({ name, readyWhen }) =>
      readyWhen.map((group) => ({ group, topic: name })),
    );
    const offsets = await Promise.all(groups.map(({ group, topic }) => this.positions.committed(group, topic)));
    return new Map(groups.map(({ group, topic }, index) => [group, { topic, offsets: offsets[index] }]));
  }
}

interface Placed {
  readonly erasureId: string;
  readonly places: readonly ErasurePlace[];
}

interface GroupOffsets {
  readonly topic: string;
  readonly offsets: readonly bigint[];
}

function hasPassed({ topic, offsets }: GroupOffsets, places: readonly ErasurePlace[]): boolean {
  return places.every((place) => place.topic !== topic || (offsets[place.partition] ?? -1n) >= BigInt(place.end));
}
