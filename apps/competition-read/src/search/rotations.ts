/** Number of rotations per name: a search text is found if it begins within this many first characters of the name. */
export const maxRotations = 64;

/** Marks the end of the name in a rotation, before the characters that were moved to the end. No folded text contains it. */
export const endMark = '\u0001';

/** The folded name of an entry, before rotation. */
export function originalName(gram: string): string {
  const end = gram.indexOf(endMark);
  return gram.slice(end + 1) + gram.slice(0, end);
}
