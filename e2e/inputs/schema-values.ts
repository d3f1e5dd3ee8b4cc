import * as fc from 'fast-check';
import { hostileJson } from './hostile';
import { Schema } from './open-api';

/** Existing values of the stack under test, by the name of a property or parameter. */
export type Samples = Readonly<Record<string, readonly string[]>>;

/** The inputs for generating values. */
export interface ValueSource {
  readonly resolve: (schema: Schema) => Schema;
  readonly samples: Samples;
}

/** Mostly valid values of a schema: a field may be missing or additional, and any value may be hostile. */
export function valuesOf(schema: Schema, source: ValueSource, name = '', depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 30, arbitrary: fittingValues(source.resolve(schema), source, name, depth) },
    { weight: 1, arbitrary: hostileJson },
  );
}

function fittingValues(schema: Schema, source: ValueSource, name: string, depth: number): fc.Arbitrary<unknown> {
  const choices = schema.oneOf ?? schema.anyOf;
  if (depth > 6) return hostileJson;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, source, name, depth + 1)));
  if (schema.allOf) return valuesOf(schema.allOf[0], source, name, depth + 1);
  const values = plainValues(schema, source, name, depth);
  return schema.nullable ? fc.oneof({ weight: 4, arbitrary: values }, fc.constant(null)) : values;
}

function plainValues(schema: Schema, source: ValueSource, name: string, depth: number): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return objects(schema, source, depth);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, source, name, depth + 1), {
        maxLength: Math.min(3, schema.maxItems ?? 3),
      });
    case 'integer':
      return integers(schema, name);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return texts(schema, source.samples[name] ?? []);
    default:
      return hostileJson;
  }
}

function objects(schema: Schema, source: ValueSource, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const model = Object.fromEntries(
    properties.map(([name, property]) => [name, valuesOf(property, source, name, depth + 1)]),
  );
  const required = (schema.required ?? []).filter((name) => name in model);
  const whole = fc.record(model, { requiredKeys: required, noNullPrototype: true });
  const others = fc.dictionary(fc.constantFrom('extra', '__proto__', 'constructor', 'a.b', ''), hostileJson, {
    maxKeys: 1,
  });
  const lacking = fc.tuple(whole, fc.constantFrom(...(required.length > 0 ? required : ['extra'])));
  return fc.oneof(
    { weight: 20, arbitrary: whole },
    { weight: 1, arbitrary: fc.tuple(whole, others).map(([object, other]) => ({ ...object, ...other })) },
    { weight: 1, arbitrary: lacking.map(([object, name]) => ({ ...object, [name]: undefined })) },
  );
}

function integers({ minimum = 0, maximum = 2 ** 31 }: Schema, name: string): fc.Arbitrary<number> {
  if (name === 'created_at') return fc.integer({ min: 0, max: 2_000_000_000 });
  const edges = [minimum - 1, minimum, maximum, maximum + 1];
  return fc.oneof({ weight: 4, arbitrary: fc.integer({ min: minimum, max: maximum }) }, fc.constantFrom(...edges));
}

function texts(
  { format, pattern, minLength = 0, maxLength = 255 }: Schema,
  samples: readonly string[],
): fc.Arbitrary<string> {
  const plain = (): fc.Arbitrary<string> => {
    if (format === 'uuid') return fc.uuid();
    if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    if (format === 'uri') return fc.webUrl();
    if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: 'small' });
    return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) });
  };
  return samples.length === 0 ? plain() : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...samples) }, plain());
}
