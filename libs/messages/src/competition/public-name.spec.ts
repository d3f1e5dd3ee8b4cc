import { Type } from '@sinclair/typebox';
import { anyJson, anyText, arbitraryOf } from '@podium/testing/schema-arbitrary';
import * as fc from 'fast-check';
import { competitionKindNames, competitionKinds } from './kinds';
import { jsonText } from './json-text';
import { publicNameMark, servedText, storedText } from './public-name';
import { mapOf } from './shapes/fields';

const Marked = Type.Object({ platform_url: Type.Optional(Type.String()), note: Type.Unknown() });
const Schema = Type.Object({
  platform_url: Type.String(),
  nested: Type.Object({ deep: Marked }),
  list: Type.Array(Marked),
  map: mapOf(Marked, {}),
  record: Type.Record(Type.String(), Marked),
  either: Type.Optional(Type.Union([Type.Object({ a: Marked }), Type.Object({ b: Type.Integer() })])),
  both: Type.Intersect([Type.Object({ a: Marked }), Type.Object({ platform_elo: Type.Integer() })]),
  free: mapOf(Type.String(), {}),
  platform: Type.String(),
});

const keys = fc.constantFrom('platform_url', 'platform_elo', '__proto__', '\u0001url', 'constructor', 'x');
const marked = fc.record({ url: fc.option(anyText), note: anyJson });
const mapOfMarked = fc.dictionary(keys, marked, { noNullPrototype: true, maxKeys: 3 });
const parts = fc.record({
  url: anyText,
  elo: fc.integer(),
  deep: marked,
  list: fc.array(marked, { maxLength: 3 }),
  map: mapOfMarked,
  record: mapOfMarked,
  either: fc.option(marked),
  both: marked,
  free: fc.dictionary(keys, anyText, { noNullPrototype: true, maxKeys: 3 }),
  platform: anyText,
  extra: fc.dictionary(fc.constantFrom('platform_elo', 'platform_points', 'x', '__proto__'), anyJson, {
    noNullPrototype: true,
    maxKeys: 2,
  }),
});
type Parts = typeof parts extends fc.Arbitrary<infer P> ? P : never;
type MarkedPart = Parts['deep'];

/** The document with another public name; the name in the specification is `platform`. */
function document(name: string, given: Parts) {
  const of = ({ url, note }: MarkedPart) => ({ ...(url === null ? {} : { [`${name}_url`]: url }), note });
  const map = (of_: Record<string, MarkedPart>) =>
    Object.fromEntries(Object.entries(of_).map(([key, value]) => [key, of(value)]));
  return {
    ...given.extra,
    [`${name}_url`]: given.url,
    nested: { deep: of(given.deep) },
    list: given.list.map(of),
    map: map(given.map),
    record: map(given.record),
    ...(given.either === null ? {} : { either: { a: of(given.either) } }),
    both: { a: of(given.both), [`${name}_elo`]: given.elo },
    free: given.free,
    platform: given.platform,
  };
}

describe('public names', () => {
  it('replace exactly the declared fields, in objects, lists, maps and unions', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const stored = storedText(Schema, document('platform', given) as never);
        for (const name of ['platform', 'acme']) expect(servedText(stored, name)).toBe(jsonText(document(name, given)));
      }),
    );
  });

  it.each(competitionKindNames)('leave any %s unchanged under the name of the specification', (kind) => {
    const schema = competitionKinds[kind].document;
    fc.assert(
      fc.property(arbitraryOf(schema), (value) => {
        expect(servedText(storedText(schema, value as never), 'platform')).toBe(jsonText(value));
      }),
      { numRuns: 30 },
    );
  });

  it('mark the fields of the specification', () => {
    const marks = competitionKindNames.flatMap((kind) => {
      const schema = competitionKinds[kind].document;
      const [value] = fc.sample(arbitraryOf(schema), { numRuns: 1, seed: 1 });
      return storedText(schema, value as never).includes(publicNameMark) ? [kind] : [];
    });
    expect(marks).toEqual(
      expect.arrayContaining(['organizer', 'championship', 'match', 'match-history', 'hub', 'player']),
    );
    expect(marks).not.toContain('game');
  });

  it('leave a value unchanged whose schema marks nothing', () => {
    const schema = Type.Object({ free: mapOf(Type.String(), {}) });
    const value = { free: { platform_url: publicNameMark } };
    expect(storedText(schema, value)).toBe(JSON.stringify(value));
  });
});
