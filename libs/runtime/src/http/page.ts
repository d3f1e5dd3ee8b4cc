import { CodedError } from '@podium/messages';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { isUuid } from './uuid.pipe';

/**
 * The longest cursor, characters. A key may have two texts of 255 bytes that a partner chose; JSON writes a control character as six,
 * and base64 four for three of them.
 */
export const maxCursorLength = 8192;

/** Query of every list for operators: keyset paging, so that all pages cost the same. */
export class PageQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 50,
    description: 'Most items of the answer',
  })
  @Transform(({ value }) =>
    value === undefined || value === '' ? 50 : /^\d{1,9}$/.test(String(value)) ? Number(value) : NaN,
  )
  @IsInt({ message: 'must be a whole number from 1 to 100' })
  @Min(1)
  @Max(100)
  limit: number = 50;

  @ApiPropertyOptional({ description: '`next_cursor` of the page before; leave it out for the first page' })
  @IsOptional()
  @IsString()
  @MaxLength(maxCursorLength)
  cursor?: string;
}

/** One page of a list; `next_cursor` is null on the last. */
export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** Makes a page of at most `limit` from `limit + 1` rows read in order; the next page begins after `keyOf` the last row. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
  itemOf: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    items: shown.map(itemOf),
    next_cursor: more ? Buffer.from(JSON.stringify(keyOf(last))).toString('base64url') : null,
  };
}

/**
 * The type of a part of a cursor; `int32` is for columns of type integer, which hold no greater numbers, `timeMs` for times in
 * Unix milliseconds, `uuid` for columns of that type.
 */
export type CursorPart = 'string' | 'uuid' | 'number' | 'int32' | 'timeMs';

/** 31 December 9999: a later time, or one before 1970, may be none for Postgres. */
const lastTimeMs = 253_402_300_799_999;

/** The key in a cursor, one part per given type, or null without a cursor; throws `invalid_request` when it was not issued by this service. */
export function keyInCursor<const Types extends readonly CursorPart[]>(
  cursor: string | undefined,
  types: Types,
): { [I in keyof Types]: CursorValue<Types[I]> } | null {
  if (cursor === undefined || cursor === '') return null;
  const key = parsed(cursor);
  const fits = Array.isArray(key) && key.length === types.length && types.every((type, i) => isPart(type, key[i]));
  if (!fits) throw unknownCursor();
  return key as { [I in keyof Types]: CursorValue<Types[I]> };
}

/** The error about a cursor that no list has returned. */
export function unknownCursor(): CodedError {
  const message = 'cursor: send next_cursor of a page, or cursor of a line of an export, unchanged';
  return new CodedError('invalid_request', { message });
}

type CursorValue<Part extends CursorPart> = Part extends 'string' | 'uuid' ? string : number;

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Cursor values that reach SQL must be storable: no NUL, no unpaired surrogate, no fraction. */
function isPart(type: CursorPart, value: unknown): boolean {
  switch (type) {
    case 'number':
      return Number.isSafeInteger(value);
    case 'int32':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31;
    case 'timeMs':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= lastTimeMs;
    case 'uuid':
      return typeof value === 'string' && isUuid(value);
    case 'string':
      return typeof value === 'string' && !/\p{Surrogate}/u.test(value) && !value.includes('\0');
  }
}
