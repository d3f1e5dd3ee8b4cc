import { Queryable } from '@podium/runtime/postgres';
import { BudgetKey, budgetKeyText, lockShards, shardsOf, totalDay, writeShards } from './budgets.store';
import { IssueRef, readIssueUnits } from './spent-units.queries';

/** Gives back the units of issues that were rejected or reversed for good, to the total and to their day of issue. */
export async function freeUnits(tx: Queryable, issues: readonly IssueRef[]): Promise<void> {
  await adjustUnits(tx, issues, 1n);
}

/** Takes the units of issues that were restored, beyond the budget if need be. */
export async function takeUnits(tx: Queryable, issues: readonly IssueRef[]): Promise<void> {
  await adjustUnits(tx, issues, -1n);
}

/** Tasks without a budget, and days that are over, have no rows and stay without. */
async function adjustUnits(tx: Queryable, issues: readonly IssueRef[], sign: 1n | -1n): Promise<void> {
  const changes = new Map<string, BudgetKey & { units: bigint }>();
  for (const { taskId, day: issueDay, units } of await readIssueUnits(tx, issues))
    for (const day of [totalDay, issueDay]) {
      const key = budgetKeyText({ taskId, day });
      changes.set(key, { taskId, day, units: (changes.get(key)?.units ?? 0n) + sign * units });
    }
  const wanted = [...changes.values()].map(({ taskId, day }) => ({ taskId, day, shard: 'all' }) as const);
  const left = new Map<string, BudgetKey & { units: bigint }>();
  for (const { taskId, day, available } of await lockShards(tx, wanted)) {
    const key = budgetKeyText({ taskId, day });
    left.set(key, { taskId, day, units: (left.get(key)?.units ?? changes.get(key)!.units) + available });
  }
  await writeShards(
    tx,
    [...left.values()].flatMap(({ units, ...key }) => shardsOf(key, units)),
  );
}
