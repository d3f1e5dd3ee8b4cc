/** Does work for each item of a sequence, so many at a time; items are made when they are taken. */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  lanes: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  // One step at a time: an asynchronous generator queues them, a plain one needs no more.
  const lane = async (): Promise<void> => {
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) await work(step.value);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
