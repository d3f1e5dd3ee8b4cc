import { CatchUpProgress, catchUpAndSwap } from './catch-up';
import { RebuildDependencies, runRebuild } from './run-rebuild';
import { vacuumSet } from './table-maintenance.store';
import { SkippedRecords } from './topic-follower';

/**
 * Rebuilds the tables from the topic into the set that is not live, and swaps the sets once the new one has everything
 * that the live one has. Reads and live changes continue meanwhile. Rejects with `RebuildRunningError` when a rebuild is
 * already running. Any other failure leaves the live tables unchanged; a rebuild is never resumed, the next starts over.
 */
export async function rebuild(
  dependencies: RebuildDependencies,
  onProgress?: (progress: CatchUpProgress) => void,
): Promise<SkippedRecords> {
  return runRebuild(dependencies, 'topic', (run) =>
    catchUpAndSwap(dependencies, run, { onProgress, beforeSwap: () => vacuumSet(dependencies.pool, run.tables) }),
  );
}
