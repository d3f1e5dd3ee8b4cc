import { charactersOf } from './fold-name';

/** Compares names with one folded search text. */
export class Similarity {
  private readonly grams: ReadonlySet<number>;
  /** 1 where a group of the text has its slot. Nearly all groups of other names are rejected by it, at less cost than by the set. */
  private readonly slots = new Uint8Array(slotCount);
  private readonly units: number;
  private readonly maxEdits: number;

  constructor(private readonly text: string) {
    this.grams = gramsOf(text);
    for (const gram of this.grams) this.slots[slotOf(gram)] = 1;
    this.units = unitsOf(text);
    this.maxEdits = maxEditsFor(charactersOf(text).length);
  }

  /**
   * Distance of a folded name from the text: lower is more similar, null is not similar. Most similar is a name within one
   * or two edits of the text (1, 2), then one whose beginning is (3, 4), then one that shares enough groups of three
   * characters with it (above 5).
   */
  distanceTo(name: string): number | null {
    if (this.canBeEdited(name)) {
      const { whole, beginning } = editsBetween(this.text, name, this.maxEdits);
      if (whole <= this.maxEdits) return whole;
      if (beginning <= this.maxEdits) return 2 + beginning;
    }
    const overlap = this.overlapWith(name);
    return overlap >= minOverlap ? 6 - overlap : null;
  }

  /** Whether few enough units of the text are missing from the name: each takes an edit of its own. */
  private canBeEdited(name: string): boolean {
    let missing = this.units & ~unitsOf(name);
    for (let edits = 0; missing !== 0; edits++) {
      if (edits === this.maxEdits) return false;
      missing &= missing - 1;
    }
    return true;
  }

  /** Common groups divided by all; 0 for a name that cannot have enough of them, which most can not. */
  private overlapWith(name: string): number {
    const count = readGrams(name);
    let found = 0;
    for (let at = 0; at < count; at++) {
      const gram = readGram[at];
      if (this.slots[slotOf(gram)] === 1 && this.grams.has(gram)) found++;
    }
    // A repeated group counts more than once here, so this is at least the number of common groups.
    return found < minOverlap * this.grams.size ? 0 : overlapOf(this.grams, new Set(readGram.slice(0, count)));
  }
}

/** A power of two. */
const slotCount = 1024;

function slotOf(gram: number): number {
  return (gram ^ (gram >>> 7)) & (slotCount - 1);
}

/** The UTF-16 units that occur in a text, as bits; units that differ by a multiple of 32 share a bit. */
function unitsOf(text: string): number {
  let units = 0;
  for (let at = 0; at < text.length; at++) units |= 1 << (text.charCodeAt(at) & 31);
  return units;
}

/** Minimum length of a text for which similar names are searched. */
export const minSimilarCharacters = 3;

/** Share of common groups of three characters that similar names need. */
const minOverlap = 0.3;

/** Maximum number of edits that count as typos in a text of this length. */
export function maxEditsFor(length: number): number {
  return length < minSimilarCharacters ? 0 : length < 6 ? 1 : 2;
}

/**
 * Edit distances from a text to a name, and to the closest beginning of that name. An edit inserts, removes or replaces a
 * UTF-16 unit, or swaps two adjacent ones. A distance above `maxEdits` is returned as `maxEdits + 1`. The cost is
 * `text.length * maxEdits`, however long the name is.
 */
