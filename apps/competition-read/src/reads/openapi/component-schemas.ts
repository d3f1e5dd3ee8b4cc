import { KindGuard, TSchema } from '@sinclair/typebox';
import * as messages from '@podium/messages';
import type { Reply } from '../rows/read-row';

/** A schema in OpenAPI 3.0. */
export interface ComponentSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, ComponentSchema>>;
  readonly required?: readonly string[];
  readonly items?: ComponentSchema;
  readonly additionalProperties?: ComponentSchema | boolean;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly description?: string;
  readonly example?: unknown;
  readonly $ref?: string;
}

/** Path of components in a document. */
export const schemaPath = '#/components/schemas/';

/** The schemas of replies and, as components of their own, of every named shape in them. */
export function componentSchemas(replies: readonly Reply[]): Record<string, ComponentSchema> {
  const components = new Map<string, ComponentSchema>();
  for (const { name, schema } of replies) add(name, plain(schema));
  return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));

  function add(name: string, schema: ComponentSchema): void {
    if (components.has(name)) return;
    components.set(name, schema);
    components.set(name, withReferences(schema));
  }

  function reference(schema: ComponentSchema): ComponentSchema {
    const name = shapeNames().get(JSON.stringify(schema));
    if (name === undefined) return withReferences(schema);
    add(name, schema);
    return { $ref: schemaPath + name };
  }

  function withReferences(schema: ComponentSchema): ComponentSchema {
    const { properties, items, additionalProperties } = schema;
    return {
      ...schema,
      ...(properties && { properties: mapped(properties, reference) }),
      ...(items && { items: reference(items) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: reference(additionalProperties) }),
    };
  }
}

let names: ReadonlyMap<string, string> | undefined;

/** Names of schemas by their JSON: an optional field holds a copy of its schema, which only the JSON identifies. */
function shapeNames(): ReadonlyMap<string, string> {
  names ??= new Map(
    Object.entries(messages as Record<string, unknown>).flatMap(([name, value]) =>
      KindGuard.IsObject(value) ? [[JSON.stringify(plain(value)), name] as const] : [],
    ),
  );
  return names;
}

/**
 * A schema in terms of OpenAPI 3.0: without `const` and `patternProperties`, and without patterns, because JavaScript's
 * dialect (surrogates as code units) breaks clients in other languages. Numbers get a format, because generators assume
 * 32 bits without one, too few for milliseconds. A value of several types is any value, and a map with fields of other types
 * a map of any values: of these, the usual generators for C#, Kotlin and Rust make classes that read no text or drop the map.
 */
function plain(schema: TSchema): ComponentSchema {
  return JSON.parse(
    JSON.stringify(schema, (_, value: unknown) => (isSchemaLike(value) ? toOpenApi(value) : value)),
  ) as ComponentSchema;
}

function toOpenApi({ $id: _, const: only, patternProperties, pattern, anyOf, ...rest }: SchemaLike): object {
  if (anyOf) return { ...ofAnyType(anyOf), ...rest };
  if (isMapWithFields(rest)) {
    const { properties, required: _required, additionalProperties, ...map } = rest;
    return { ...map, additionalProperties: ofAnyType([...Object.values(properties), additionalProperties]) };
  }
  const [values] = Object.values(patternProperties ?? {});
  const format = formatOf({ pattern, ...rest });
  return {
    ...rest,
    ...(format !== undefined && { format }),
    ...(only !== undefined && { enum: [only] }),
    ...(values !== undefined && { additionalProperties: values }),
  };
}

function ofAnyType(schemas: readonly SchemaLike[]): object {
  return { description: `Of type ${[...new Set(schemas.map(({ type }) => type))].join(' or ')}` };
}

function isMapWithFields(schema: SchemaLike): schema is SchemaLike & Required<Pick<SchemaLike, MapWithFields>> {
  const { properties = {}, additionalProperties } = schema;
  return typeof additionalProperties === 'object' && Object.keys(properties).length > 0;
}

type MapWithFields = 'properties' | 'additionalProperties';

/** The format of a schema, if it has one: the width of a number, or that of a date-time. */
export function formatOf({ type, pattern, maximum = Infinity }: SchemaLike): string | undefined {
  if (type === 'integer') return maximum < 2 ** 31 ? 'int32' : 'int64';
  if (type === 'number') return 'double';
  return pattern?.startsWith('^\\d{4}-') ? 'date-time' : undefined;
}

interface SchemaLike {
  readonly $id?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly pattern?: string;
  readonly maximum?: number;
  readonly anyOf?: readonly SchemaLike[];
  readonly properties?: Readonly<Record<string, SchemaLike>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaLike;
  readonly patternProperties?: Readonly<Record<string, unknown>>;
}

function isSchemaLike(value: unknown): value is SchemaLike {
  return KindGuard.IsKind(value);
}

function mapped<V, W>(object: Readonly<Record<string, V>>, map: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
