/** What the watch goes by. */
export interface AloneWatchOptions {
  /** How long a record must fail alone, milliseconds. */
  readonly patienceMs: number;
  /** How many deliveries of the group's other partitions have succeeded in this process. */
  readonly successesElsewhere: () => number;
  /** A clock that never goes back, milliseconds. */
  readonly now?: () => number;
}

/**
 * Tells a record that is at fault from a database that is slow. A record that fails alone, and not for its data, is at fault
 * once it has done so for the patience while other records succeeded between its last two tries. When everything fails, or
 * nothing else is there to compare with, nothing is ever at fault.
 */
export class AloneWatch {
  private standing: { readonly offset: bigint; readonly sinceMs: number; successes: number } | undefined;

  constructor(private readonly options: AloneWatchOptions) {}

  /** The record at this offset failed alone; returns whether it is at fault by now. */
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

  /** The partition goes on. */
  clear(): void {
    this.standing = undefined;
  }
}
