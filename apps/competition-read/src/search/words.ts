/** The words of a folded text: runs of letters, marks and digits; a text without any is one word. */
export function wordsOf(text: string): string[] {
  // The fast path: most names are one word.
  if (/^[a-z0-9]+$/.test(text)) return [text];
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text];
}
