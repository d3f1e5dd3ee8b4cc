import { Units } from './units';

/** Number of rotations per name: a search text is found if it begins within this many first characters of the name. */
export const maxRotations = 64;

/** Marks the end of the name in a rotation, before the characters that were moved to the end. No folded text contains it. */
export const endMark = '\u0001';

/** Reads the folded name of an entry, before rotation; the entry is a part of a text. */
export function readOriginal(text: string, from: number, to: number, name: Units): void {
  const end = text.indexOf(endMark, from);
  name.clear();
  name.append(text, end + 1, to);
  name.append(text, from, end);
}
