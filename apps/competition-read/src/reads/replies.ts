import { TProperties, TSchema, Type } from '@sinclair/typebox';
import type { Reply } from './read-row';

/** The reply that is a shape under its own name, as in `shape({ Match })`. */
export function shape(named: Readonly<Record<string, TSchema>>): Reply {
  const [[name, schema]] = Object.entries(named);
  return { name, schema };
}

/** The reply that is a page of a shape, as in `pageOf({ Match })`; fields beside the items make it one of its own name. */
export function pageOf(named: Readonly<Record<string, TSchema>>, name?: string, added: TProperties = {}): Reply {
  const { name: itemName, schema } = shape(named);
  return {
    name: name ?? `${itemName}Page`,
    schema: Type.Object(
      {
        start: Type.Integer({ minimum: 0, description: 'Items before the first one' }),
        end: Type.Integer({ minimum: 0, description: 'start and limit together, also where fewer items follow' }),
        items: Type.Array(schema),
        ...added,
      },
      { description: 'A page of a list' },
    ),
  };
}
