/**
 * Gives work a signal that aborts with the first of several and with its reason. AbortSignal.any does that too, but Node 20
 * keeps something of each use for as long as the longest of the signals lives, which may be the life of the process.
 */
export async function untilAny<Result>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const end = (event: Event): void => ended.abort((event.target as AbortSignal).reason);
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) ended.abort(aborted.reason);
  for (const signal of signals) signal.addEventListener('abort', end);
  try {
    return await work(ended.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', end);
  }
}
