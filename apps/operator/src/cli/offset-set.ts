/** Offsets by partition, stored as ranges: consecutive offsets take almost no memory. */
export class OffsetSet {
  private readonly runs = new Map<number, { from: bigint; to: bigint }[]>();

  add(partition: number, offset: bigint): void {
    const runs = this.runs.get(partition);
    if (!runs) {
      this.runs.set(partition, [{ from: offset, to: offset }]);
      return;
    }
    const at = firstEndingAt(runs, offset - 1n);
    const run = runs[at];
    if (run === undefined || run.from > offset + 1n) runs.splice(at, 0, { from: offset, to: offset });
    else if (offset < run.from) run.from = offset;
    else if (offset > run.to) {
      run.to = offset;
      if (runs[at + 1]?.from === offset + 1n) run.to = runs.splice(at + 1, 1)[0].to;
    }
  }

  has(partition: number, offset: bigint): boolean {
    const runs = this.runs.get(partition) ?? [];
    const run = runs[firstEndingAt(runs, offset)];
    return run !== undefined && run.from <= offset;
  }
}

/** Index of the first run whose end is not before `offset`. */
function firstEndingAt(runs: readonly { to: bigint }[], offset: bigint): number {
  let low = 0;
  for (let high = runs.length; low < high;) {
    const middle = (low + high) >> 1;
    if (runs[middle].to < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
