/**
 * A text from outside for a terminal. Replaced are control characters, which may move its cursor, and marks of direction, after
 * which the rest of the line would be shown in another order.
 */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
}
