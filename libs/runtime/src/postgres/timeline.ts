import { Queryable } from './queryable';

/**
 * SQL: Postgres' timeline as eight hexadecimal digits, which changes at every promotion of a standby and every restore. Data
 * read on one timeline may be missing on the next, because a standby that lags does not have all commits.
 */
export const presentTimeline = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';

export async function readTimeline(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ timeline: string }>(`SELECT ${presentTimeline} AS timeline`);
  return rows[0].timeline;
}
