/** The same day and time a calendar month earlier, in Unix seconds; the last day of that month where it has no such day. */
export function monthBefore(nowMs: number): number {
  const now = new Date(nowMs);
  const before = new Date(nowMs);
  before.setUTCMonth(now.getUTCMonth() - 1);
  // A day that the month does not have runs over into this one.
  if (before.getUTCDate() !== now.getUTCDate()) before.setUTCDate(0);
  return Math.floor(before.getTime() / 1000);
}
