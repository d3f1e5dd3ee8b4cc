import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '@podium/runtime/postgres';
import { Rebuild, noteProgress } from './rebuilds.store';
import { RebuildDependencies } from './run-rebuild';
import { swapTableSets } from './swap-table-sets';
import { SkippedRecords, TopicFollower } from './topic-follower';

/** Progress of reading the topic. */
export interface CatchUpProgress {
  readonly recordsDone: number;
  /** Offsets from the beginning to the end at the start of the rebuild; compaction leaves fewer records than these. */
  readonly recordsTotal: number;
}

/** A progress listener, and work to do once the set has the whole topic, while the follower applies further changes. */
export interface CatchUpOptions {
  onProgress?(this: void, progress: CatchUpProgress): void;
  beforeSwap?(this: void, follower: TopicFollower): Promise<void>;
}

/** Pause before the swap is tried again, milliseconds. */
const swapRetryMs = 200;

/** Reads the topic from its beginning into the set of a rebuild, with its positions, and then swaps the table sets. */
export async function catchUpAndSwap(
  dependencies: RebuildDependencies,
  rebuild: Rebuild,
  { onProgress = () => undefined, beforeSwap = () => Promise.resolve() }: CatchUpOptions = {},
): Promise<SkippedRecords> {
  const follower = new TopicFollower(dependencies, rebuild);
  try {
    await follower.start();
    const total = await follower.total();
    await inTransaction(dependencies.pool, (tx) => noteProgress(tx, rebuild, { doneMore: 0, toCome: total }));
    const showDone = (recordsDone: number): void => onProgress({ recordsDone, recordsTotal: total });
    await follower.reachEnd(showDone);
    await beforeSwap(follower);
    let reached = await follower.reachEnd(showDone);
    while (!(await swapTableSets(dependencies, rebuild, follower, reached))) {
      await sleep(swapRetryMs);
      reached = await follower.reachEnd(showDone);
    }
    return follower.skipped();
  } finally {
    await follower.stop();
  }
}
