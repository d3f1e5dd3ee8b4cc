/** Number of rotations per name: a search text is found if it begins within this many first characters of the name. */
export const maxRotations = 64;

/** Marks the end of the name in a rotation, before the characters that were moved to the end. No folded text contains it. */
export const endMark = '\u0001';
