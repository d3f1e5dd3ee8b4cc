import { Queryable } from '@podium/runtime/postgres';
import { TableSet, schema, tablesOf } from './table-set';

/** The set that is read and kept up to date. */
export interface LiveSet {
  readonly live: TableSet;
  /** Version of the code that built it. */
  readonly projectionVersion: number;
  /** Since when, Unix milliseconds. */
  readonly swappedAtMs: number;
  /** The server's present time, Unix milliseconds. */
  readonly nowMs: number;
}

/** Which set is live. */
export async function readLiveSet(db: Queryable): Promise<LiveSet> {
  const { rows } = await db.query<{ live: TableSet; version: number; swapped: number; now: number }>(
    `SELECT live, projection_version AS version, (extract(epoch FROM swapped_at) * 1000)::bigint AS swapped,
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
     FROM ${schema}.live_set`,
  );
  const [{ live, version, swapped, now }] = rows;
  return { live, projectionVersion: version, swappedAtMs: Number(swapped), nowMs: Number(now) };
}

/** Which set is live, and stays so until the transaction ends. Many may hold it so at once. */
export async function holdLiveSet(tx: Queryable): Promise<TableSet> {
  const { rows } = await tx.query<{ live: TableSet }>(`SELECT live FROM ${schema}.live_set FOR SHARE`);
  return rows[0].live;
}

/**
 * Waits until nobody holds the live set and lets nobody hold it until the transaction ends; reading it goes on. The lock of
 * the table, not of its row: it waits in a queue, where holders that come without end would keep a row for ever.
 */
export async function lockLiveSet(tx: Queryable): Promise<void> {
  await tx.query(`LOCK TABLE ${schema}.live_set IN EXCLUSIVE MODE`);
}

/** Makes another set live; the transaction has the lock. */
export async function writeLiveSet(tx: Queryable, live: TableSet, projectionVersion: number): Promise<void> {
  await tx.query(`UPDATE ${schema}.live_set SET live = $1, projection_version = $2, swapped_at = clock_timestamp()`, [
    live,
    projectionVersion,
  ]);
}

/** A live set without documents is as good as built by this version. */
export async function raiseVersionOfEmptySet(db: Queryable, version: number): Promise<void> {
  const documents = (set: TableSet): string => `SELECT FROM ${tablesOf(set).documents}`;
  await db.query(
    `UPDATE ${schema}.live_set SET projection_version = $1
     WHERE projection_version < $1
       AND NOT CASE live WHEN 'a' THEN EXISTS (${documents('a')}) ELSE EXISTS (${documents('b')}) END`,
    [version],
  );
}
