/** Calendar months for which raw rows of repeatable events are kept (specification, Limits). */
export const repeatableRetentionMonths = 6;

/**
 * The oldest `created_at` (Unix seconds) of a repeatable event that is still kept: six calendar months before now, UTC,
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
