import { Pool, inTransaction } from '@podium/runtime/postgres';
import { applyChanges } from './apply-changes';
import type { PlacedChanges, PlacedOutcome } from './handle-changes';
import { holdLiveSet } from './live-set.store';
import { advancePosition, readPosition } from './positions.store';
import { tablesOf } from './table-set';

/**
 * Applies changes to the set that is live when the transaction begins; it stays live until the transaction ends. What the
 * set has already by its position is passed: after a swap the set may be further than this reader of the topic.
 */
export async function applyToLiveSet(pool: Pool, batch: PlacedChanges): Promise<PlacedOutcome[]> {
  return inTransaction(pool, async (tx) => {
    const tables = tablesOf(await holdLiveSet(tx));
    const position = (await readPosition(tx, tables, batch)) ?? 0n;
    const fresh = batch.changes.filter(({ offset }) => offset >= position);
    const outcomes = (
      await applyChanges(
        tx,
        tables,
        fresh.map(({ change }) => change),
      )
    ).values();
    await advancePosition(tx, tables, batch);
    return batch.changes.map(({ offset }) => (offset >= position ? outcomes.next().value! : 'passed'));
  });
}
