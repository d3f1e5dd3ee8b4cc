import { Queryable } from './queryable';

/**
 * SQL: Postgres' timeline as eight hexadecimal digits, another one after every promotion of a standby and every restore. What
 * was read on one may lack on the next: a standby that lags has not all commits.
 */
export const presentTimeline = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';

export async function readTimeline(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ timeline: string }>(`SELECT ${presentTimeline} AS timeline`);
  return rows[0].timeline;
}
