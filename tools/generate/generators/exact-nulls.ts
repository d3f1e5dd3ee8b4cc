import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * Writes schemas of values that may be null so that null is valid for strict clients too. `nullable` adds null only to the
 * `type` beside it (OpenAPI 3.0.3, Schema Object): an enum has to list null, and a referenced schema never becomes nullable,
 * so that null is an alternative to it.
 */
export function withExactNulls(document: OpenAPIObject): OpenAPIObject {
  return exact(document) as OpenAPIObject;
}

/** Null alone. OpenAPI 3.0 has no type for it; generators of clients know a value whose enum is null. */
const onlyNull = { type: 'string', nullable: true, enum: [null] };

function exact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== 'object' || value === null) return value;
  const made = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, exact(part)]));
  return made.nullable === true ? nullableSchema(made) : made;
}

function nullableSchema(schema: Record<string, unknown>): object {
  const { nullable: _nullable, type, allOf, oneOf, anyOf, ...annotations } = schema;
  if (Array.isArray(schema.enum))
    return schema.enum.includes(null) ? schema : { ...schema, enum: [...schema.enum, null] };
  if (Array.isArray(allOf))
    return { ...annotations, oneOf: [...(allOf.length === 1 ? (allOf as unknown[]) : [{ allOf }]), onlyNull] };
  const choices = oneOf ?? anyOf;
  if (Array.isArray(choices)) return { ...annotations, oneOf: [...(choices as unknown[]), onlyNull] };
  if (type === undefined) throw new Error(`a schema is nullable without a type: ${JSON.stringify(schema)}`);
  return schema;
}
