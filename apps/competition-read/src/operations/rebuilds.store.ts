import { Queryable } from '@podium/runtime/postgres';
import { TableSet, Tables, schema, tablesOf } from '../projection/table-set';

/** Where a rebuild takes its documents from. */
export type RebuildSource = 'topic' | 'copy';

/** A rebuild of the set that is not live. */
export interface Rebuild {
  readonly id: number;
  readonly tables: Tables;
  /** Rejects with `RebuildInterruptedError` when the session of the rebuild has ended: what it wrote may be lost in part. */
  holds(this: void): Promise<void>;
}

/** Postgres was away or another server took over while a rebuild ran. */
export class RebuildInterruptedError extends Error {
  constructor(cause: unknown) {
    super(
      'Postgres was away while the tables were rebuilt, and may have lost a part of them: begin the rebuild again',
      {
        cause,
      },
    );
  }
}

/** Another rebuild has taken the set, so that this one must not write into it any more. */
export class RebuildSupersededError extends Error {
  constructor() {
    super('another rebuild has taken the place of this one');
  }
}

/** Any fixed number: whoever rebuilds holds it for its session. */
const lockKey = 7_243_002;

/** Takes the lock of rebuilds for the session of this client; false when somebody else has it. */
export async function takeRebuildLock(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lockKey]);
  return rows[0].taken;
}

/** Gives the lock back. */
export async function releaseRebuildLock(client: Queryable): Promise<void> {
  await client.query('SELECT pg_advisory_unlock($1)', [lockKey]);
}

/** Empties a set and notes that it is being rebuilt; a rebuild that never said how it ended has failed by now. */
export async function beginRebuild(
  tx: Queryable,
  target: TableSet,
  source: RebuildSource,
): Promise<Omit<Rebuild, 'holds'>> {
  await tx.query(
    `UPDATE ${schema}.rebuilds
     SET state = 'failed', finished_at = clock_timestamp(), error = 'it ended without a word'
     WHERE state = 'running'`,
  );
  const tables = tablesOf(target);
  const { set: _, ...names } = tables;
  await tx.query(`TRUNCATE ${Object.values(names).join(', ')}`);
  const { rows } = await tx.query<{ id: number }>(
    `INSERT INTO ${schema}.rebuilds (target, source) VALUES ($1, $2) RETURNING id`,
    [target, source],
  );
  return { id: rows[0].id, tables };
}

/**
 * Notes what is done, in the transaction that did it or beside it: only a rebuild that is still running may write into its
 * set. Rejects with `RebuildSupersededError`.
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

/** Notes how a rebuild ended. Rejects with `RebuildSupersededError` when a swap is not its to make any more. */
export async function finishRebuild(tx: Queryable, { id }: Pick<Rebuild, 'id'>, error?: string): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE ${schema}.rebuilds SET state = $2, error = $3, finished_at = clock_timestamp(), heartbeat_at = clock_timestamp()
     WHERE id = $1 AND state = 'running'`,
    [id, error === undefined ? 'swapped' : 'failed', error ?? null],
  );
  if (rowCount === 0 && error === undefined) throw new RebuildSupersededError();
}
