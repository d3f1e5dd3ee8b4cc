import { KindGuard, TSchema } from '@sinclair/typebox';
import * as messages from '@podium/messages';
import type { Reply } from '../read-row';

/** A schema as OpenAPI 3.0 has it. */
export interface ComponentSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, ComponentSchema>>;
  readonly required?: readonly string[];
  readonly items?: ComponentSchema;
  readonly additionalProperties?: ComponentSchema | boolean;
  readonly anyOf?: readonly ComponentSchema[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly description?: string;
  readonly $ref?: string;
}

/** Where components stand in a document. */
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
    const { properties, items, additionalProperties, anyOf } = schema;
    return {
      ...schema,
      ...(properties && { properties: mapped(properties, reference) }),
      ...(items && { items: reference(items) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: reference(additionalProperties) }),
      ...(anyOf && { anyOf: anyOf.map(reference) }),
    };
  }
}

let names: ReadonlyMap<string, string> | undefined;

/** Names of the shapes by their text: an optional field holds a copy, which only its text tells to be the same shape. */
function shapeNames(): ReadonlyMap<string, string> {
  names ??= new Map(
    Object.entries(messages as Record<string, unknown>).flatMap(([name, value]) =>
      KindGuard.IsObject(value) ? [[JSON.stringify(plain(value)), name] as const] : [],
    ),
  );
  return names;
}

/**
 * A schema without what only the library knows, in the words of OpenAPI 3.0: no `const`, no `patternProperties`, and no
 * patterns. Those say what stores can hold, in JavaScript's own dialect (surrogates as code units), at which clients in
 * other languages fail. Numbers have their width, without which generators take 32 bits, too few for milliseconds.
 */
function plain(schema: TSchema): ComponentSchema {
  return JSON.parse(
    JSON.stringify(schema, (_, value: unknown) => (isSchemaLike(value) ? inOpenApiWords(value) : value)),
  ) as ComponentSchema;
}

function inOpenApiWords({ $id: _, const: only, patternProperties, pattern, ...rest }: SchemaLike): object {
  const [values] = Object.values(patternProperties ?? {});
  const format = formatOf({ pattern, ...rest });
  return {
    ...rest,
    ...(format !== undefined && { format }),
    ...(only !== undefined && { enum: [only] }),
    ...(values !== undefined && { additionalProperties: values }),
  };
}

function formatOf({ type, pattern, maximum = Infinity }: SchemaLike): string | undefined {
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
  readonly patternProperties?: Readonly<Record<string, unknown>>;
}

function isSchemaLike(value: unknown): value is SchemaLike {
  return KindGuard.IsKind(value);
}

function mapped<V, W>(object: Readonly<Record<string, V>>, map: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
