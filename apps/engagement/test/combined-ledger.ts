import type { PublishedEntry, UnissuedRow } from './combined-steps';

/** Of each award the newest issue or reversal, where it is paid: not reversed, or the reversal was rejected. */
export function paidAwards(published: readonly PublishedEntry[]): PublishedEntry[] {
  const newest = new Map(published.map((entry) => [entry.awardId, entry]));
  return [...newest.values()].filter(({ kind, answer }) => kind === 'issued' || answer === 'rejected');
}

/** The issue that an entry reverses. */
export function reversedIssue(published: readonly PublishedEntry[], { awardId, seq }: PublishedEntry): PublishedEntry {
  return published.findLast((entry) => entry.awardId === awardId && entry.kind === 'issued' && entry.seq < seq)!;
}

/** Held, withheld and refused ones fill `max_per_user` (reading 5). */
const filling: ReadonlySet<UnissuedRow['status']> = new Set(['held_by_pause', 'held_by_limit', 'withheld', 'refused']);

/** How many places of `max_per_user` a user has taken. */
export function filledBy(published: readonly PublishedEntry[], user: string, rows: readonly UnissuedRow[]): number {
  const paid = paidAwards(published).filter(({ userId }) => userId === user).length;
  return rows
    .filter(({ userId, status }) => userId === user && filling.has(status))
    .reduce((sum, { first, last }) => sum + last - first + 1, paid);
}

/** Units of issues that were neither rejected nor taken back for good; of issues of one UTC day alone, if it is given. */
export function spentUnits(published: readonly PublishedEntry[], ofDay?: string): number {
  const spent = published.filter(({ awardId, seq, kind, day, answer }) => {
    if (kind !== 'issued' || answer === 'rejected' || (ofDay !== undefined && day !== ofDay)) return false;
    const reversal = published.find((each) => each.awardId === awardId && each.kind === 'reversed' && each.seq > seq);
    return reversal?.answer !== 'confirmed';
  });
  const hundredths = spent.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  return hundredths / 100;
}

/** The user's occurrences that share a row. */
export function keysOf({ userId, series, first, last }: UnissuedRow): string[] {
  if (!series.includes(':every')) return [keyOf(userId, series)];
  return Array.from({ length: last - first + 1 }, (_, at) => keyOf(userId, `${series}:${first + at}`));
}

/** An occurrence of a user. */
export function keyOf(userId: string, occurrence: string): string {
  return `${userId} ${occurrence}`;
}

/** Rows by the keys of their occurrences. */
export function rowsByKey(rows: readonly UnissuedRow[]): Map<string, UnissuedRow> {
  return new Map(rows.flatMap((row) => keysOf(row).map((key) => [key, row] as const)));
}

/** Whether a row waits because the budget did not suffice. */
export function isWithheldByBudget({ status, reason }: UnissuedRow): boolean {
  return status === 'withheld' && (reason === 'budget_total' || reason === 'budget_day');
}
