import { TopicRow, topics } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';
import { Gauge, Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { PartitionEnd, readGroupCommits } from '../group-progress/group-commits';
import { ErasurePosition, WaitingErasure, readWaiting, saveEnds, savePassed } from './erasures.store';

/** Kafka operations that the watcher needs. */
export type ErasurePositions = Pick<GroupPositions, 'knownEnds' | 'committed'>;

/** Erasures that are read at once. */
const pageSize = 200;

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

  /** Runs one round over all erasures that wait, for one group or another; does not query Kafka when none waits. */
  async run(): Promise<void> {
    let last: WaitingErasure | null = null;
    do {
      const page: WaitingErasure[] = await readWaiting(this.db, last, pageSize);
      if (last === null)
        this.age.set(page.length === 0 ? 0 : Math.max(0, Date.now() - page[0].erasedAt.getTime()) / 1000);
      await this.check(page.filter(({ published }) => published));
      last = page.length < pageSize ? null : page[page.length - 1];
    } while (last !== null);
  }

  private async check(published: readonly WaitingErasure[]): Promise<void> {
    if (published.length === 0) return;
    const positioned = await this.storeEnds(published);
    const commits = await Promise.all(
      watched.map(({ name, readyWhen }) => readGroupCommits(this.positions, name, readyWhen)),
    );
    for (const { erasureId, passed, ends } of positioned) {
      const groups = commits.flatMap((each) => each.past(ends));
      const isLast = groups.length === groupCount;
      if (isLast || groups.some((group) => !(group in passed)))
        await savePassed(this.db, erasureId, { groups, isLast });
    }
  }

  private async storeEnds(erasures: readonly WaitingErasure[]): Promise<ErasureEnds[]> {
    const topicEnds = erasures.some(({ places }) => places === null)
      ? await Promise.all(watched.map(({ name }) => this.positions.knownEnds(name)))
      : [];
    const stored: ErasureEnds[] = [];
    for (const { erasureId, linkPartitions, places, passed } of erasures) {
      const found = places ?? endsOf([linkPartitions, [0]], topicEnds);
      // Without a leader an end is unknown; the next round reads it.
      if (found === null) continue;
      if (places === null) await saveEnds(this.db, erasureId, found);
      stored.push({ erasureId, passed, ends: found.map((each) => ({ ...each, end: BigInt(each.end) })) });
    }
    return stored;
  }
}

interface ErasureEnds extends Pick<WaitingErasure, 'erasureId' | 'passed'> {
  readonly ends: readonly PartitionEnd[];
}

/** The ends of the given partitions of each watched topic; null when one of them is unknown. */
function endsOf(
  partitions: readonly (readonly number[])[],
  topicEnds: readonly (readonly (bigint | undefined)[])[],
): ErasurePosition[] | null {
  const found: ErasurePosition[] = [];
  for (const [index, { name: topic }] of watched.entries())
    for (const partition of partitions[index]) {
      const end = topicEnds[index][partition];
      if (end === undefined) return null;
      found.push({ topic, partition, end: String(end) });
    }
  return found;
}
