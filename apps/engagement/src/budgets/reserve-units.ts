import { Queryable } from '@podium/runtime/postgres';
import { Budget, TaskDefinition } from '../evaluation/definition';
import {
  Shard,
  WantedShards,
  anyShard,
  beginLocking,
  keepShards,
  leaveShards,
  lockShards,
  shardsOf,
  totalDay,
  writeShards,
} from './budgets.store';
import { BudgetReason, fitRewards } from './fit-rewards';
import { restateBudgets } from './restate-budgets';
import { statedBudget } from './stated-budget';

/** A reward to pay from its task's budget. */
export interface UnitsRequest {
  readonly task: TaskDefinition;
  /** Amount or quantity, billionths. */
  readonly units: bigint;
}

/**
 * Takes the units of rewards from the budgets of their tasks, in the given order, on the UTC day of `nowMs`; returns why one
 * does not fit, else null. Each task is tried with one row of its budget; only when that has too little are all locked. Rows
 * are locked in one order by every transaction, until its end.
 */
export async function reserveUnits(
  tx: Queryable,
  requests: readonly UnitsRequest[],
  nowMs: number,
): Promise<(BudgetReason | null)[]> {
  const day = utcDay(nowMs);
  const budgets = groupRequests(requests);
  const reasons: (BudgetReason | null)[] = requests.map(() => null);
  if (budgets.length === 0) return reasons;
  await restateBudgets(
    tx,
    budgets.map(({ task }) => task),
    day,
  );
  const { shards, whole } = await lockEnough(tx, budgets, day);
  const written: Shard[] = [];
  for (const { task, budget, at, units } of budgets) {
    const isWhole = whole.has(task.definitionId);
    const own = shards.filter(({ taskId }) => taskId === task.definitionId);
    const { reasons: given, remaining } = fitRewards(units, remainingOf(own, budget));
    given.forEach((reason, index) => (reasons[at[index]] = reason));
    for (const [key, left] of [
      [totalDay, remaining.total],
      [day, remaining.day],
    ] as const) {
      if (left === null) continue;
      const locked = own.find((shard) => shard.day === key);
      // Rows that were not locked are not known to have no units: written here, they would withhold all rewards for good.
      if (!locked)
        throw new Error(
          `Task ${task.definitionId} has no rows of its budget of ${key}: another transaction has removed them, or they are lost`,
        );
      if (isWhole) written.push(...shardsOf(locked, left));
      else written.push({ ...locked, available: left });
    }
  }
  await writeShards(tx, written);
  return reasons;
}

/** The UTC date of a time. */
export function utcDay(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

interface TaskRequests {
  readonly task: TaskDefinition;
  readonly budget: Budget;
  /** Indexes of the requests. */
  readonly at: number[];
  readonly units: bigint[];
}

/** The requests of tasks that have a budget, by task. */
function groupRequests(requests: readonly UnitsRequest[]): TaskRequests[] {
  const byTask = new Map<string, TaskRequests>();
  for (const [index, { task, units }] of requests.entries()) {
    const budget = statedBudget(task);
    if (budget.total === undefined && budget.per_day === undefined) continue;
    const known = byTask.get(task.definitionId) ?? { task, budget, at: [], units: [] };
    known.at.push(index);
    known.units.push(units);
    byTask.set(task.definitionId, known);
  }
  return [...byTask.values()];
}

/** Locks one row of each budget, or all where one has too little; every attempt locks in order, from the start. */
async function lockEnough(
  tx: Queryable,
  budgets: readonly TaskRequests[],
  day: string,
): Promise<{ shards: Shard[]; whole: ReadonlySet<string> }> {
  const whole = new Set<string>();
  const shard = anyShard();
  await beginLocking(tx);
  for (;;) {
    const wanted = budgets.flatMap(({ task: { definitionId: taskId }, budget }): WantedShards[] => {
      const which = whole.has(taskId) ? 'all' : shard;
      return [
        ...(budget.total === undefined ? [] : [{ taskId, day: totalDay, shard: which } as const]),
        ...(budget.per_day === undefined ? [] : [{ taskId, day, shard: which } as const]),
      ];
    });
    const shards = await lockShards(tx, wanted);
    const short = budgets.filter(({ task, budget, units }) => {
      if (whole.has(task.definitionId)) return false;
      const own = shards.filter(({ taskId }) => taskId === task.definitionId);
      return fitRewards(units, remainingOf(own, budget)).reasons.some((reason) => reason !== null);
    });
    if (short.length === 0) {
      await keepShards(tx);
      return { shards, whole };
    }
    for (const { task } of short) whole.add(task.definitionId);
    await leaveShards(tx);
  }
}

function remainingOf(shards: readonly Shard[], budget: Budget): { total: bigint | null; day: bigint | null } {
  const sum = (ofTotal: boolean): bigint =>
    shards.filter(({ day }) => (day === totalDay) === ofTotal).reduce((left, { available }) => left + available, 0n);
  return {
    total: budget.total === undefined ? null : sum(true),
    day: budget.per_day === undefined ? null : sum(false),
  };
}
