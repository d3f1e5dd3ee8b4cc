/** How many tests or checks passed and failed. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** The sum of several counts. */
export function sum(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
  };
}
