import { CompetitionKind, competitionIdOf, competitionKindNames, competitionKinds } from '@podium/messages';
import { TSchema } from '@sinclair/typebox';
import * as fc from 'fast-check';
import type { DocumentContent } from '../src/projection/document-content';

/** Documents of all kinds with ids, names and words from small sets, so that they share lists, names and boards. */
export function relatedDocument(
  kinds: readonly CompetitionKind[] = competitionKindNames,
): fc.Arbitrary<DocumentContent> {
  return fc.constantFrom(...kinds).chain((kind) => {
    const { document, beside } = competitionKinds[kind];
    return fc
      .record({ document: valueOf(document), beside: valueOf(beside), otherId: fc.constantFrom('one', 'two', 'three') })
      .map(({ document, beside, otherId }) => {
        const id = competitionIdOf(kind, document as never, beside as never) ?? otherId;
        return { kind, id, document, beside } as DocumentContent;
      });
  });
}

function valueOf(schema: TSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as TSchema[]).map(valueOf));
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.array(valueOf(schema.items as TSchema), { maxLength: 3 });
    case 'string':
      return textOf(schema as { pattern?: string; minLength?: number; maxLength?: number });
    case 'integer':
      return fc.integer({ min: 0, max: 3 });
    case 'number':
      return fc.double({ noNaN: true, min: 0, max: 1 });
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constantFrom(null, 1, 'platform_url', { a: [true] });
  }
}

function objectOf(schema: TSchema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  const required = new Set((schema.required ?? []) as string[]);
  const declared = fc.record(Object.fromEntries(properties.map(([name, value]) => [name, valueOf(value)])), {
    requiredKeys: properties.map(([name]) => name).filter((name) => required.has(name)),
    noNullPrototype: true,
  });
  const [others = schema.additionalProperties as TSchema | undefined] = Object.values(
    (schema.patternProperties ?? {}) as Record<string, TSchema>,
  );
  if (!others) return declared;
  const extra = fc.dictionary(fc.constantFrom('cs2', 'dota2'), valueOf(others), { noNullPrototype: true });
  return fc.tuple(extra, declared).map(([more, known]) => ({ ...more, ...(known as object) }));
}

function textOf({ pattern, minLength = 0 }: { pattern?: string; minLength?: number }): fc.Arbitrary<string> {
  if (pattern?.startsWith('^\\d{4}')) return fc.constantFrom('2024-02-29T00:00:00Z', '2025-01-01T12:00:00.5+02:00');
  if (pattern === undefined) return fc.constantFrom('', 'text "\\\t\n\0 \u0001', 'Überschrift');
  if (minLength > 0) return fc.constantFrom('cs2', 'dota2', 'one', 'two');
  return fc.constantFrom('', 'EU', 'de', 'championship', 'hub', 'hub_general', 'join', 'FINISHED', 'Player One');
}
