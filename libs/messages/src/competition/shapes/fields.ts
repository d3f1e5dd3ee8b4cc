import { SchemaOptions, Static, TSchema, TUnsafe, Type } from '@sinclair/typebox';
import { columnKey, columnText } from '../../values/column-text';
import { dateTimePattern } from '../../values/value-patterns';

/**
 * The field types of the shapes. Texts that stores keep in columns and indexes (ids, names, words) are bounded, well-formed
 * and free of control characters, because columns and record keys cannot hold others. All other texts are unrestricted.
 */

/** Maximum characters of the texts in columns: of words and the ids of single things, and of names. */
export const columnLengths = { word: 128, name: 256 } as const;

/** An id as its owner wrote it: a UUID, 24 hex characters or a plain word; compared byte for byte. */
export function id(description: string) {
  return Type.String({ minLength: 1, maxLength: columnLengths.word, pattern: columnText, description });
}

/** An id composed of other ids. */
export function compositeId(description: string) {
  return Type.String({ minLength: 1, maxLength: 1024, pattern: columnText, description });
}

/** A name that people choose and search for: a nickname, the name of a hub. */
export function name(description: string) {
  return Type.String({ maxLength: columnLengths.name, pattern: columnText, description });
}

/** A word that groups documents (a status, a region, a country); the known values are not a closed list. */
export function word(description: string) {
  return Type.String({ maxLength: columnLengths.word, pattern: columnText, description });
}

/** Any text; empty when there is none. */
export function text(description: string) {
  return Type.String({ description });
}

/** Address of a picture; empty when there is none. */
export function image(description: string) {
  return Type.String({ description: `${description}: URL, empty when there is none` });
}

/** Address of a page of the service itself. */
export function pageUrl() {
  return Type.String({ description: 'Page at the service; carries a literal {lang} segment' });
}

/** A count, a level or a limit. */
export function integer(description: string) {
  return Type.Integer({ description });
}

/** A whole number for a rank key or sort key: 32 bits, signed. */
export function int32(description: string) {
  return Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, description });
}

/** A time in Unix seconds. */
export function epochSeconds(description: string) {
  return Type.Integer({ minimum: 0, maximum: 8.64e12, description: `${description}, Unix seconds` });
}

/** A time in Unix milliseconds. */
export function epochMilliseconds(description: string) {
  return Type.Integer({ minimum: 0, maximum: 8.64e15, description: `${description}, Unix milliseconds` });
}

/** A time as an ISO 8601 date-time with its offset from UTC; its date exists. */
export function dateTime(description: string) {
  return Type.String({ pattern: dateTimePattern, description: `${description}, ISO 8601` });
}

/** A list of words. */
export function words(description: string) {
  return Type.Array(word('One of them'), { description });
}

/** A list of texts. */
export function texts(description: string) {
  return Type.Array(Type.String(), { description });
}

/** An object with free keys, all of whose values have one shape. */
export function mapOf<V extends TSchema>(values: V, options: SchemaOptions): TUnsafe<Record<string, Static<V>>> {
  return Type.Unsafe<Record<string, Static<V>>>(Type.Object({}, { additionalProperties: values, ...options }));
}

/** An object whose keys are words that group documents, and whose values all have one shape. */
export function mapByWord<V extends TSchema>(values: V, options: SchemaOptions): TUnsafe<Record<string, Static<V>>> {
  const keys = Type.String({ pattern: columnKey(columnLengths.word) });
  return Type.Unsafe<Record<string, Static<V>>>(Type.Record(keys, values, { additionalProperties: false, ...options }));
}

/** Statistics with free labels: every value is a text, numbers too. */
export function statistics(description: string) {
  return mapOf(Type.String(), { description: `${description}; labels are free, numbers are texts too` });
}

/** An object with unknown content; `{}` when there is none, never null. */
export function opaque(description: string) {
  return mapOf(Type.Unknown(), { description: `${description}; {} when there is none` });
}
