import { Queryable } from '@podium/runtime/postgres';
import { toBillionths } from '../evaluation/exact-decimal';
import { daysKept } from './budgets.store';

/** Units that a task's awards take, billionths: those of all issues that were neither rejected nor reversed for good. */
export interface SpentUnits {
  readonly total: bigint;
  /** By UTC day of issue; only days whose rows are kept. */
  readonly days: ReadonlyMap<string, bigint>;
}

/** The units that tasks have spent, in total and on the days whose rows are kept on a UTC day, by task; it reads all their awards. */
export async function readSpentUnits(
  tx: Queryable,
  taskIds: readonly string[],
  day: string,
): Promise<Map<string, SpentUnits>> {
  if (taskIds.length === 0) return new Map();
  const { rows } = await tx.query<{ task_id: string; day: string | null; units: string }>(
    `SELECT task_id, CASE WHEN issue_day >= $2::date - $3::int THEN issue_day END::text AS day, sum(amount)::text AS units
     FROM (
       SELECT awards.task_id, (issue.at AT TIME ZONE 'UTC')::date AS issue_day,
         (coalesce(undone.reward, awards.reward) ->> 'amount')::numeric AS amount
       FROM engagement.awards
       JOIN engagement.ledger_entries AS issue ON issue.award_id = awards.award_id AND issue.kind = 'issued'
       ${undoneSql}
       WHERE awards.task_id = ANY ($1::uuid[]) AND NOT EXISTS (
         SELECT FROM engagement.ledger_entries AS answer
         WHERE answer.award_id = awards.award_id AND (answer.answers_seq, answer.kind)
           IN ((issue.seq, 'rejected'), (undone.seq, 'confirmed')))) AS issues
     GROUP BY 1, 2`,
    [taskIds, day, daysKept],
  );
  const spent = new Map<string, { total: bigint; days: Map<string, bigint> }>();
  for (const { task_id: taskId, day: issueDay, units } of rows) {
    const { total, days } = spent.get(taskId) ?? { total: 0n, days: new Map<string, bigint>() };
    if (issueDay !== null) days.set(issueDay, toBillionths(units));
    spent.set(taskId, { total: total + toBillionths(units), days });
  }
  return spent;
}

/** An issue of an award, by its ledger entry. */
export interface IssueRef {
  readonly awardId: string;
  readonly seq: number;
}

/** Units of one issue, billionths, with the UTC day of issue. */
export interface IssueUnits {
  readonly taskId: string;
  readonly day: string;
  readonly units: bigint;
}

/** The units of issues; the reversal of an issue keeps its reward where the award was issued again. */
export async function readIssueUnits(tx: Queryable, issues: readonly IssueRef[]): Promise<IssueUnits[]> {
  if (issues.length === 0) return [];
  const { rows } = await tx.query<{ task_id: string; day: string; amount: string }>(
    `SELECT awards.task_id, (issue.at AT TIME ZONE 'UTC')::date::text AS day,
       coalesce(undone.reward, awards.reward) ->> 'amount' AS amount
     FROM unnest($1::text[], $2::int[]) AS given (award_id, seq)
     JOIN engagement.awards USING (award_id)
     JOIN engagement.ledger_entries AS issue ON issue.award_id = given.award_id AND issue.seq = given.seq
     ${undoneSql}`,
    [issues.map(({ awardId }) => awardId), issues.map(({ seq }) => seq)],
  );
  return rows.map((row) => ({ taskId: row.task_id, day: row.day, units: toBillionths(row.amount) }));
}

const undoneSql = `
  LEFT JOIN LATERAL (
    SELECT entry.seq, entry.reversed_reward AS reward FROM engagement.ledger_entries AS entry
    WHERE entry.award_id = issue.award_id AND entry.kind = 'reversed' AND entry.seq > issue.seq
    ORDER BY entry.seq LIMIT 1) AS undone ON true`;
