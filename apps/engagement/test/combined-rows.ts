import { BonusAwardIssuedData } from '@podium/messages';
import { Pool } from '@podium/runtime/postgres';
import type { PublishedEntry, UnissuedRow } from './combined-steps';

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

/** The issues and reversals after a row of the outbox, in its order; `day` is the UTC day of their transactions. */
export async function readPublishedAfter(
  pool: Pool,
  lastId: bigint,
  day: string,
): Promise<{ readonly id: bigint; readonly entry: PublishedEntry }[]> {
  const { rows } = await pool.query<{ id: string; type: string; data: string }>(
    `SELECT id::text, type, data FROM engagement.outbox
     WHERE type LIKE 'engagement.bonus-award.%' AND id > $1 ORDER BY outbox.id`,
    [lastId],
  );
  return rows.map(({ id, type, data }) => {
    const award = JSON.parse(data) as BonusAwardIssuedData;
    const entry: PublishedEntry = {
      ...{ awardId: award.award_id, seq: award.seq, kind: type.includes('reversed') ? 'reversed' : 'issued' },
      ...{ userId: award.user_id, account: award.platform_user_id, occurrence: award.occurrence },
      ...{ version: award.task_version, amount: Number(award.reward.amount), day, answer: null },
    };
    return { id: BigInt(id), entry };
  });
}
