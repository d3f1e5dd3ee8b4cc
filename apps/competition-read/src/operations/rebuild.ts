import { topics } from '@podium/messages';
import { requireTopic } from '@podium/runtime/kafka';
import { CarriedOver, carryOver } from './carry-over';
import { CatchUpProgress, catchUpAndSwap } from './catch-up';
import { RebuildDependencies, runRebuild } from './run-rebuild';
import { vacuumSet } from './table-maintenance.store';
import { SkippedRecords, TopicFollower } from './topic-follower';

/** The result of a rebuild. */
export interface Rebuilt extends SkippedRecords, CarriedOver {}

/**
 * Rebuilds the tables from the topic into the set that is not live, and swaps the sets once the new one has everything
 * that the live one has. Reads and live changes continue meanwhile. What the topic lost by compaction is carried over from
 * the live set (`carry-over.ts`). Rejects with `RebuildRunningError` when a rebuild is already running. Any other failure
 * leaves the live tables unchanged; a rebuild is never resumed, the next starts over.
 */
export async function rebuild(
  dependencies: RebuildDependencies,
  onProgress?: (progress: CatchUpProgress) => void,
): Promise<Rebuilt> {
  await requireTopic(dependencies.kafka, (dependencies.row ?? topics.competitionChanges).name);
  return runRebuild(dependencies, 'topic', async (run) => {
    let carriedOver: CarriedOver = { carried: 0, refused: 0, firstRefused: [] };
    const beforeSwap = async (follower: TopicFollower): Promise<void> => {
      await vacuumSet(dependencies.pool, run.tables);
      carriedOver = await carryOver(dependencies, run, follower);
    };
    const skipped = await catchUpAndSwap(dependencies, run, { onProgress, beforeSwap });
    return { ...skipped, ...carriedOver };
  });
}
