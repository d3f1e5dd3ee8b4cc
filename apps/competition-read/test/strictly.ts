import { CloneType, TSchema } from '@sinclair/typebox';

/** A copy of a schema that rejects undeclared fields at any depth; maps stay open. */
export function strictly(schema: TSchema): TSchema {
  return closed(CloneType(schema));
}

function closed(schema: TSchema): TSchema {
  for (const inner of innerSchemas(schema)) closed(inner);
  if (schema.type === 'object' && schema.additionalProperties === undefined && schema.patternProperties === undefined)
    schema.additionalProperties = false;
  return schema;
}

function innerSchemas({ properties, items, additionalProperties, anyOf }: TSchema): TSchema[] {
  return [
    ...Object.values((properties ?? {}) as Record<string, TSchema>),
    ...(items ? [items as TSchema] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties as TSchema] : []),
    ...((anyOf ?? []) as TSchema[]),
  ];
}
