/** A part of a board: entries that follow each other and are counted together. */
export interface BoardPart {
  /** The rank keys of its entries are this one or greater. */
  readonly firstKey: number;
  /** The number of entries before it. */
  readonly before: number;
}

const storedPartBytes = 12;

/** The smallest counted parts of a board, at one version of its counts: those that the count tree does not divide further. */
export class BoardParts {
  /** Number of entries of the board. */
  readonly size: number;
  private readonly firstKeys: Float64Array;
  private readonly before: Float64Array;

  /** `stored` has the parts in the order of their keys, 12 bytes each: the first key (8 bytes) and the count (4), big-endian. */
  constructor(
    readonly version: string,
    stored: Buffer,
  ) {
    const length = stored.length / storedPartBytes;
    this.firstKeys = new Float64Array(length);
    this.before = new Float64Array(length);
    let size = 0;
    for (let at = 0; at < length; at++) {
      const start = at * storedPartBytes;
      // Keys are 48 bits wide.
      this.firstKeys[at] = stored.readUIntBE(start + 2, 6);
      this.before[at] = size;
      size += stored.readUInt32BE(start + 8);
    }
    this.size = size;
  }

  /** Memory of the parts. */
  get byteLength(): number {
    return this.firstKeys.byteLength + this.before.byteLength;
  }

  /** The part with the entry at an offset from 0; the offset must be below the size. */
  at(offset: number): BoardPart {
    return this.part(lastUpTo(this.before, offset));
  }

  /** The part with the entries of a rank key, or where they would be. */
  of(rankKey: number): BoardPart {
    return this.part(Math.max(0, lastUpTo(this.firstKeys, rankKey)));
  }

  private part(index: number): BoardPart {
    return { firstKey: this.firstKeys[index], before: this.before[index] };
  }
}

/** Index of the last of ascending values that is not above a value; -1 if there is none. */
function lastUpTo(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
