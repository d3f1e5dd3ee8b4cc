import type { TSchema } from '@sinclair/typebox';
import { fields } from './config';
import { readRows } from './reads/rows/read-rows';

const prefix = 'platform_';

describe('the public name', () => {
  const accepts = (name: string): boolean => {
    try {
      return fields.PUBLIC_NAME.parse(name) === name;
    } catch {
      return false;
    }
  };

  it('is none with which two fields of one object would have the same name', () => {
    const objects = readRows.flatMap(({ reply }) => fieldsOfObjects(reply.schema));
    const names = objects.flatMap((own) =>
      own
        .filter((field) => field.startsWith(prefix))
        .flatMap((field) => {
          const ending = field.slice(prefix.length - 1);
          return own
            .filter((other) => other !== field && other.endsWith(ending))
            .map((other) => other.slice(0, -ending.length));
        }),
    );
    expect(names).toContain('demo');
    expect([...new Set(names)].filter(accepts)).toEqual([]);
  });

  it.each(['platform', 'acme', 'a1'])('may be %s', (name) => expect(accepts(name)).toBe(true));

  it.each(['', 'Acme', '1a', 'a_b', 'a'.repeat(32)])('is not %j', (name) => expect(accepts(name)).toBe(false));
});

/** The names of the fields of each object in a schema. */
function fieldsOfObjects({
  properties = {},
  items,
  additionalProperties,
  anyOf = [],
  patternProperties = {},
}: TSchema): string[][] {
  const inner = [
    ...Object.values(properties as object),
    ...Object.values(patternProperties as object),
    ...(anyOf as object[]),
    items as unknown,
    additionalProperties as unknown,
  ].filter((schema): schema is TSchema => typeof schema === 'object');
  return [Object.keys(properties as object), ...inner.flatMap(fieldsOfObjects)];
}
