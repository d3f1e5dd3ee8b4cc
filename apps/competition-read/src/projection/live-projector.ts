import { type Outcome } from '@podium/runtime/kafka';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { holdLiveSet } from '../table-sets/live-table-set.store';
import { tablesOf } from '../table-sets/table-set';
import { applyChanges } from './apply-changes';
import { type ChangesBatch, PlacedChanges, handleChanges } from './handle-changes';
import { movePosition } from './positions.store';
import { ProjectionMetrics } from './projection-metrics';
import { ChangeOutcome } from './stale-changes';

/** Applies batches of changes to the live table set, and counts the outcomes. */
export class LiveProjector {
  constructor(
    private readonly pool: Pool,
    private readonly metrics: ProjectionMetrics,
  ) {}

  /** Returns the outcome of each record. */
  async handle(batch: ChangesBatch): Promise<Outcome[]> {
    const outcomes = await handleChanges(batch, (changes) => this.apply(changes));
    for (const outcome of outcomes) if (outcome.kind === 'dead') this.metrics.changes.inc({ outcome: 'dead' });
    return outcomes;
  }

  private async apply(batch: PlacedChanges): Promise<ChangeOutcome[]> {
    const stopTimer = this.metrics.batchSeconds.startTimer();
    const outcomes = await applyToLiveSet(this.pool, batch);
    stopTimer();
    this.metrics.batchChanges.observe(outcomes.length);
    for (const outcome of outcomes) this.metrics.changes.inc({ outcome });
    return outcomes;
  }
}

/**
 * Applies changes to the set that is live when the transaction begins; it stays live until the transaction ends. Throws
 * `PositionMovedError` for a batch that was read from positions of the set that was live before a swap.
 */
export async function applyToLiveSet(pool: Pool, batch: PlacedChanges): Promise<ChangeOutcome[]> {
  return inTransaction(pool, async (tx) => {
    const tables = tablesOf(await holdLiveSet(tx));
    await movePosition(tx, tables, batch);
    return applyChanges(tx, tables, batch.changes);
  });
}
