import { TProperties, TSchema, Type } from '@sinclair/typebox';
import type { Reply } from './read-row';

/** A reply of one named schema, as in `shape({ Match })`. */
export function shape(named: Readonly<Record<string, TSchema>>): Reply {
  const [[name, schema]] = Object.entries(named);
  return { name, schema };
}

/** A reply that is a page of a named schema, as in `pageOf({ Match })`; additional or other fields require a name of its own. */
export function pageOf(named: Readonly<Record<string, TSchema>>, name?: string, added: TProperties = {}): Reply {
  const { name: itemName, schema } = shape(named);
  return {
    name: name ?? `${itemName}Page`,
    schema: Type.Object(
      {
        start: Type.Integer({ minimum: 0, description: 'Number of items before the first one' }),
        end: Type.Integer({
          minimum: 0,
          description:
            'start plus limit, also on a short page; where an operation takes no limit, start plus the number of items',
        }),
        items: Type.Array(schema),
        ...added,
      },
      { description: 'A page of a list' },
    ),
  };
}
