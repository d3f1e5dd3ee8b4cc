import { Logger } from '@podium/runtime/log';
import { Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { lockLiveSet, noteOlderWriter, raiseVersionOfEmptySet, readLiveSet } from '../table-sets/live-table-set.store';
import { projectionVersion } from './project';
import { ProjectionMetrics } from './projection-metrics';

/**
 * Reports by log and metric whether a rebuild is due: the live set was built by another `projectionVersion`. Of an older one,
 * rows of documents that have not changed since are outdated. Of a newer one, as after a roll-back, this version does not find
 * the rows that it has to replace: so the set stays due, in every release, until it is rebuilt. To be called at the start and
 * periodically.
 */
export async function checkProjectionVersion(
  pool: Pool,
  { logger, metrics }: { logger: Logger; metrics: ProjectionMetrics },
): Promise<void> {
  const db = queryable(pool);
  await raiseVersionOfEmptySet(db, projectionVersion);
  const { live, projectionVersion: built } = await readLiveSet(db);
  const isDue = built !== projectionVersion;
  metrics.rebuildDue.set(isDue ? 1 : 0);
  if (isDue)
    logger.warn(
      { live, built, projection_version: projectionVersion },
      'the live tables were built by another version of the projection: run competition:rebuild',
    );
  if (built > projectionVersion)
    await inTransaction(pool, async (tx) => {
      await lockLiveSet(tx);
      await noteOlderWriter(tx, projectionVersion);
    });
}
