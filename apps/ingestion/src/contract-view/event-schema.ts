import { ContractAttribute, ContractEvent, typeForms, valuePattern } from '@podium/messages';
import { maxAttributes, maxNameBytes, maxValueBytes } from '../event/event-limits';

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The same white space as that of `isBlank`. */
const notBlank = '\\S';

/**
 * The JSON Schema of an event of which nothing is dropped and every value parses as its type (docs/engine.md, reading 10). It is
 * stricter than the edge, which drops attributes that are not negotiated and stores values that do not parse. What a schema
 * cannot tell is left to the edge: the present time, bytes of characters beyond ASCII and of the whole body, how a number is written.
 */
export function eventSchema(event: ContractEvent): JsonSchema {
  const attributes = event.attributes.filter(({ retired }) => retired !== true);
  // Lengths here are of characters, of which no text has more than bytes; the edge counts bytes.
  const id = { type: 'string', minLength: 1, maxLength: maxNameBytes, pattern: notBlank };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: event.name,
    type: 'object',
    required: ['id', 'name', 'created_at'],
    properties: {
      id,
      name: { const: event.name },
      created_at: { type: 'integer', minimum: 0, description: 'Unix seconds at which the event happened' },
      attributes: attributeListSchema(attributes),
    },
  };
}

function attributeListSchema(attributes: readonly ContractAttribute[]): JsonSchema {
  if (attributes.length === 0) return { type: 'array', maxItems: 0 };
  return {
    type: 'array',
    maxItems: maxAttributes,
    items: {
      type: 'object',
      required: ['name', 'value'],
      oneOf: attributes.map((attribute) => ({
        properties: { name: { const: attribute.name }, value: valueSchema(attribute) },
      })),
    },
    allOf: attributes.map(({ name }) => ({
      contains: { properties: { name: { const: name } }, required: ['name'] },
      minContains: 0,
      maxContains: 1,
    })),
  };
}

function valueSchema({ type, ...declared }: ContractAttribute): JsonSchema {
  const text = { type: 'string', maxLength: maxValueBytes };
  if (type === 'string') return text;
  if (type === 'boolean') return { enum: ['true', 'false'] };
  return { ...text, pattern: valuePattern({ ...declared, type }), description: typeForms[type] };
}
