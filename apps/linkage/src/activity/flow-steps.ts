/** The steps of a linking flow in their order; `ready`: every part of the service has the link. */
export const flowSteps = ['started', 'returned', 'exchanged', 'identified', 'ready'] as const;

/** One of these steps. */
export type FlowStep = (typeof flowSteps)[number];

/** Upper bounds of the ranges in which durations are counted, ms; one more range has the longer ones. */
export const durationBoundsMs = [
  ...[25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000],
] as const;

/** The range of a duration: an index, `durationBoundsMs.length` for the longest. */
export function durationRange(ms: number): number {
  const at = durationBoundsMs.findIndex((bound) => ms <= bound);
  return at < 0 ? durationBoundsMs.length : at;
}

/** The upper bound of the range that has the given share (0 to 1) of all durations at or below it, ms; null without durations. */
export function durationAt(share: number, counts: readonly number[]): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [range, count] of counts.entries()) {
    below += count;
    if (below >= share * total) return durationBoundsMs[range] ?? durationBoundsMs[durationBoundsMs.length - 1];
  }
  return null;
}
