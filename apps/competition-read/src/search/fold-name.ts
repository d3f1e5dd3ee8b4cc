/** Maximum characters (code points) of a folded text. The rest of a longer name is not searched. */
export const maxFoldedLength = 128;

/**
 * The form in which names and search texts are compared: NFKC, lower case, whitespace and control characters as single
 * spaces, trimmed, at most `maxFoldedLength` characters. Invisible characters (joiners, direction marks, variation selectors,
 * blank letters) are removed, so that a copied right-to-left name matches itself, and an emoji or ideograph any variant of
 * itself; so are the vowel marks of Hebrew and Arabic, which few people type. The characters that the index reserves, U+0001
 * and U+10FFFF, are also removed. Folding is idempotent. The result may be empty.
 */
export function foldName(text: string): string {
  if (plain.test(text)) return text.slice(0, maxFoldedLength).trimEnd().toLowerCase();
  const folded = text
    .toWellFormed()
    .replace(invisible, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(vowelMarks, '')
    // Again: what is left may compose, such as an alef with the hamza that a mark parted from it.
    .normalize('NFKC')
    // The lower case of a sigma depends on its position: the beginning of a word would not match the word.
    .replaceAll('ς', 'σ')
    .replace(blanks, ' ');
  return charactersOf(folded.trim()).slice(0, maxFoldedLength).join('').trimEnd();
}

/** Number of characters (code points) of a text. */
export function charactersOf(text: string): string[] {
  return Array.from(text);
}

/** ASCII without control characters and with nothing to trim: most names, and forty times as fast. */
const plain = /^[!-~]+(?: [!-~]+)*$/;

const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]+/gu;

/**
 * Marks above and below letters of Hebrew and Arabic, but for madda and hamza: with these, a letter is another one. The usual marks of
 * Arabic have no script of their own; by the scripts that use them, marks of Latin letters would be some of them too.
 */
const vowelMarks = /(?:(?=[\p{Script=Hebrew}\p{Script=Arabic}\u064b-\u0652\u0670])\p{Mn})+/gu;

const blanks = /[\p{Cc}\s]+/gu;
