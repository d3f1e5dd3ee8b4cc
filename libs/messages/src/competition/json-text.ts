/**
 * The JSON of a value. Half of a surrogate pair, such as a text has that was cut inside an emoji, becomes U+FFFD: JSON can carry
 * it, but strict parsers of other languages refuse the whole response in which one document has it.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\ud') ? text.replaceAll(halves, '$1\ufffd') : text;
}

/** `JSON.stringify` escapes halves only, in lower case. A backslash of a text is itself escaped. */
const halves = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;
