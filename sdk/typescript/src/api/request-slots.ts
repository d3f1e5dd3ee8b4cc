/** Lets a number of requests be under way at once. The others wait in a line, which each may leave. */
export class RequestSlots {
  private taken = 0;
  /** Each gets a slot by a call. */
  private readonly line = new Set<() => void>();

  constructor(private readonly most: number) {}

  /** Resolves with a slot, to be released; rejects when the signal is aborted before. */
  take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(endedBy(signal));
    if (this.taken < this.most) {
      this.taken += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.line.delete(start);
        reject(endedBy(signal));
      };
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.line.add(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Gives the slot to the first in the line. */
  release(): void {
    const next = this.line.values().next();
    if (next.done) {
      this.taken -= 1;
      return;
    }
    this.line.delete(next.value);
    next.value();
  }
}

/** The error of a request that its signal has ended. */
export function endedBy(signal: AbortSignal): Error {
  return new Error('the request was ended', { cause: signal.reason });
}
