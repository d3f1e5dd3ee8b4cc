/** A text from outside for a terminal: control characters, which may move its cursor, are replaced. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd');
}
