/** Most characters (code points) of a folded text. The rest of a longer name is not searched. */
export const maxFoldedLength = 128;

/**
 * The form in which names and search texts are compared: NFKC, lower case, blanks and control characters as single
 * spaces, trimmed, at most `maxFoldedLength` characters. Characters that show nothing (joiners, marks of direction) are
 * left out, so that a copied right-to-left name finds itself; so are the characters that the index keeps for its own use, 1
 * and U+10FFFF. Folding twice changes nothing. May be empty.
 */
export function foldName(text: string): string {
  if (plain.test(text)) return text.slice(0, maxFoldedLength).trimEnd().toLowerCase();
  const folded = text
    .toWellFormed()
    .replace(invisible, '')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    // Lower case of a sigma depends on where it stands: the beginning of a word would not find the word.
    .replaceAll('ς', 'σ')
    .replace(blanks, ' ');
  return charactersOf(folded.trim()).slice(0, maxFoldedLength).join('').trimEnd();
}

/** Characters (code points) of a text. */
export function charactersOf(text: string): string[] {
  return Array.from(text);
}

/** ASCII without control characters, with nothing to trim: most names, and forty times as fast. */
const plain = /^[!-~]+(?: [!-~]+)*$/;

const invisible = /[\p{Cf}\p{Noncharacter_Code_Point}]+/gu;

const blanks = /[\p{Cc}\s]+/gu;
