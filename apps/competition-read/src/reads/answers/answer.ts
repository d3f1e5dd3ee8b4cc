import { Part, separator } from './body-parts';
import type { Position } from '../arguments/cursor';

/** The result of a read: the parts of its body, and its page if it is one. */
export interface Answer {
  readonly body: readonly Part[];
  readonly page?: AnswerPage;
}

/** A page: the number of items before it, and where the next page begins. */
export interface AnswerPage {
  readonly offset: number;
  readonly limit: number;
  /** Null on the last page. */
  readonly next: Position | null;
  /** Arguments that defaulted to the clock; links repeat them, so that all pages are of the same list. */
  readonly used?: Readonly<Record<string, number>>;
}

/** The envelope of a page: `start`, `end` and the items, then fields that an operation adds, such as `,"from":1`. */
export function envelope(start: number, end: number, items: readonly Part[], ...added: readonly Part[]): Part[] {
  return [`{"start":${start},"end":${end},"items":[`, ...listed(items), ']', ...added, '}'];
}

/** Items with separators between. */
export function listed(items: readonly Part[]): Part[] {
  const parts: Part[] = [];
  for (const item of items) {
    if (parts.length > 0) parts.push(separator);
    parts.push(item);
  }
  return parts;
}

/** The text of a non-empty object with more fields, given as `"name":value` texts. */
export function withFields(object: string, ...fields: readonly string[]): string {
  return fields.length === 0 ? object : `${object.slice(0, -1)},${fields.join(',')}}`;
}
