/** What is used of a schema of an OpenAPI document. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly $ref?: string;
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
}

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
};

/**
 * A Python module with a TypedDict for each schema that is an object, and an alias for each other one. Fields that may be
 * missing are in a class with total=False, because Python 3.10 has no NotRequired.
 */
export function typedDicts(source: string, schemas: Readonly<Record<string, JsonSchema>>): string {
  const classes = Object.entries(schemas).map(([name, schema]) => definitionOf(name, schema));
  const body = classes.join('\n\n');
  const names = ['Literal', 'TypeAlias', 'TypedDict'].filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  return `"""Generated from ${source}."""

from __future__ import annotations

from typing import ${names.join(', ')}


${body}`;
}

function definitionOf(name: string, schema: JsonSchema): string {
  if (!schema.properties) return `${name}: TypeAlias = ${JSON.stringify(typeOf(schema))}\n`;
  const required = Object.entries(schema.properties).filter(([field]) => schema.required?.includes(field));
  const optional = Object.entries(schema.properties).filter(([field]) => !schema.required?.includes(field));
  const base = optional.length > 0 ? `_${name}Required` : name;
  const first = classOf(base, 'TypedDict', schema.description, required);
  return optional.length === 0
    ? first
    : `${first}\n\n${classOf(name, `${base}, total=False`, schema.description, optional)}`;
}

function classOf(
  name: string,
  bases: string,
  description: string | undefined,
  fields: readonly (readonly [string, JsonSchema])[],
): string {
  const lines = fields.flatMap(([field, schema]) => {
    if (!/^[a-z_]\w*$/i.test(field)) throw new Error(`${name}.${field} is no name in Python`);
    return [`    ${field}: ${typeOf(schema)}\n`, ...docstring(schema.description)];
  });
  const head = docstring(description);
  return `class ${name}(${bases}):\n${head.join('')}${head.length > 0 && lines.length > 0 ? '\n' : ''}${
    lines.join('') || (head.length > 0 ? '' : '    pass\n')
  }`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum?.every((value) => value === null)) return 'None';
  const type = notNullable(schema);
  return schema.nullable ? `${type} | None` : type;
}

function notNullable(schema: JsonSchema): string {
  const { $ref, allOf, oneOf, anyOf, items, additionalProperties } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (allOf?.length === 1) return typeOf(allOf[0]);
  const choice = oneOf ?? anyOf;
  if (choice) return [...new Set(choice.map(typeOf))].join(' | ');
  const values = schema.enum?.filter((value) => value !== null).map((value) => JSON.stringify(value));
  if (values) return `Literal[${values.join(', ')}]`;
  if (schema.type === 'array') return `list[${items ? typeOf(items) : 'object'}]`;
  if (schema.type === 'object')
    return `dict[str, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'object'}]`;
  return scalars[schema.type ?? ''] ?? 'object';
}

function docstring(text: string | undefined): string[] {
  if (text === undefined) return [];
  const plain = text.replace(/\s+/g, ' ').trim();
  if (/["\\]/.test(plain)) return [`    ${JSON.stringify(plain)}\n`];
  return [`    """${plain}"""\n`];
}
