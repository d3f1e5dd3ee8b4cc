/** The rows over which the units of one budget lie, so that none is written by every transaction. */
export const shardsPerBudget = 8;

/**
 * Spreads what is left evenly over the rows. What is overdrawn, after a budget was lowered, lies in the first row alone, so that
 * no other row has units to give.
 */
export function spreadUnits(units: bigint): bigint[] {
  const even = units > 0n ? units / BigInt(shardsPerBudget) : 0n;
  return Array.from({ length: shardsPerBudget }, (_, shard) =>
    shard === 0 ? units - even * BigInt(shardsPerBudget - 1) : even,
  );
}
