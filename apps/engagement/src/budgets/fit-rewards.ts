/**
 * Takes rewards one after the other from what is left: one that does not fit gets the reason, and a smaller one after it may
 * fit. All numbers are billionths of a unit.
 */
export function fitRewards(
  units: readonly bigint[],
  remaining: Remaining,
): { readonly reasons: (BudgetReason | null)[]; readonly remaining: Remaining } {
  let { total, day } = remaining;
  const reasons = units.map((each): BudgetReason | null => {
    if (total !== null && each > total) return 'budget_total';
    if (day !== null && each > day) return 'budget_day';
    if (total !== null) total -= each;
    if (day !== null) day -= each;
    return null;
  });
  return { reasons, remaining: { total, day } };
}

/** Why a reward does not fit. */
export type BudgetReason = 'budget_total' | 'budget_day';

/** What is left of a budget in all of its rows, billionths; null: it has no such budget. */
export interface Remaining {
  readonly total: bigint | null;
  readonly day: bigint | null;
}
