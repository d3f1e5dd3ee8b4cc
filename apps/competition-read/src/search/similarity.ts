import { charactersOf } from './fold-name';

/** Compares names with one folded search text. */
export class Similarity {
  private readonly grams: ReadonlySet<number>;
  private readonly maxEdits: number;

  constructor(private readonly text: string) {
    this.grams = gramsOf(text);
    this.maxEdits = maxEditsFor(charactersOf(text).length);
  }

  /**
   * Distance of a folded name from the text: lower is more similar, null is not similar. Most similar is a name within one
   * or two edits of the text (1, 2), then one whose beginning is (3, 4), then one that shares enough groups of three
   * characters with it (above 5).
   */
  distanceTo(name: string): number | null {
    const { whole, beginning } = editsBetween(this.text, name, this.maxEdits);
    if (whole <= this.maxEdits) return whole;
    if (beginning <= this.maxEdits) return 2 + beginning;
    const overlap = this.overlapWith(name);
    return overlap >= minOverlap ? 6 - overlap : null;
  }

  /** Common groups divided by all; 0 for a name that cannot have enough of them, which most can not. */
  private overlapWith(name: string): number {
    let found = 0;
    forEachGram(name, (gram) => {
      if (this.grams.has(gram)) found++;
    });
    // A repeated group counts more than once here, so this is at least the number of common groups.
    return found < minOverlap * this.grams.size ? 0 : overlapOf(this.grams, gramsOf(name));
  }
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
  const grams = new Set<number>();
  forEachGram(text, (gram) => grams.add(gram));
  return grams;
}

function forEachGram(text: string, use: (gram: number) => void): void {
  for (const word of wordsOf(text)) {
    let first = space;
    let second = space;
    for (let at = 0; at <= word.length; at++) {
      const third = at < word.length ? word.charCodeAt(at) : space;
      use(numberOf(first, second, third));
      first = second;
      second = third;
    }
  }
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
