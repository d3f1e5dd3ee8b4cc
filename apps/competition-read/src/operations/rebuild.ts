import { CatchUpProgress, CaughtUp, catchUpAndSwap } from './catch-up';
import { RebuildParts, runRebuild } from './run-rebuild';
import { vacuumSet } from './set-upkeep.store';

/**
 * Builds the tables anew from the topic, beside the live ones, and swaps them once they have all that the live ones have.
 * Reads and live changes go on all the while. Rejects with `RebuildRunningError` when a rebuild is running already; any
 * other failure leaves the live tables as they are, and a later rebuild starts over.
 */
export async function rebuild(
  parts: RebuildParts,
  onProgress?: (progress: CatchUpProgress) => void,
): Promise<CaughtUp> {
  return runRebuild(parts, 'topic', (run) =>
    catchUpAndSwap(parts, run, { onProgress, beforeSwap: () => vacuumSet(parts.pool, run.tables) }),
  );
}
