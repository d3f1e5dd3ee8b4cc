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

/** A schema as it is compiled: bounds of texts in characters, as in the published one. */
export function checkedForm<S extends TSchema>(schema: S): S {
  return checkedValue(schema) as S;
}

function checkedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(checkedValue);
  if (typeof value !== 'object' || value === null) return value;
  if (isBoundedColumnText(value)) return countedInCharacters(value);
  // The copy keeps the symbols by which TypeBox tells kinds.
  const copy: Record<string, unknown> = { ...value };
  for (const [key, inner] of Object.entries(copy)) copy[key] = checkedValue(inner);
  return copy;
}
