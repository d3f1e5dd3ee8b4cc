import type { Part } from './chunk';
import type { Position } from './cursor';

/** What a read found: the parts of the body, and where it stands in what it is a page of. */
export interface Answer {
  readonly body: readonly Part[];
  readonly page?: AnswerPage;
}

/** A page: how many items stand before it, and where the next one begins. */
export interface AnswerPage {
  readonly offset: number;
  readonly limit: number;
  /** Null on the last page. */
  readonly next: Position | null;
  /** Arguments that were filled in from the clock, so that the pages after this one are of the same list. */
  readonly used?: Readonly<Record<string, number>>;
}

/** The envelope of a page: `start`, `end` and the items, then what an operation adds, such as `,"from":1`. */
export function envelope(start: number, end: number, items: readonly Part[], ...added: readonly Part[]): Part[] {
  return [`{"start":${start},"end":${end},"items":[`, ...listed(items), ']', ...added, '}'];
}

/** Items with commas between. */
export function listed(items: readonly Part[]): Part[] {
  const parts: Part[] = [];
  for (const item of items) {
    if (parts.length > 0) parts.push(',');
    parts.push(item);
  }
  return parts;
}

/** The text of an object with more fields, given as `"name":value` texts; objects here are never empty. */
export function withFields(object: string, ...fields: readonly string[]): string {
  return fields.length === 0 ? object : `${object.slice(0, -1)},${fields.join(',')}}`;
}
