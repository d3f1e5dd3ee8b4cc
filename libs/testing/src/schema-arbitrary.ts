import { Kind, OptionalKind, Static, TSchema } from '@sinclair/typebox';
import * as fc from 'fast-check';

/** Texts that break naive handling of JSON, marks and names. */
const awkwardTexts = [
  '',
  '\u0001',
  '\u0001url',
  '\\u0001url":',
  '"platform_url":',
  '{"platform_url":"x"}',
  'platform_',
  '\u0000',
  '\ud800',
  "'; --",
];

/** Keys of free maps and of fields that a schema does not declare. */
const awkwardKeys = [
  'platform_url',
  'platform_elo',
  'platform_x',
  '__proto__',
  'constructor',
  '\u0001url',
  'a:b',
  '1',
  'x',
];

/** Any text, with awkward ones among them. */
export const anyText = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom(...awkwardTexts));

/** Any value of JSON, with awkward texts and keys among them. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, tie('leaf'), tie('map'), fc.array(tie('value'), { maxLength: 2 })),
  map: fc.dictionary(fc.constantFrom(...awkwardKeys), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  leaf: fc.oneof(anyText, fc.integer(), fc.boolean(), fc.constant(null)),
})).value;

type TextSchema = { pattern?: string; minLength?: number; maxLength?: number };

/**
 * Values that fit a schema (objects, maps, arrays, unions, texts with patterns, numbers within bounds). Objects get
 * fields that their schema does not declare, unless the schema defines additional fields.
 */
export function arbitraryOf<S extends TSchema>(schema: S): fc.Arbitrary<Static<S>> {
  return arbitrary(schema) as fc.Arbitrary<Static<S>>;
}

function arbitrary(schema: TSchema): fc.Arbitrary<unknown> {
  switch (schema[Kind]) {
    case 'Object':
      return object(schema);
    case 'Record':
      return record(schema);
    case 'Array':
      return fc.array(arbitrary(schema.items as TSchema), { maxLength: 2 });
    case 'Union':
      return fc.oneof(...(schema.anyOf as TSchema[]).map(arbitrary));
    case 'String':
      return text(schema as TextSchema);
    case 'Integer':
      return fc.maxSafeInteger().map((value) => bounded(value, schema));
    case 'Number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'Boolean':
      return fc.boolean();
    case 'Literal':
      return fc.constant(schema.const);
    case 'Unknown':
      return anyJson;
    default:
      throw new TypeError(`No values are known for a schema of kind ${schema[Kind]}`);
  }
}

function object(schema: TSchema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  const model = Object.fromEntries(properties.map(([key, field]) => [key, arbitrary(field)]));
  const requiredKeys = properties.filter(([, field]) => !field[OptionalKind as never]).map(([key]) => key);
  const others = schema.additionalProperties;
  return fc
    .tuple(
      fc.record(model, { requiredKeys, noNullPrototype: true }),
      map(
        fc.constantFrom(...awkwardKeys.filter((key) => !Object.hasOwn(model, key))),
        typeof others === 'object' ? arbitrary(others as TSchema) : anyJson,
      ),
    )
    .map(([declared, other]) => ({ ...other, ...declared }));
}

function record(schema: TSchema): fc.Arbitrary<unknown> {
  const [[pattern, values]] = Object.entries(schema.patternProperties as Record<string, TSchema>);
  return map(text({ pattern }), arbitrary(values));
}

function map(keys: fc.Arbitrary<string>, values: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc.dictionary(keys, values, { maxKeys: 2, noNullPrototype: true });
}

function text(schema: TextSchema): fc.Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = Infinity } = schema;
  const expression = pattern === undefined ? null : new RegExp(pattern);
  const some = expression ? fc.oneof(fc.stringMatching(expression, { size: 'small' }), anyText) : anyText;
  return some.filter(
    (value) => value.length >= minLength && value.length <= maxLength && (expression?.test(value) ?? true),
  );
}

function bounded(value: number, { minimum = -Infinity, maximum = Infinity }: TSchema): number {
  if (value >= minimum && value <= maximum) return value;
  return minimum + (Math.abs(value) % (maximum - minimum + 1));
}
