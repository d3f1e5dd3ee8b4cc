/** The period of a player's history, Unix seconds: by default the calendar month before now. */
export function historyPeriod(given: { from?: number; to?: number }, nowMs: number): { from: number; to: number } {
  const { from = monthBefore(nowMs), to = Math.floor(nowMs / 1000) } = given;
  return { from, to };
}

/** The same day and time a calendar month earlier, Unix seconds; the last day of that month if it has no such day. */
export function monthBefore(nowMs: number): number {
  const now = new Date(nowMs);
  const before = new Date(nowMs);
  before.setUTCMonth(now.getUTCMonth() - 1);
  // A day that the earlier month does not have overflows into the current month.
  if (before.getUTCDate() !== now.getUTCDate()) before.setUTCDate(0);
  return Math.floor(before.getTime() / 1000);
}