export function editsBetween(text: string, name: string, maxEdits: number): { whole: number; beginning: number } {
  const beyond = maxEdits + 1;
  if (name.length < text.length - maxEdits) return { whole: beyond, beginning: beyond };
  const width = Math.min(name.length, text.length + maxEdits);
  // Only cells within `maxEdits` of the diagonal can have a distance in range; only these are read from the three rows.
  let [older, old, row] = rowsOf(width + 1);
  for (const each of [older, old, row]) each.fill(beyond, 0, width + 1);
  for (let to = 0; to <= Math.min(maxEdits, width); to++) old[to] = to;
  let leastOfOld = 0;
  for (let from = 1; from <= text.length; from++) {
    const first = from - maxEdits;
    if (first <= 0) row[0] = from;
    else row[first - 1] = beyond;
    let least = first <= 0 ? from : beyond;
    for (let to = Math.max(1, first); to <= Math.min(width, from + maxEdits); to++) {
      const isSame = text.charCodeAt(from - 1) === name.charCodeAt(to - 1);
      let edits = old[to - 1] + (isSame ? 0 : 1);
      if (old[to] < edits) edits = old[to] + 1;
      if (row[to - 1] < edits) edits = row[to - 1] + 1;
      if (from > 1 && to > 1 && older[to - 2] < edits && isSwap(text, from, name, to)) edits = older[to - 2] + 1;
      row[to] = Math.min(edits, beyond);
      if (edits < least) least = edits;
    }
    // A swap continues the row before the last one.
    if (least > maxEdits && leastOfOld > maxEdits) return { whole: beyond, beginning: beyond };
    leastOfOld = least;
    [older, old, row] = [old, row, older];
  }
  let beginning = beyond;
  for (let to = Math.max(0, text.length - maxEdits); to <= width; to++) if (old[to] < beginning) beginning = old[to];
  return { whole: name.length > width ? beyond : old[width], beginning };
}

let knownRows = [0, 1, 2].map(() => new Uint8Array(256));

/** Three rows of at least a length; the next call gets the same ones. */
function rowsOf(length: number): Uint8Array[] {
  if (knownRows[0].length < length) knownRows = knownRows.map(() => new Uint8Array(length * 2));
  return knownRows;
}

function isSwap(text: string, from: number, name: string, to: number): boolean {
  return text.charCodeAt(from - 1) === name.charCodeAt(to - 2) && text.charCodeAt(from - 2) === name.charCodeAt(to - 1);
}

function overlapOf(grams: ReadonlySet<number>, others: ReadonlySet<number>): number {
  let common = 0;
  for (const gram of others) if (grams.has(gram)) common++;
  return common / (grams.size + others.size - common);
}

/**
 * Groups of three units in the words of a text, with two spaces before each word and one after it. A group is a number: a
 * search compares many names, and texts would be slower.
 */
function gramsOf(text: string): Set<number> {
  const count = readGrams(text);
  return new Set(readGram.slice(0, count));
}

/** The groups of the text that was read last, repeated ones included; longer than their number. */
const readGram: number[] = [];

/** Reads the groups of a text into `readGram`; their number. Most names are ASCII, of which one pass finds the words. */
function readGrams(text: string): number {
  let count = 0;
  let first = space;
  let second = space;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) return readGramsOf(wordsOf(text));
    if (isInWord(unit)) {
      readGram[count++] = numberOf(first, second, unit);
      first = second;
      second = unit;
    } else if (second !== space) {
      readGram[count++] = numberOf(first, second, space);
      first = second = space;
    }
  }
  if (second !== space) readGram[count++] = numberOf(first, second, space);
  return count === 0 ? readGramsOf([text]) : count;
}

function readGramsOf(words: readonly string[]): number {
  let count = 0;
  for (const word of words) {
    let first = space;
    let second = space;
    for (let at = 0; at <= word.length; at++) {
      const third = at < word.length ? word.charCodeAt(at) : space;
      readGram[count++] = numberOf(first, second, third);
      first = second;
      second = third;
    }
  }
  return count;
}

/** Whether an ASCII unit is a letter or a digit. */
function isInWord(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a);
}

const space = 0x20;

/** Three units as one number: of 21 bits in ASCII, which is the fastest; above that in any other text, as no unit is below a space. */
function numberOf(first: number, second: number, third: number): number {
  return (first | second | third) < 0x80
    ? (first << 14) | (second << 7) | third
    : (first * 2 ** 16 + second) * 2 ** 16 + third;
}

/** The words of a folded text: runs of letters, marks and digits; a text without any is one word. */
export function wordsOf(text: string): string[] {
  // The fast path: most names are one word.
  if (/^[a-z0-9]+$/.test(text)) return [text];
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text];
}
