import { recordKey, topics } from '@podium/messages';
import { GroupPositions, partitionOf } from '@podium/runtime/kafka';
import { ContractProgressStore, WaitingContract } from './contract-progress.store';

/** What the watcher asks of Kafka. */
export type ContractPositions = Pick<GroupPositions, 'ends' | 'liveViewGroups' | 'passed'>;

/**
 * Sets `in_force_at` of published versions: after the record is acknowledged its partition's end is noted, and once every
 * live instance of every kind of view has committed up to there, each one has the version. While a kind has no live
 * instance nothing is confirmed: nobody applies the contract then.
 */
export class ContractWatcher {
  private readonly topic = topics.integrations;

  constructor(
    private readonly store: ContractProgressStore,
    private readonly positions: ContractPositions,
  ) {}

  /** One look; does not touch Kafka when nothing waits. */
  async run(): Promise<void> {
    const waiting = (await this.store.waiting()).filter((contract) => contract.published);
    if (waiting.length === 0) return;
    const ends = await this.positions.ends(this.topic.name);
    const groups = await this.liveGroups();
    for (const contract of waiting) {
      const partition = partitionOf(recordKey(contract.platform), this.topic.partitions);
      const barrier = contract.barrierOffset ?? Number(ends[partition] ?? 0n);
      if (contract.barrierOffset === null) await this.store.setBarrier(contract, barrier);
      if (groups && (await this.isEverywhere(partition, barrier, groups))) await this.confirm(contract);
    }
  }

  /** Live groups of all kinds, or null while one kind has none. */
  private async liveGroups(): Promise<string[] | null> {
    const kinds = await Promise.all(this.topic.inForceWhen.map((prefix) => this.positions.liveViewGroups(prefix)));
    return kinds.some((groups) => groups.length === 0) ? null : kinds.flat();
  }

  private isEverywhere(partition: number, barrier: number, groups: readonly string[]): Promise<boolean> {
    return this.positions.passed({ topic: this.topic.name, partition, offset: BigInt(barrier) - 1n }, groups);
  }

  private confirm(contract: WaitingContract): Promise<void> {
    return this.store.setInForce(contract, new Date());
  }
}
