import { TSchema } from '@sinclair/typebox';

/** A schema that refuses undeclared fields at every depth; free-form maps stay unrestricted. */
export function closedSchema<S extends TSchema>(schema: S): S {
  return closed(schema) as S;
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string | symbol, unknown> = {};
  // TypeBox keeps the kind of a schema under a symbol.
  for (const key of Reflect.ownKeys(value)) copy[key] = closed(Reflect.get(value, key));
  const isShape = copy.type === 'object' && copy.patternProperties === undefined;
  if (isShape && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}
