import { Queryable } from '@podium/runtime/postgres';

/** What a transaction adds to the awards of a task on a day. */
export interface DayChange {
  readonly taskId: string;
  /** UTC date of `reached_at`. */
  readonly day: string;
  /** Below 0 when awards were reversed. */
  readonly awards: number;
}

/** How long the awards of a day are counted, days: longer than any instant can still be reached. */
const countedDays = 60;

/** Adds rows that `addUpDays` sums: transactions do not wait for one another. */
export async function noteDayChanges(tx: Queryable, changes: readonly DayChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.task_day_changes (task_id, day, awards)
     SELECT * FROM unnest($1::uuid[], $2::date[], $3::int[])`,
    [changes.map(({ taskId }) => taskId), changes.map(({ day }) => day), changes.map(({ awards }) => awards)],
  );
}

/** Adds at most `limit` changes to their days; returns how many there were. Instances share the work. */
export async function addUpDays(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query<{ changes: number }>(
    `WITH taken AS (
       DELETE FROM engagement.task_day_changes WHERE change_id = ANY (ARRAY(
         SELECT change_id FROM engagement.task_day_changes ORDER BY change_id LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING task_id, day, awards),
     added AS (
       INSERT INTO engagement.task_days AS known (task_id, day, awards)
       SELECT task_id, day, sum(awards) FROM taken GROUP BY task_id, day ORDER BY task_id, day
       ON CONFLICT (task_id, day) DO UPDATE SET awards = known.awards + excluded.awards)
     SELECT count(*) AS changes FROM taken`,
    [limit],
  );
  return rows[0].changes;
}

/** Deletes days that no instant can reach any more; returns how many. */
export async function deleteOldDays(db: Queryable, nowMs: number): Promise<number> {
  const { rowCount } = await db.query(`DELETE FROM engagement.task_days WHERE day < $1::date`, [
    new Date(nowMs - countedDays * 86_400_000).toISOString().slice(0, 10),
  ]);
  return rowCount ?? 0;
}
