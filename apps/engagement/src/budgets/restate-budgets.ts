import { Queryable } from '@podium/runtime/postgres';
import { TaskDefinition } from '../evaluation/definition';
import { formatDecimal, toBillionths } from '../evaluation/exact-decimal';
import {
  BudgetKey,
  BudgetRow,
  Shard,
  lockBudgets,
  lockShards,
  openDays,
  readBudgets,
  removeShards,
  shardsOf,
  totalDay,
  writeBudgets,
  writeShards,
} from './budgets.store';
import { readSpentUnits } from './spent-units.queries';
import { newestVersion, statedBudget } from './stated-budget';

/** Brings the rows of budgets to the newest versions of their tasks and to the UTC day, where they are not there yet. */
export async function restateBudgets(tx: Queryable, tasks: readonly TaskDefinition[], day: string): Promise<void> {
  const known = await budgetsOf(tx, tasks, day);
  const stale = tasks.filter((task) => (known.get(task.definitionId)?.version ?? 0) < newestVersion(task));
  if (stale.length > 0) await restate(tx, stale, day);
  // Another transaction may have restated a task for its own day, which is not this one around midnight.
  const present = stale.length > 0 ? await budgetsOf(tx, tasks, day) : known;
  const fresh = tasks.filter((task) => !present.get(task.definitionId)?.hasDay);
  await openDays(
    tx,
    fresh.flatMap((task) => {
      const perDay = statedBudget(task).per_day;
      return perDay === undefined ? [] : [{ taskId: task.definitionId, day, units: toBillionths(perDay) }];
    }),
  );
}

async function budgetsOf(
  tx: Queryable,
  tasks: readonly TaskDefinition[],
  day: string,
): Promise<ReadonlyMap<string, BudgetRow & { readonly hasDay: boolean }>> {
  const taskIds = tasks.map(({ definitionId }) => definitionId);
  return new Map((await readBudgets(tx, taskIds, day)).map((row) => [row.taskId, row]));
}

/**
 * Applies what newer versions state. Where every version since has had the budget, the rows have counted all and only the
 * difference is added; else what was spent is read from the ledger. A raised total stays while
 * every version since states the same.
 */
async function restate(tx: Queryable, tasks: readonly TaskDefinition[], day: string): Promise<void> {
  const byId = new Map(tasks.map((task) => [task.definitionId, task]));
  const locked = (await lockBudgets(tx, [...byId.keys()])).filter(
    ({ taskId, version }) => version < newestVersion(byId.get(taskId)!),
  );
  const changes = locked.map((row) => changeOf(row, byId.get(row.taskId)!));
  const keys = changes.flatMap(({ next: { taskId } }) => [
    { taskId, day: totalDay },
    { taskId, day },
  ]);
  const shards = await lockShards(
    tx,
    keys.map((key) => ({ ...key, shard: 'all' })),
  );
  const uncounted = changes.filter(({ isTotalCounted, isDayCounted }) => !isTotalCounted || !isDayCounted);
  const spent = await readSpentUnits(
    tx,
    uncounted.map(({ next }) => next.taskId),
    day,
  );
  const written: Shard[] = [];
  const removed: BudgetKey[] = [];
  for (const { before, next, isTotalCounted, isDayCounted } of changes) {
    const { taskId } = next;
    const left = (key: BudgetKey, was: string | null, is: string, isCounted: boolean, spentUnits: bigint): bigint => {
      const own = shards.filter((shard) => shard.taskId === taskId && shard.day === key.day);
      const stated = toBillionths(is);
      if (!isCounted) return stated - spentUnits;
      // A budget without rows has had no issue yet on this day.
      if (own.length === 0 || was === null) return stated;
      return own.reduce((sum, { available }) => sum + available, stated - toBillionths(was));
    };
    const [totalKey, dayKey] = [
      { taskId, day: totalDay },
      { taskId, day },
    ];
    if (next.total === null) removed.push(totalKey);
    else
      written.push(
        ...shardsOf(totalKey, left(totalKey, before.total, next.total, isTotalCounted, spent.get(taskId)?.total ?? 0n)),
      );
    if (next.perDay === null) removed.push(dayKey);
    else
      written.push(
        ...shardsOf(dayKey, left(dayKey, before.perDay, next.perDay, isDayCounted, spent.get(taskId)?.day ?? 0n)),
      );
  }
  await writeShards(tx, written);
  await removeShards(tx, removed);
  await writeBudgets(
    tx,
    changes.map(({ next }) => next),
  );
}

interface BudgetChange {
  readonly before: BudgetRow;
  readonly next: BudgetRow;
  /** The rows of the budget have counted every issue until now, or the budget has none. */
  readonly isTotalCounted: boolean;
  readonly isDayCounted: boolean;
}

function changeOf(before: BudgetRow, task: TaskDefinition): BudgetChange {
  const { total, per_day: perDay } = statedBudget(task);
  const since = task.versions.filter(({ version }) => version >= Math.abs(before.version));
  const wasStated = before.version > 0 && since[0]?.version === before.version;
  const isRaised =
    before.total !== null && since.every(({ body }) => isSameTotal(before.statedTotal, body.budget?.total));
  return {
    before,
    next: {
      taskId: before.taskId,
      version: newestVersion(task),
      statedTotal: total ?? null,
      total: isRaised ? before.total : (total ?? null),
      perDay: perDay ?? null,
    },
    isTotalCounted: total === undefined || (wasStated && since.every(({ body }) => body.budget?.total !== undefined)),
    isDayCounted: perDay === undefined || (wasStated && since.every(({ body }) => body.budget?.per_day !== undefined)),
  };
}

/** Whether a stored total is the one that a version states. */
export function isSameTotal(known: string | null, stated: string | undefined): boolean {
  return (
    known !== null && stated !== undefined && formatDecimal(toBillionths(known)) === formatDecimal(toBillionths(stated))
  );
}
