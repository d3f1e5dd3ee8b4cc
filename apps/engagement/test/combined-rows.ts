import { BonusAwardIssuedData } from '@podium/messages';
import { Pool } from '@podium/runtime/postgres';
import type { BudgetLeft, PublishedEntry, UnissuedRow } from './combined-steps';

/** What of a task is not issued. */
export async function readUnissuedRows(pool: Pool, taskId: string): Promise<UnissuedRow[]> {
  const { rows } = await pool.query<UnissuedRow>(
    `SELECT user_id AS "userId", series, first, last, status, reason, account, reward ->> 'amount' AS amount,
       reached_at::float8 AS "reachedAt"
     FROM engagement.unissued_awards JOIN engagement.users USING (user_ref) WHERE task_id = $1`,
    [taskId],
  );
  return rows;
}

/** The issues and reversals of a task after a row of the outbox, in its order. */
export async function readPublishedAfter(
  pool: Pool,
  taskId: string,
  lastId: bigint,
): Promise<{ readonly id: bigint; readonly entry: PublishedEntry }[]> {
  const { rows } = await pool.query<{ id: string; type: string; data: string; day: string }>(
    `SELECT id::text, type, data, (SELECT (at AT TIME ZONE 'UTC')::date::text FROM engagement.ledger_entries AS entry
         WHERE entry.award_id = data::jsonb ->> 'award_id' AND entry.seq = (data::jsonb ->> 'seq')::int) AS day
     FROM engagement.outbox
     WHERE type LIKE 'engagement.bonus-award.%' AND id > $1 AND data::jsonb ->> 'task_id' = $2 ORDER BY outbox.id`,
    [lastId, taskId],
  );
  return rows.map(({ id, type, data, day }) => {
    const award = JSON.parse(data) as BonusAwardIssuedData;
    const entry: PublishedEntry = {
      ...{ awardId: award.award_id, seq: award.seq, kind: type.includes('reversed') ? 'reversed' : 'issued' },
      ...{ userId: award.user_id, account: award.platform_user_id, occurrence: award.occurrence },
      ...{ version: award.task_version, amount: Number(award.reward.amount), reachedAt: award.reached_at },
      ...{ day, answer: null, isErased: false },
    };
    return { id: BigInt(id), entry };
  });
}

/** Where no rows count a budget. */
export const noBudget: BudgetLeft = { version: 0, total: null, leftInTotal: null, perDay: null, leftOfDay: null };

/** What the rows of a task's budget count, in total and for a UTC day. */
export async function readBudgetLeft(pool: Pool, taskId: string, day: string): Promise<BudgetLeft> {
  const { rows } = await pool.query<BudgetLeft>(
    `SELECT version, total::float8, per_day::float8 AS "perDay",
       (SELECT sum(available) FROM engagement.budget_shards AS shard
        WHERE shard.task_id = budgets.task_id AND day = '-infinity')::float8 AS "leftInTotal",
       (SELECT sum(available) FROM engagement.budget_shards AS shard
        WHERE shard.task_id = budgets.task_id AND day = $2::date)::float8 AS "leftOfDay"
     FROM engagement.budgets WHERE task_id = $1`,
    [taskId, day],
  );
  return rows.length === 0 ? noBudget : rows[0];
}

/** The first due time after an instant, Unix seconds. */
export async function readNextDue(pool: Pool, afterS: number): Promise<number | null> {
  const { rows } = await pool.query<{ dueAt: number | null }>(
    `SELECT min(due_at)::float8 AS "dueAt" FROM engagement.due_times WHERE due_at > $1`,
    [afterS],
  );
  return rows[0].dueAt;
}
