import { charactersOf } from './fold-name';
import { minSimilarCharacters, wordsOf } from './similarity';
import { endMark } from './rotations';

/** A range of the name index to search for similar names: a prefix of names, or a prefix of rotations. */
export interface SimilarRange {
  /** Whether the text may be anywhere in the name; then `text` may continue with the beginning of the name. */
  readonly rotated: boolean;
  readonly text: string;
}

/**
 * The ranges to search for names similar to a folded text: at most about a hundred, each read for a few names only.
 *
 * For a text of up to twenty characters: each variant with two adjacent characters swapped or one character removed, as the
 * beginning of a name; and each name with any characters in place of a character of the text.
 * For any text: names with one of its words or some of its parts, chosen so that two edits leave one part unchanged.
 */
export function similarRanges(text: string): SimilarRange[] {
  const characters = charactersOf(text);
  if (characters.length < minSimilarCharacters) return [];
  const ranges = new Map<string, SimilarRange>();
  if (characters.length <= mostEditedCharacters) {
    for (const edited of [...swaps(characters), ...drops(characters)]) add(edited, false);
    for (const gapped of gaps(characters)) add(gapped, true);
  }
  for (const part of new Set([...words(text), ...parts(characters)])) {
    add(part, false);
    add(part, true);
  }
  return [...ranges.values()];

  function add(text: string, rotated: boolean): void {
    ranges.set(`${rotated}${text}`, { rotated, text });
  }
}

const mostEditedCharacters = 20;
const mostWords = 4;
const mostParts = 10;

function swaps(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => {
    const swapped = [...characters];
    swapped[index + 1] = characters[index];
    swapped[index] = character;
    return swapped.join('');
  });
}

function drops(characters: readonly string[]): string[] {
  if (characters.length === minSimilarCharacters) return [];
  return characters.map((_, index) => characters.filter((_, other) => other !== index).join(''));
}

/**
 * For each character, the text after it, the end mark, and the text before it: a prefix in the index of rotations, of names
 * with any characters in its place. A name with more characters before the next one is among them.
 */
function gaps(characters: readonly string[]): string[] {
  return characters
    .slice(1)
    .map((_, index) => `${characters.slice(index + 1).join('')}${endMark}${characters.slice(0, index).join('')}`);
}

function words(text: string): string[] {
  const found = wordsOf(text).filter((word) => word !== text && charactersOf(word).length >= minSimilarCharacters);
  return found.slice(0, mostWords);
}

/** Thirds of the text, or pieces of three characters that start at evenly spread positions. */
function parts(characters: readonly string[]): string[] {
  const length = Math.max(3, Math.floor(characters.length / 3));
  const last = characters.length - length;
  const count = Math.min(mostParts, last + 1);
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : Math.round((index * last) / (count - 1));
    return characters.slice(at, at + length).join('');
  });
}
