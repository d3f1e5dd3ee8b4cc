import { charactersOf } from './fold-name';
import { minSimilarCharacters } from './similarity';
import { wordsOf } from './words';
import { endMark, maxRotations } from './rotations';

/** Where the name index is read for names similar to a text. */
export interface SimilarPlaces {
  /** The text and rotations of it. The nearest entries on both sides share the longest part with the text from there on. */
  readonly places: readonly SimilarPlace[];
  /** Beginnings of names, of which the first are read. */
  readonly beginnings: readonly string[];
}

/** A place in the index of names, or of their rotations. */
export interface SimilarPlace {
  readonly rotated: boolean;
  /** Entries below it are read, the last ones first. */
  readonly before: string;
  /** Entries above it are read. */
  readonly after: string;
}

/**
 * The places of names similar to a folded text of at least `minSimilarCharacters`, at most about forty.
 *
 * Rotations are spread over the text, every second character of a short one. A name with one edit has, after the edit, a
 * rotation that continues like the text's up to the edit, so that it is next to it unless others are as near. Of a name that
 * only begins like the text, the rotation ends differently: it is found by an unchanged part that few other names have. Texts
 * with an edit in the middle have no long unchanged part, and those with one at the end only a beginning that many names may
 * have. Therefore such texts of up to twenty characters are also corrected (two adjacent characters swapped, or one
 * removed), and names that begin so are read, as are those that begin with a later word of the text.
 */
export function similarPlaces(text: string): SimilarPlaces {
  const characters = charactersOf(text);
  const beginnings = [...laterWords(text), ...(characters.length <= mostEditedCharacters ? corrected(characters) : [])];
  return {
    places: [placeOf(text), ...rotationsOf(characters)],
    beginnings: [...new Set(beginnings)].filter((other) => other !== text),
  };
}

const mostEditedCharacters = 20;
const minRareCharacters = 8;
const mostWords = 4;
const mostRotations = 10;

/** The place of the text among names, without those that begin with it: other tiers find them. */
function placeOf(text: string): SimilarPlace {
  return { rotated: false, before: `${text}${endMark}`, after: `${text}\u{10FFFF}` };
}

function rotationsOf(characters: readonly string[]): SimilarPlace[] {
  const last = Math.min(characters.length, maxRotations) - 1;
  const count = Math.min(mostRotations, Math.floor(last / 2) + 1);
  return Array.from({ length: count }, (_, index) => {
    const at = 1 + Math.round((index * (last - 1)) / (count - 1));
    const rotation = `${characters.slice(at).join('')}${endMark}${characters.slice(0, at).join('')}`;
    return { rotated: true, before: rotation, after: rotation };
  });
}

/** The text with two adjacent characters swapped or one removed, where no long part of it is unchanged. */
function corrected(characters: readonly string[]): string[] {
  const { length } = characters;
  const rareCharacters = Math.max(minRareCharacters, (2 * length) / 3);
  const isAmongShortParts = (before: unknown[], after: unknown[]): boolean =>
    Math.max(before.length, after.length) < rareCharacters;
  return characters.flatMap((character, at) => {
    const [before, after] = [characters.slice(0, at), characters.slice(at + 1)];
    const [next, ...afterNext] = after;
    const isRemoved = length > minSimilarCharacters && (isAmongShortParts(before, after) || after.length === 0);
    const isSwapped = after.length > 0 && (isAmongShortParts(before, afterNext) || afterNext.length === 0);
    return [
      ...(isRemoved ? [[...before, ...after]] : []),
      ...(isSwapped ? [[...before, next, character, ...afterNext]] : []),
    ].map((edited) => edited.join(''));
  });
}

function laterWords(text: string): string[] {
  return wordsOf(text)
    .slice(1, mostWords)
    .filter((word) => charactersOf(word).length >= minSimilarCharacters);
}
