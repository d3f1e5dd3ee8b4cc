/** The most awards that a transaction decides, and the most that it reads of its users and tasks, while a smaller one is possible. */
export const mostDecided = 20_000;
export const mostKnown = 100_000;

/** Awards of one statement: each has evidence of up to 2 KB. */
const sliceSize = 2_000;

/**
 * A transaction of several records or users has more awards than fit into the memory of an instance. Nothing has been written; a
 * transaction of fewer records may succeed (`size` of `failureKindOf`).
 */
export class TooManyAwardsError extends Error {
  override readonly name = 'TooManyAwardsError';
}

/** Does something with all items in order, a bounded number at a time. */
export async function inSlices<Item>(
  items: readonly Item[],
  work: (slice: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += sliceSize) await work(items.slice(from, from + sliceSize));
}
