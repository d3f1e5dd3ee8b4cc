import { deepestLevel, shiftOf } from './count-tree';

/** A part of a board: entries that follow each other and are counted together. */
export interface BoardPart {
  /** The rank keys of its entries are this one or greater. */
  readonly firstKey: number;
  /** The number of entries before it. */
  readonly before: number;
}

const storedPartBytes = 12;
const mostShifts = 3;

/** The smallest counted parts of a board, at one version of its counts: those that the count tree does not divide further. */
export class BoardParts {
  /** Number of entries of the board. */
  readonly size: number;
  /**
   * The numbers of bits by which rank keys are shifted for the levels that have most of the entries; as many as levels, or three;
   * ascending.
   */
  readonly shifts: readonly number[];
  private readonly firstKeys: Float64Array;
  private readonly before: Float64Array;

  /**
   * `stored` has the parts in the order of their keys, 12 bytes each: the level (2 bytes), the first key (6) and the count (4),
   * big-endian.
   */
  constructor(
    readonly version: string,
    stored: Buffer,
  ) {
    const length = stored.length / storedPartBytes;
    this.firstKeys = new Float64Array(length);
    this.before = new Float64Array(length);
    const entriesOfLevel = new Array<number>(deepestLevel + 1).fill(0);
    let size = 0;
    for (let at = 0; at < length; at++) {
      const start = at * storedPartBytes;
      const count = stored.readUInt32BE(start + 8);
      this.firstKeys[at] = stored.readUIntBE(start + 2, 6);
      this.before[at] = size;
      entriesOfLevel[stored.readUInt16BE(start)] += count;
      size += count;
    }
    this.size = size;
    this.shifts = mostUsedShifts(entriesOfLevel);
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

function mostUsedShifts(entriesOfLevel: readonly number[]): number[] {
  return [...entriesOfLevel.entries()]
    .filter(([, entries]) => entries > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostShifts)
    .map(([level]) => shiftOf(level))
    .sort((a, b) => a - b);
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
