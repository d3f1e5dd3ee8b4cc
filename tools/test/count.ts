/** How many tests or checks passed and failed. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** Names of those that did not run; none by default. */
  readonly skipped?: readonly string[];
}

/** The sum of several counts. */
export function sum(counts: readonly Count[]): Required<Count> {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
    skipped: counts.flatMap(({ skipped = [] }) => skipped),
  };
}

/** What a run ends with: `N passed, N failed` in the last line, and before it the names of what did not run. */
export function closingLines(counts: readonly Count[]): string {
  const { passed, failed, skipped } = sum(counts);
  const names = skipped.length === 0 ? '' : `\n${skipped.length} skipped: ${skipped.join('; ')}`;
  return `${names}\n${passed} passed, ${failed} failed`;
}
