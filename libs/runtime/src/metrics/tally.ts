/**
 * Counts per pair of values, to be added to a counter when it is read (`collect`). The metrics library builds a text of all labels at
 * each increment, which costs more than a check of an event.
 */
export class Tally {
  private readonly counts = new Map<string, Map<string, number>>();

  add(first: string, second: string, count = 1): void {
    let seconds = this.counts.get(first);
    if (seconds === undefined) this.counts.set(first, (seconds = new Map<string, number>()));
    seconds.set(second, (seconds.get(second) ?? 0) + count);
  }

  /** Passes each count since the last call, and forgets it. */
  take(each: (first: string, second: string, count: number) => void): void {
    for (const [first, seconds] of this.counts) for (const [second, count] of seconds) each(first, second, count);
    this.counts.clear();
  }
}
