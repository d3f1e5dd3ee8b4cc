/** Processes the items of a sequence with bounded concurrency; items are generated on demand. */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  lanes: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  // Lanes share one iterator: an asynchronous generator queues their calls, a synchronous one needs no queue.
  const lane = async (): Promise<void> => {
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) await work(step.value);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
