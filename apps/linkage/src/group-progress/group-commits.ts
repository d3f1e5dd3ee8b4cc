import { GroupPositions } from '@podium/runtime/kafka';

/** The end of a partition, read after the records in question were acknowledged. */
export interface PartitionEnd {
  readonly topic: string;
  readonly partition: number;
  readonly end: bigint;
}

/**
 * How far consumer groups have committed a topic. This one rule decides when links are ready, contracts in force and
 * erasures complete. A group passes a partition's end by committing it; a group without a commit has passed nothing.
 */
export class GroupCommits {
  constructor(
    private readonly topic: string,
    private readonly offsetsByGroup: ReadonlyMap<string, readonly bigint[]>,
  ) {}

  /** The groups that have passed all of the given ends of this topic; ends of other topics do not count. */
  past(ends: readonly PartitionEnd[]): string[] {
    const here = ends.filter(({ topic }) => topic === this.topic);
    return [...this.offsetsByGroup.keys()].filter((group) =>
      here.every(({ partition, end }) => this.committed(group, partition) >= end),
    );
  }

  /** Per partition the offset of the slowest group; -1 where one has no commit. */
  slowest(partitions: number): bigint[] {
    const groups = [...this.offsetsByGroup.keys()];
    return Array.from({ length: partitions }, (_, partition) =>
      groups.reduce((least, group) => {
        const offset = this.committed(group, partition);
        return offset < least ? offset : least;
      }, BigInt(Number.MAX_SAFE_INTEGER)),
    );
  }

  private committed(group: string, partition: number): bigint {
    return this.offsetsByGroup.get(group)?.[partition] ?? -1n;
  }
}

/** Reads how far groups have committed a topic. */
export async function readGroupCommits(
  positions: Pick<GroupPositions, 'committed'>,
  topic: string,
  groups: readonly string[],
): Promise<GroupCommits> {
  const offsets = await Promise.all(groups.map((group) => positions.committed(group, topic)));
  return new GroupCommits(topic, new Map(groups.map((group, index) => [group, offsets[index]])));
}
