import { TSchema } from '@sinclair/typebox';
import { commonPattern, countedInCharacters, isBoundedColumnText } from './values/column-text';

/** A schema as other languages read it: its JSON, with patterns in their common syntax. */
export function publishedForm(schema: TSchema): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema, publishedValue)) as Record<string, unknown>;
}

function publishedValue(key: string, value: unknown): unknown {
  if (key === 'pattern' && typeof value === 'string') return commonPattern(value);
  if (key !== 'patternProperties') return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([pattern, values]) => [commonPattern(pattern), values as unknown]),
  );
}

const exactIntegers = Symbol('exact integers');

/**
 * Bounds the integers below a schema to those that a double holds exactly, where it is compiled: others have changed by then, and
 * would be served so. The published form stays without these bounds.
 */
export function withExactIntegers<S extends TSchema>(schema: S): S {
  return Object.assign(schema, { [exactIntegers]: true });
}

/** A schema as it is compiled: bounds of texts in characters, as in the published one, and those of exact integers. */
export function checkedForm<S extends TSchema>(schema: S): S {
  return checkedValue(schema, false) as S;
}

function checkedValue(value: unknown, areExact: boolean): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => checkedValue(inner, areExact));
  if (typeof value !== 'object' || value === null) return value;
  if (isBoundedColumnText(value)) return countedInCharacters(value);
  const isExact = areExact || exactIntegers in value;
  // The copy keeps the symbols by which TypeBox tells kinds.
  const copy: Record<string, unknown> = { ...value };
  for (const [key, inner] of Object.entries(copy)) copy[key] = checkedValue(inner, isExact);
  return isExact && copy.type === 'integer' ? { ...exactBounds, ...copy } : copy;
}

const exactBounds = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;
