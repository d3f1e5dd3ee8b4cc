import { recordKey, topics } from '@podium/messages';
import { GroupPositions, partitionOf } from '@podium/runtime/kafka';
import { readGroupCommits } from '../group-progress/group-commits';
import { ContractProgressStore } from './contract-progress.store';

/** Kafka operations that the watcher needs. */
export type ContractPositions = Pick<GroupPositions, 'knownEnds' | 'liveViewGroups' | 'committed'>;

/**
 * Sets `in_force_at` of published versions. After the record is acknowledged, its partition's end is stored; once every live
 * instance of every kind of view has committed past it, each one has the version. While a kind has no live instance, nothing
 * is confirmed, because no instance applies the contract.
 */
export class ContractWatcher {
  private readonly topic = topics.integrations;

  constructor(
    private readonly store: ContractProgressStore,
    private readonly positions: ContractPositions,
  ) {}

  /** Runs one round; does not query Kafka when no version waits. */
  async run(): Promise<void> {
    const waiting = (await this.store.waiting()).filter((contract) => contract.published);
    if (waiting.length === 0) return;
    const ends = await this.positions.knownEnds(this.topic.name);
    const groups = await this.liveGroups();
    const commits = groups && (await readGroupCommits(this.positions, this.topic.name, groups));
    for (const contract of waiting) {
      const partition = partitionOf(recordKey(contract.platform), this.topic.partitions);
      const present = ends[partition];
      // Without a leader the end is unknown; the next round reads it.
      if (contract.barrierOffset === null && present === undefined) continue;
      const barrier = contract.barrierOffset ?? Number(present);
      if (contract.barrierOffset === null) await this.store.setBarrier(contract, barrier);
      const end = { topic: this.topic.name, partition, end: BigInt(barrier) };
      if (groups && commits?.past([end]).length === groups.length) await this.store.setInForce(contract, new Date());
    }
  }

  /** Live consumer groups of all kinds of view, or null while one kind has none. */
  private async liveGroups(): Promise<string[] | null> {
    const kinds = await Promise.all(this.topic.inForceWhen.map((prefix) => this.positions.liveViewGroups(prefix)));
    return kinds.some((groups) => groups.length === 0) ? null : kinds.flat();
  }
}
