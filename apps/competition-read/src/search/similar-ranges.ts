import { charactersOf } from './fold';
import { fewestSimilarCharacters, wordsOf } from './similarity';
import { endMark } from './turns';

/** Names to look at when similar ones are searched for: those that begin with a text, or those with a part of it. */
export interface SimilarRange {
  /** Whether the text may stand anywhere in the name; then `text` may continue with what the name begins with. */
  readonly turned: boolean;
  readonly text: string;
}

/**
 * Where names similar to a folded text are looked for; at most about a hundred ranges, of which each is read for a few
 * names only. A text of up to twenty characters: each text with two neighbours swapped or one character less, as the
 * beginning of a name; and each name with one unknown character, or a few, in place of or before one of the text. Any
 * text: names with one of its words or of some of its parts, such that one part stays whole when two characters differ.
 */
export function similarRanges(text: string): SimilarRange[] {
  const characters = charactersOf(text);
  if (characters.length < fewestSimilarCharacters) return [];
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

  function add(text: string, turned: boolean): void {
    ranges.set(`${turned}${text}`, { turned, text });
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
  if (characters.length === fewestSimilarCharacters) return [];
  return characters.map((_, index) => characters.filter((_, other) => other !== index).join(''));
}

/** What follows a gap, the end of the name, and what stands before the gap: a beginning in the index of turned names. */
function gaps(characters: readonly string[]): string[] {
  return characters.flatMap((_, index) => {
    const before = characters.slice(0, index).join('');
    return [characters.slice(index), characters.slice(index + 1)]
      .filter((after) => after.length > 0)
      .map((after) => `${after.join('')}${endMark}${before}`);
  });
}

function words(text: string): string[] {
  const found = wordsOf(text).filter((word) => word !== text && charactersOf(word).length >= fewestSimilarCharacters);
  return found.slice(0, mostWords);
}

/** Thirds of the text, or pieces of three characters, begun at places that are spread over it evenly. */
function parts(characters: readonly string[]): string[] {
  const length = Math.max(3, Math.floor(characters.length / 3));
  const last = characters.length - length;
  const count = Math.min(mostParts, last + 1);
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : Math.round((index * last) / (count - 1));
    return characters.slice(at, at + length).join('');
  });
}
