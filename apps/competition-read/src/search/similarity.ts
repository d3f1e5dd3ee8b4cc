import { charactersOf } from './fold';

/** Compares names with one folded search text. */
export class Similarity {
  private readonly grams: ReadonlySet<string>;
  private readonly mostEdits: number;

  constructor(private readonly text: string) {
    this.grams = gramsOf(text);
    this.mostEdits = mostEditsIn(charactersOf(text).length);
  }

  /**
   * How far a folded name is from the text: less is nearer, null is not similar. Nearest is a name within one or two
   * edits of the text (1, 2), then one whose beginning is (3, 4), then one that has enough groups of three characters in
   * common with it (above 5).
   */
  distanceTo(name: string): number | null {
    const { whole, beginning } = editsBetween(this.text, name, this.mostEdits);
    if (whole <= this.mostEdits) return whole;
    if (beginning <= this.mostEdits) return 2 + beginning;
    const overlap = overlapOf(this.grams, gramsOf(name));
    return overlap >= leastOverlap ? 6 - overlap : null;
  }
}

/** Fewest characters of a text that has similar names. */
export const fewestSimilarCharacters = 3;

/** Share of groups of three characters that similar names have in common. */
const leastOverlap = 0.3;

/** How many edits of a text of so many characters are taken for mistakes. */
export function mostEditsIn(length: number): number {
  return length < fewestSimilarCharacters ? 0 : length < 6 ? 1 : 2;
}

/**
 * Edits (a UTF-16 unit more, less or another, two neighbours swapped) between a text and a name, and between the text and
 * that beginning of the name which is nearest to it. Above `most`, each is only known to be more than `most`. Costs
 * `text.length * most`, however long the name is.
 */
export function editsBetween(text: string, name: string, most: number): { whole: number; beginning: number } {
  const far = most + 1;
  if (name.length < text.length - most) return { whole: far, beginning: far };
  const width = Math.min(name.length, text.length + most);
  // Only what is at most `most` beside the diagonal can be near, and of the three rows in use only that is read.
  let [older, old, row] = [0, 1, 2].map(() => new Array<number>(width + 1).fill(far));
  for (let to = 0; to <= Math.min(most, width); to++) old[to] = to;
  for (let from = 1; from <= text.length; from++) {
    const first = from - most;
    if (first <= 0) row[0] = from;
    else row[first - 1] = far;
    for (let to = Math.max(1, first); to <= Math.min(width, from + most); to++) {
      const isSame = text.charCodeAt(from - 1) === name.charCodeAt(to - 1);
      let edits = old[to - 1] + (isSame ? 0 : 1);
      if (old[to] < edits) edits = old[to] + 1;
      if (row[to - 1] < edits) edits = row[to - 1] + 1;
      if (from > 1 && to > 1 && older[to - 2] < edits && isSwap(text, from, name, to)) edits = older[to - 2] + 1;
      row[to] = Math.min(edits, far);
    }
    [older, old, row] = [old, row, older];
  }
  return { whole: name.length > width ? far : old[width], beginning: Math.min(...old.slice(text.length - most)) };
}

function isSwap(text: string, from: number, name: string, to: number): boolean {
  return text.charCodeAt(from - 1) === name.charCodeAt(to - 2) && text.charCodeAt(from - 2) === name.charCodeAt(to - 1);
}

function overlapOf(grams: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let common = 0;
  for (const gram of others) if (grams.has(gram)) common++;
  return common / (grams.size + others.size - common);
}

/** Groups of three units in the words of a text, with two blanks before each word and one after it. */
function gramsOf(text: string): Set<string> {
  const grams = new Set<string>();
  for (const word of wordsOf(text)) {
    const spaced = `  ${word} `;
    for (let at = 0; at + 3 <= spaced.length; at++) grams.add(spaced.slice(at, at + 3));
  }
  return grams;
}

/** The words of a folded text: letters, marks and digits in a row; a text of none is one word. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text];
}
