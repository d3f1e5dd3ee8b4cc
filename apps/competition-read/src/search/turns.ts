/** How many of the first characters of a name a text inside it may begin at. */
export const maxTurns = 64;

/** Stands in the index behind the end of a name, before what was turned behind it; no folded text has it. */
export const endMark = '\u0001';
