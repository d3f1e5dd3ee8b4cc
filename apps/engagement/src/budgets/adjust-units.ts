import { Queryable } from '@podium/runtime/postgres';
import { BudgetKey, budgetKeyText, lockBudgets, lockShards, shardsOf, totalDay, writeShards } from './budgets.store';
import { IssueRef, readIssueUnits } from './spent-units.queries';

/** Gives back the units of issues that were rejected or reversed for good, to the total and to their day of issue. */
export async function freeUnits(tx: Queryable, issues: readonly IssueRef[]): Promise<void> {
  await adjustUnits(tx, issues, 1n);
}

/** Takes the units of issues that were restored, beyond the budget if need be. */
export async function takeUnits(tx: Queryable, issues: readonly IssueRef[]): Promise<void> {
  await adjustUnits(tx, issues, -1n);
}

/**
 * Tasks without a budget, and days that are over, have no units and stay without. Their budgets are locked all the same: one
 * that is introduced by another transaction reads from the ledger what was spent, and has to read the entries of this one.
 */
async function adjustUnits(tx: Queryable, issues: readonly IssueRef[], sign: 1n | -1n): Promise<void> {
  const adjusted = await readIssueUnits(tx, issues);
  if (adjusted.length === 0) return;
  await lockBudgets(tx, [...new Set(adjusted.map(({ taskId }) => taskId))]);
  const changes = new Map<string, BudgetKey & { units: bigint }>();
  for (const { taskId, day: issueDay, units } of adjusted)
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
