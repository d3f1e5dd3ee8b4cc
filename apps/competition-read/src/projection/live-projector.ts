import { Pool, inTransaction } from '@podium/runtime/postgres';
import { ChangeOutcome, applyChanges } from './apply-changes';
import { PlacedChanges } from './handle-changes';
import { holdLiveSet } from './live-set.store';
import { movePosition } from './positions.store';
import { tablesOf } from './table-set';

/**
 * Applies changes to the set that is live when the transaction begins; it stays live until the transaction ends. A batch that
 * was read by the positions of the set before a swap does not follow those of this one: `PositionMovedError`.
 */
export async function applyToLiveSet(pool: Pool, batch: PlacedChanges): Promise<ChangeOutcome[]> {
  return inTransaction(pool, async (tx) => {
    const tables = tablesOf(await holdLiveSet(tx));
    await movePosition(tx, tables, batch);
    return applyChanges(tx, tables, batch.changes);
  });
}
