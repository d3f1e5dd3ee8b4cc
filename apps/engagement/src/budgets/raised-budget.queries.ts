import { Queryable } from '@podium/runtime/postgres';
import { Budget } from '../evaluation/definition';
import { isSameTotal } from './restate-budgets';

/** A total that versions state, and the one to which an approver has raised it. */
export interface RaisedBudget {
  readonly statedTotal: string;
  readonly total: string;
}

/** Whether the raised total of a row of `budgets` is in force: every version published since states the same total. */
export const isRaisedSql = `
  budgets.total <> budgets.stated_total AND NOT EXISTS (
    SELECT FROM engagement.definitions AS later
    WHERE later.definition_id = budgets.task_id AND later.version > abs(budgets.version) AND later.published_at IS NOT NULL
      AND (later.body #>> '{budget,total}')::numeric IS DISTINCT FROM budgets.stated_total)`;

/** The raised total of a task; null when none is in force. */
export async function readRaisedBudget(db: Queryable, taskId: string): Promise<RaisedBudget | null> {
  const { rows } = await db.query<RaisedBudget>(
    `SELECT trim_scale(stated_total)::text AS "statedTotal", trim_scale(total)::text AS total
     FROM engagement.budgets WHERE task_id = $1 AND ${isRaisedSql}`,
    [taskId],
  );
  return rows.length === 0 ? null : rows[0];
}

/** The budget that counts for a version: the raised total, if it states the total that was raised. */
export function withRaisedTotal(budget: Budget, raised: RaisedBudget | null): Budget {
  return raised !== null && isSameTotal(raised.statedTotal, budget.total) ? { ...budget, total: raised.total } : budget;
}
