import { Queryable } from '@podium/runtime/postgres';
import { TaskDefinition } from '../evaluation/definition';
import { formatDecimal, toBillionths } from '../evaluation/exact-decimal';
import {
  BudgetRow,
  Shard,
  budgetKeyText,
  lockBudgets,
  lockTaskShards,
  openDays,
  readBudgets,
  removeShards,
  shardsOf,
  totalDay,
  writeBudgets,
  writeShards,
} from './budgets.store';
import { SpentUnits, readSpentUnits } from './spent-units.queries';
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
 * Applies what newer versions state, to the total and to all days that are kept: around midnight the clocks of other instances
 * may be on another day, on which they have issued under the former version. Where every version since has had the budget, the
 * rows have counted all and only the difference is added; else what was spent is read from the ledger. A raised total stays
 * while every version since states the same.
 */
async function restate(tx: Queryable, tasks: readonly TaskDefinition[], day: string): Promise<void> {
  const byId = new Map(tasks.map((task) => [task.definitionId, task]));
  const locked = (await lockBudgets(tx, [...byId.keys()])).filter(
    ({ taskId, version }) => version < newestVersion(byId.get(taskId)!),
  );
  const changes = locked.map((row) => changeOf(row, byId.get(row.taskId)!));
  const idsOf = (each: readonly BudgetChange[]): string[] => each.map(({ next }) => next.taskId);
  const shards = await lockTaskShards(tx, idsOf(changes), day);
  const uncounted = changes.filter(({ isTotalCounted, isDayCounted }) => !isTotalCounted || !isDayCounted);
  const spent = await readSpentUnits(tx, idsOf(uncounted), day);
  const written = changes.flatMap((change) => {
    const { taskId } = change.next;
    const own = shards.filter((shard) => shard.taskId === taskId);
    return shardsAfter(change, own, spent.get(taskId) ?? { total: 0n, days: new Map() }, day);
  });
  const kept = new Set(written.map(budgetKeyText));
  await writeShards(tx, written);
  await removeShards(
    tx,
    shards.filter((shard) => !kept.has(budgetKeyText(shard))),
  );
  await writeBudgets(
    tx,
    changes.map(({ next }) => next),
  );
}

/** The rows of a task after a change, from its locked ones: of what it states, in total, for the day, and for days with rows or awards. */
function shardsAfter(
  { before, next, isTotalCounted, isDayCounted }: BudgetChange,
  own: readonly Shard[],
  spent: SpentUnits,
  day: string,
): Shard[] {
  const { taskId, total, perDay } = next;
  const left = (of: string, was: string | null, is: string, spentUnits: bigint | null): bigint => {
    const known = own.filter((shard) => shard.day === of);
    const stated = toBillionths(is);
    if (spentUnits !== null) return stated - spentUnits;
    // A budget without rows has had no issue yet on this day.
    if (known.length === 0 || was === null) return stated;
    return known.reduce((sum, { available }) => sum + available, stated - toBillionths(was));
  };
  const days = new Set([day, ...own.map((shard) => shard.day), ...(isDayCounted ? [] : spent.days.keys())]);
  days.delete(totalDay);
  const ofTotal =
    total === null
      ? []
      : shardsOf({ taskId, day: totalDay }, left(totalDay, before.total, total, isTotalCounted ? null : spent.total));
  const ofDays =
    perDay === null
      ? []
      : [...days].flatMap((each) =>
          shardsOf(
            { taskId, day: each },
            left(each, before.perDay, perDay, isDayCounted ? null : (spent.days.get(each) ?? 0n)),
          ),
        );
  return [...ofTotal, ...ofDays];
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
