import * as fc from 'fast-check';
import { ReadRow, readRows } from '../../apps/competition-read/test/read-table';
import type { Showcase } from '../../tools/competition/world/showcase';
import { sampleArgs } from './samples';

/** A request of any operation: a path below `/data/v4` with its query. */
export interface RandomRequest {
  readonly row: ReadRow;
  readonly address: string;
}

const hostile = fc.oneof(
  fc.constantFrom('%', '_', '\\', '%25', "'", '"', '--', ';', '..', '.', ' ', '\0', '\ud800', '🎮', 'ß', 'İ', '\u202e'),
  fc.constantFrom(
    'undefined',
    'null',
    'true',
    '-0',
    '00',
    '1e309',
    '2147483648',
    '9007199254740993',
    'NaN',
    '[]',
    '{}',
  ),
  fc.string({ maxLength: 120 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('a', 'ab', 'abc', 'e', 'a%', 'x'.repeat(100), 'x'.repeat(101), 'é'.repeat(100)),
);

/** Requests of all operations with valid, invalid, repeated and unknown arguments, and invented cursors. */
export function randomRequest(showcase: Showcase): fc.Arbitrary<RandomRequest> {
  return fc.constantFrom(...readRows).chain((row) => {
    const sample = sampleArgs(row.id, showcase);
    const pathArgs = fc.record(
      Object.fromEntries(
        Object.keys(row.params).map((name) => [
          name,
          fc.oneof({ weight: 4, arbitrary: fc.constant(sample[name]) }, { weight: 1, arbitrary: hostile }),
        ]),
      ),
    );
    const query = fc.array(fc.oneof(...queryPairs(row, sample)), { maxLength: 8 });
    return fc.tuple(pathArgs, query).map(([args, pairs]) => {
      const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(args[name]));
      const text = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
      return { row, address: text === '' ? path : `${path}?${text}` };
    });
  });
}

function queryPairs(row: ReadRow, sample: Readonly<Record<string, string>>): fc.Arbitrary<[string, string]>[] {
  const declared = Object.entries(row.query).map(([name, { schema }]) => {
    const { minimum = 0, maximum = 1000, enum: values = [] } = schema;
    return fc.tuple(
      fc.constant(name),
      fc.oneof(
        hostile,
        fc.constantFrom(sample[name] ?? 'a', String(schema.default ?? ''), ...values),
        fc.integer({ min: minimum - 2, max: Math.min(maximum + 2, 2 ** 53) }).map(String),
        fc.constantFrom(String(minimum), String(maximum)),
      ),
    );
  });
  return [...declared, fc.tuple(fc.constantFrom('cursor', 'nothing', '__proto__', 'limit', 'offset'), hostile)];
}

/** Percent-encodes a text; unpaired surrogates become bytes that are not UTF-8. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}
