import { Queryable } from '@podium/runtime/postgres';
import { Unissued, UnissuedStatus } from '../awards/known-award';
import { LockedUser } from '../users/users.store';

/** Occurrences of a user that share a row of what is not issued. */
export interface UnissuedRow extends LockedUser {
  readonly id: number;
  readonly series: string;
  readonly first: number;
  readonly last: number;
  readonly status: UnissuedStatus;
  readonly reason: Unissued['reason'];
  readonly version: number;
  readonly account: string | null;
  readonly reward: Unissued['terms']['reward'];
  /** Unix seconds. */
  readonly reachedAt: number;
  readonly notedAt: Date;
}

/** Which rows of a task to list; all given criteria hold. */
export interface UnissuedFilter {
  readonly taskId: string;
  readonly status?: UnissuedStatus;
  readonly userId?: string;
  /** Only rows after the one of this id. */
  readonly after: number | null;
  readonly limit: number;
}

const rowsSql = `
  SELECT unissued_id AS id, user_ref AS "userRef", platform, user_id AS "userId", series, first, last, status, reason,
    task_version AS version, account, reward, reached_at AS "reachedAt", noted_at AS "notedAt"
  FROM engagement.unissued_awards JOIN engagement.users USING (user_ref)
  WHERE task_id = $1`;

/** Rows of a task in the order of their ids. */
export async function listUnissued(db: Queryable, filter: UnissuedFilter): Promise<UnissuedRow[]> {
  const { rows } = await db.query<UnissuedRow>(
    `${rowsSql} AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR user_id = $3)
       AND ($4::bigint IS NULL OR unissued_id > $4)
     ORDER BY unissued_id LIMIT $5`,
    [filter.taskId, filter.status ?? null, filter.userId ?? null, filter.after, filter.limit],
  );
  return rows;
}

/** The rows of a task with these ids; ids of other tasks are left out. */
export async function readUnissuedRows(tx: Queryable, taskId: string, ids: readonly number[]): Promise<UnissuedRow[]> {
  const { rows } = await tx.query<UnissuedRow>(`${rowsSql} AND unissued_id = ANY ($2::bigint[])`, [taskId, ids]);
  return rows;
}

/** Marks rows as refused; the caller has locked their users. */
export async function refuseRows(tx: Queryable, ids: readonly number[]): Promise<void> {
  await tx.query(
    `UPDATE engagement.unissued_awards SET status = 'refused', reason = NULL WHERE unissued_id = ANY ($1::bigint[])`,
    [ids],
  );
}

/** Who published each version of a task, by version. */
export async function readPublishers(tx: Queryable, taskId: string): Promise<Map<number, string | null>> {
  const { rows } = await tx.query<{ version: number; published_by: string | null }>(
    `SELECT version, published_by FROM engagement.definitions WHERE definition_id = $1 AND published_at IS NOT NULL`,
    [taskId],
  );
  return new Map(rows.map((row) => [row.version, row.published_by]));
}
