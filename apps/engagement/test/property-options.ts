/**
 * Options of a property: `PODIUM_SEED`, `PODIUM_PATH` and `PODIUM_RUNS` repeat a failed run or lengthen one. A failure prints
 * seed and path; it is shrunk with `PODIUM_SHRINK=1` alone, because that takes minutes.
 */
export function propertyOptions(numRuns: number): {
  seed?: number;
  path?: string;
  numRuns: number;
  endOnFailure: boolean;
} {
  const { PODIUM_SEED, PODIUM_PATH, PODIUM_RUNS, PODIUM_SHRINK } = process.env;
  return {
    ...(PODIUM_SEED === undefined ? {} : { seed: Number(PODIUM_SEED) }),
    ...(PODIUM_PATH === undefined ? {} : { path: PODIUM_PATH }),
    numRuns: PODIUM_RUNS === undefined ? numRuns : Number(PODIUM_RUNS),
    endOnFailure: PODIUM_SHRINK !== '1',
  };
}
