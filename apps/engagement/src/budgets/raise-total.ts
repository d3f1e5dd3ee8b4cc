import { Queryable } from '@podium/runtime/postgres';
import { TaskDefinition } from '../evaluation/definition';
import { formatDecimal, toBillionths } from '../evaluation/exact-decimal';
import { lockBudgets, lockShards, shardsOf, totalDay, writeBudgets, writeShards } from './budgets.store';
import { utcDay } from './reserve-units';
import { restateBudgets } from './restate-budgets';

/** A total budget and what is left of it, billionths. */
export interface TotalBudget {
  readonly total: bigint;
  readonly left: bigint;
}

/** A total budget before and after it was raised. */
export interface RaisedTotal {
  readonly before: TotalBudget;
  readonly after: TotalBudget;
}

/**
 * Raises the total budget of a task to so many billionths; a total that is not above the present one changes nothing. Null for a
 * task without a total. The raised total counts until a version states another one. The caller holds the epoch.
 */
export async function raiseTotal(
  tx: Queryable,
  task: TaskDefinition,
  total: bigint,
  nowMs: number,
): Promise<RaisedTotal | null> {
  await restateBudgets(tx, [task], utcDay(nowMs));
  const [budget] = await lockBudgets(tx, [task.definitionId]);
  if (budget.total === null) return null;
  const key = { taskId: task.definitionId, day: totalDay };
  const shards = await lockShards(tx, [{ ...key, shard: 'all' }]);
  const before = {
    total: toBillionths(budget.total),
    left: shards.reduce((sum, { available }) => sum + available, 0n),
  };
  if (total <= before.total) return { before, after: before };
  const after = { total, left: before.left + total - before.total };
  await writeBudgets(tx, [{ ...budget, total: formatDecimal(total) }]);
  await writeShards(tx, shardsOf(key, after.left));
  return { before, after };
}
