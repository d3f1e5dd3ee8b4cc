/*
 * How long an event is stored: a one-off event permanently, a repeatable one for six calendar months, and of each user, month
 * and name the newest 500. The state of tasks and segments is kept separately and loses nothing.
 */

/** Most stored events per user, month and name (specification, Limits). */
export const storedEventsCap = 500;

/** Calendar months for which repeatable events are stored (specification, Limits). */
const repeatableRetentionMonths = 6;

/**
 * The oldest `created_at` (Unix seconds) of a repeatable event that is still stored: six calendar months before now, UTC,
 * on the last day of the month where that month is shorter.
 */
export function retentionCutoff(nowMs: number): number {
  const now = new Date(nowMs);
  const cutoff = new Date(nowMs);
  cutoff.setUTCDate(1);
  cutoff.setUTCMonth(cutoff.getUTCMonth() - repeatableRetentionMonths);
  const daysInMonth = new Date(Date.UTC(cutoff.getUTCFullYear(), cutoff.getUTCMonth() + 1, 0)).getUTCDate();
  cutoff.setUTCDate(Math.min(now.getUTCDate(), daysInMonth));
  return Math.ceil(cutoff.getTime() / 1000);
}

/** The month of a Unix time in seconds as yyyymm, UTC. */
export function monthOf(atS: number): number {
  const date = new Date(atS * 1000);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}
