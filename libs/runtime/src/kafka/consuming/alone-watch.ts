/** Settings and inputs of the watch. */
export interface AloneWatchOptions {
  /** How long a record must fail alone, milliseconds. */
  readonly patienceMs: number;
  /** How many deliveries of the group's other partitions have succeeded in this process. */
  readonly successesElsewhere: () => number;
  /** A monotonic clock, milliseconds. */
  readonly now?: () => number;
}

/**
 * Distinguishes a faulty record from a slow database. A record that fails alone, and not for its data, is at fault when it
 * has failed for the patience and other records succeeded between its last two attempts. When everything fails, or there
 * is nothing to compare with, no record is at fault.
 */
export class AloneWatch {
  private standing: { readonly offset: bigint; readonly sinceMs: number; successes: number } | undefined;

  constructor(private readonly options: AloneWatchOptions) {}

  /** The record at this offset failed alone; returns whether it is now at fault. */
  failed(offset: bigint): boolean {
    const { patienceMs, successesElsewhere, now = () => performance.now() } = this.options;
    const successes = successesElsewhere();
    if (this.standing?.offset !== offset) {
      this.standing = { offset, sinceMs: now(), successes };
      return false;
    }
    const othersSucceed = successes > this.standing.successes;
    this.standing.successes = successes;
    return othersSucceed && now() - this.standing.sinceMs >= patienceMs;
  }

  /** The partition continues. */
  clear(): void {
    this.standing = undefined;
  }
}
