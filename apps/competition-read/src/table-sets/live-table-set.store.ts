import { Queryable } from '@podium/runtime/postgres';
import { TableSet, schema, tablesOf } from './table-set';

/** The set that serves reads and receives changes. */
export interface LiveTableSetRow {
  readonly live: TableSet;
  /** Version of the projection code that built it. */
  readonly projectionVersion: number;
  /** When it became live, Unix milliseconds. */
  readonly swappedAtMs: number;
  /** The server's current time, Unix milliseconds. */
  readonly nowMs: number;
}

/** Reads which set is live. */
export async function readLiveSet(db: Queryable): Promise<LiveTableSetRow> {
  const { rows } = await db.query<{ live: TableSet; version: number; swapped: number; now: number }>(
    `SELECT live, projection_version AS version, (extract(epoch FROM swapped_at) * 1000)::bigint AS swapped,
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
     FROM ${schema}.live_set`,
  );
  const [{ live, version, swapped, now }] = rows;
  return { live, projectionVersion: version, swappedAtMs: Number(swapped), nowMs: Number(now) };
}

/** Reads which set is live; a shared lock keeps it live until the transaction ends. */
export async function holdLiveSet(tx: Queryable): Promise<TableSet> {
  const { rows } = await tx.query<{ live: TableSet }>(`SELECT live FROM ${schema}.live_set FOR SHARE`);
  return rows[0].live;
}

/**
 * Locks the live set against writers until the transaction ends; reads continue. It locks the table instead of the row,
 * because table locks queue: a steady stream of shared row locks would block a row lock forever.
 */
export async function lockLiveSet(tx: Queryable): Promise<void> {
  await tx.query(`LOCK TABLE ${schema}.live_set IN EXCLUSIVE MODE`);
}

/** Makes another set live; the transaction must hold the lock. */
export async function writeLiveSet(tx: Queryable, live: TableSet, projectionVersion: number): Promise<void> {
  await tx.query(`UPDATE ${schema}.live_set SET live = $1, projection_version = $2, swapped_at = clock_timestamp()`, [
    live,
    projectionVersion,
  ]);
}

/**
 * A live set without documents counts as built by this version. The statement names no table of the other set, which a bulk load
 * has locked for as long as it copies.
 */
export async function raiseVersionOfEmptySet(db: Queryable, version: number): Promise<void> {
  const { live } = await readLiveSet(db);
  await db.query(
    `UPDATE ${schema}.live_set SET projection_version = $1
     WHERE projection_version < $1 AND live = $2 AND NOT EXISTS (SELECT FROM ${tablesOf(live).documents})`,
    [version, live],
  );
}

/** The version of a set whose rows releases with different versions have written; lower than any. */
const ofSeveral = 0;

/**
 * The live set no longer counts as built by a version above this one: rows of this version are added to it. The transaction must
 * hold the lock.
 */
export async function noteOlderWriter(tx: Queryable, version: number): Promise<void> {
  await tx.query(`UPDATE ${schema}.live_set SET projection_version = $1 WHERE projection_version > $2`, [
    ofSeveral,
    version,
  ]);
}
