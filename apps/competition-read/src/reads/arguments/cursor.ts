import { hash } from 'node:crypto';
import { Parameter, isStorable, onlyText, refuseArgument } from './parameter';

/** A row of a list, after which the next page begins. */
export interface Place {
  readonly sort: number;
  readonly id: string;
}

/** Where a page begins: the number of items before it and, in lists, the row before it. */
export interface Position {
  readonly offset: number;
  readonly after: Place | null;
}

/** A decoded cursor: its position, and a digest of the list that it claims to belong to. */
export interface GivenCursor extends Position {
  readonly binding: string;
}

const maxCursorLength = 2048;

/** `cursor`: continues where the previous page ended, at the same cost at any depth. */
export const cursor: Parameter<GivenCursor | null> = {
  description: 'The cursor of the `next` link of the previous page, unchanged; replaces `offset`',
  required: false,
  schema: { type: 'string', maxLength: maxCursorLength },
  fallback: null,
  read: (name, texts) => decodeCursor(onlyText(name, texts)) ?? refuseCursor(),
};

/** The text of a cursor for the page of `scope` that begins at a position; without the row before it if its id is too long. */
export function encodeCursor(scope: CursorScope, { offset, after }: Position): string {
  const text = encode(offset, after, bindingOf(scope, offset, after));
  return text.length <= maxCursorLength ? text : encode(offset, null, bindingOf(scope, offset, null));
}

/** Throws 400 unless a cursor was issued for this operation with these arguments. */
export function requireCursorOf(scope: CursorScope, given: GivenCursor): void {
  if (given.binding !== bindingOf(scope, given.offset, given.after)) refuseCursor();
}

/** The list that a cursor belongs to: one operation with the arguments that select the list. */
export interface CursorScope {
  readonly operation: string;
  readonly filters: readonly (readonly [string, unknown])[];
}

/** Nothing in a cursor is secret or trusted: the digest catches mistakes, and every part is validated. */
function bindingOf({ operation, filters }: CursorScope, offset: number, after: Place | null): string {
  return hash('sha256', JSON.stringify([operation, filters, offset, after?.sort, after?.id]), 'base64url').slice(0, 16);
}

function encode(offset: number, after: Place | null, binding: string): string {
  const parts = after === null ? [offset, binding] : [offset, binding, after.sort, after.id];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function decodeCursor(text: string): GivenCursor | null {
  if (text.length > maxCursorLength) return null;
  const parts = parsed(text);
  if (!Array.isArray(parts) || (parts.length !== 2 && parts.length !== 4)) return null;
  const [offset, binding, sort, id] = parts as unknown[];
  if (!isWhole(offset) || offset < 0 || typeof binding !== 'string') return null;
  const after = parts.length === 2 ? null : placeOf(sort, id);
  if (after === undefined) return null;
  // Accepts only the canonical text: base64url and JSON have several encodings of one value.
  return encode(offset, after, binding) === text ? { offset, after, binding } : null;
}

function placeOf(sort: unknown, id: unknown): Place | undefined {
  return isWhole(sort) && typeof id === 'string' && isStorable(id) ? { sort, id } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function refuseCursor(): never {
  return refuseArgument(
    'cursor',
    'invalid; use the one of the `next` link, unchanged and with the same other arguments',
  );
}
