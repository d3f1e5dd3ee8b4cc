import { Queryable } from '@podium/runtime/postgres';
import { TaskDefinition } from '../evaluation/definition';
import { toBillionths } from '../evaluation/exact-decimal';
import { readBudgets, readLeft, totalDay } from './budgets.store';
import { restateBudgets } from './restate-budgets';
import { statedBudget } from './stated-budget';

/** A budget and what is left of it, billionths; less than nothing after a version has lowered it. */
export interface BudgetLeft {
  readonly limit: bigint;
  readonly left: bigint;
}

/** The budgets of a task on a day; null where its newest published version states none. */
export interface BudgetState {
  /** The limit is the raised total where one is in force. */
  readonly total: BudgetLeft | null;
  readonly day: BudgetLeft | null;
}

/**
 * The budgets of a task on a UTC day, as the next award finds them: a newer version is taken into account first. The caller holds
 * the epoch.
 */
export async function budgetState(tx: Queryable, task: TaskDefinition, day: string): Promise<BudgetState> {
  const stated = statedBudget(task);
  if (stated.total === undefined && stated.per_day === undefined) return { total: null, day: null };
  await restateBudgets(tx, [task], day);
  const [{ total }] = await readBudgets(tx, [task.definitionId], day);
  const left = await readLeft(tx, task.definitionId, [totalDay, day]);
  return {
    total: total === null ? null : { limit: toBillionths(total), left: left.get(totalDay) ?? 0n },
    day: stated.per_day === undefined ? null : { limit: toBillionths(stated.per_day), left: left.get(day) ?? 0n },
  };
}
