import { Queryable } from '@podium/runtime/postgres';
import { TableSet, Tables, schema, tablesOf } from '../table-sets/table-set';
import { RebuildSupersededError, discardInterruptedRebuild } from './interrupted-rebuilds.store';

/** Where a rebuild takes its documents from. */
export type RebuildSource = 'topic' | 'copy';

/** A rebuild of the set that is not live. */
export interface Rebuild {
  readonly id: number;
  readonly tables: Tables;
  /** Rejects with `RebuildInterruptedError` when the session of the rebuild has ended: some of its writes may be lost. */
  holds(this: void): Promise<void>;
}

/** Any fixed number that no other service uses, as they share the database: a running rebuild holds this lock for its session. */
const rebuildLock = 7_243_301;

/** Takes the lock of rebuilds for the session of this client; false when another session holds it. */
export async function takeRebuildLock(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [rebuildLock]);
  return rows[0].taken;
}

/** Releases the lock of rebuilds. */
export async function releaseRebuildLock(client: Queryable): Promise<void> {
  await client.query('SELECT pg_advisory_unlock($1)', [rebuildLock]);
}

/** Empties a set and records that it is being rebuilt. */
export async function beginRebuild(
  tx: Queryable,
  target: TableSet,
  source: RebuildSource,
): Promise<Omit<Rebuild, 'holds'>> {
  await discardInterruptedRebuild(tx, target);
  const { rows } = await tx.query<{ id: number }>(
    `INSERT INTO ${schema}.rebuilds (target, source) VALUES ($1, $2) RETURNING id`,
    [target, source],
  );
  return { id: rows[0].id, tables: tablesOf(target) };
}

/**
 * Records progress, in the transaction that made it or in one of its own. Rejects with `RebuildSupersededError`: only a
 * rebuild that is still running may write into its set.
 */
export async function noteProgress(
  tx: Queryable,
  { id }: Pick<Rebuild, 'id'>,
  { doneMore, toCome }: { doneMore: number; toCome?: number },
): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE ${schema}.rebuilds
     SET records_done = records_done + $2, records_total = coalesce(records_done + $3, records_total), heartbeat_at = clock_timestamp()
     WHERE id = $1 AND state = 'running'`,
    [id, doneMore, toCome ?? null],
  );
  if (rowCount === 0) throw new RebuildSupersededError();
}

/** Records how a rebuild ended. Rejects with `RebuildSupersededError` when it succeeded but may no longer swap. */
export async function finishRebuild(tx: Queryable, { id }: Pick<Rebuild, 'id'>, error?: string): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE ${schema}.rebuilds SET state = $2, error = $3, finished_at = clock_timestamp(), heartbeat_at = clock_timestamp()
     WHERE id = $1 AND state = 'running'`,
    [id, error === undefined ? 'swapped' : 'failed', error ?? null],
  );
  if (rowCount === 0 && error === undefined) throw new RebuildSupersededError();
}

/** Resolves while the session's server is alive. */
export async function askServer(session: Queryable): Promise<void> {
  await session.query('SELECT 1');
}
