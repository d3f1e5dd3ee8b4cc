import { TSchema, Type } from '@sinclair/typebox';

const plain = '[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]';
const pair = '[\\ud800-\\udbff][\\udc00-\\udfff]';
const anyOfBoth = `(?:${plain}|${pair})`;

/** The pattern of a text that columns and record keys can hold: well-formed, without control characters. */
export const columnText = `^${plain}*(?:${pair}${plain}*)*$`;

/** The pattern of such a text as a key of a map, from 1 to `max` characters. */
export function columnKey(max: number): string {
  return `^${anyOfBoth}{1,${max}}$`;
}

/**
 * A pattern in the syntax that ECMAScript, RE2 and Python have in common, in which there are no surrogates: JSON decoders of most languages
 * have none.
 */
export function commonPattern(pattern: string): string {
  const character = '[^\\x00-\\x1f\\x7f]';
  return pattern === columnText ? `^${character}*$` : pattern.replace(anyOfBoth, character);
}

type BoundedText = TSchema & { readonly maxLength: number };

/** Whether a schema is that of a bounded text of columns. */
export function isBoundedColumnText(schema: object): schema is BoundedText {
  const { pattern, maxLength } = schema as Partial<Record<string, unknown>>;
  return pattern === columnText && typeof maxLength === 'number';
}

/**
 * The same text with `maxLength` in characters, as JSON Schema counts; a compiled check counts UTF-16 units. Only a text with more units
 * than that is counted.
 */
export function countedInCharacters(schema: BoundedText): TSchema {
  const { maxLength } = schema;
  const pattern = `^${anyOfBoth}{0,${maxLength}}$`;
  return Type.Union([schema, Type.String({ minLength: maxLength + 1, maxLength: 2 * maxLength, pattern })]);
}

/** Whether a schema is a result of `countedInCharacters`. */
export function isCounted({ anyOf }: TSchema): boolean {
  const [first] = (anyOf ?? []) as readonly object[];
  return first !== undefined && isBoundedColumnText(first);
}
