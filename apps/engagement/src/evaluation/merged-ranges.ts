/**
 * Values in the order of their seconds. All of any range of seconds are found as a few merged values, whose number grows with the
 * logarithm of theirs.
 */
export class MergedRanges<Value> {
  private readonly seconds: readonly number[];
  /** A binary tree: the values are the second half, and each node before them merges those at twice its index and behind. */
  private readonly nodes: Value[];

  /** Takes seconds with their values in any order; that of merging must not matter. */
  constructor(values: Iterable<readonly [second: number, value: Value]>, merge: (a: Value, b: Value) => Value) {
    const inOrder = [...values].sort(([a], [b]) => a - b);
    const { length } = inOrder;
    this.seconds = inOrder.map(([second]) => second);
    this.nodes = new Array<Value>(length).concat(inOrder.map(([, value]) => value));
    for (let at = length - 1; at > 0; at--) this.nodes[at] = merge(this.nodes[2 * at], this.nodes[2 * at + 1]);
  }

  /** Passes merged values that hold those of `from` (inclusive) to `to` (exclusive), each once. */
  forEachIn(from: number, to: number, add: (value: Value) => void): void {
    this.forEachBetween(this.placeOf(from), this.placeOf(to), add);
  }

  /** The same for the values of places: `first` (inclusive) to `end` (exclusive). */
  forEachBetween(first: number, end: number, add: (value: Value) => void): void {
    const { length } = this.seconds;
    let [low, high] = [length + first, length + end];
    for (; low < high; low >>= 1, high >>= 1) {
      if (low % 2 === 1) add(this.nodes[low++]);
      if (high % 2 === 1) add(this.nodes[--high]);
    }
  }

  /** The index of the first value at or after a second. */
  placeOf(atS: number): number {
    let [low, high] = [0, this.seconds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.seconds[middle] < atS) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
