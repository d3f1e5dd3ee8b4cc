import fc from 'fast-check';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, Queryable, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { byBytes, idsOf, player } from '../../test/search-names';
import { migrations, schema } from '../migrations';
import { preparedStatements } from '../reads/queries/prepared-statements';
import { readSettings } from '../reads/queries/read-pool';
import type { SearchKind, SearchName } from './search-name';
import { tablesOf } from '../table-sets/table-set';
import { charactersOf, foldName } from './fold-name';
import { applyNames } from './names.store';
import { nameRef } from './scopes';
import { NameSearch, searchNames } from './search-names.queries';
import { Similarity } from './similarity';
import { Units } from './units';

const tables = tablesOf('a');

describe('searching by name', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let db: Queryable;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test', settings: readSettings }, logger, new Registry());
    db = preparedStatements(pool);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(() => pool.query(`TRUNCATE ${tables.names}, ${tables.nameGrams}`));

  it('finds the same names as a plain scan for the text, followed only by similar names', async () => {
    await fc.assert(
      fc.asyncProperty(anyNames(), fc.array(anySearch(), { minLength: 8, maxLength: 16 }), async (names, searches) => {
        await replaceAll(names);
        for (const searchFor of searches) {
          const asked = searchFor(names);
          const found = idsOf(await search({ ...asked, offset: 0, limit: 100 }));
          const matching = namesWith(names, asked);
          expect(found.slice(0, matching.length)).toEqual(matching.map(({ id }) => id));
          const similar = found.slice(matching.length).map((id) => named(names, asked.kind, id));
          const similarity = new Similarity(foldName(asked.text));
          const distances = similar.map(({ name }) => similarity.distanceTo(Units.of(foldName(name))));
          expect(distances).not.toContain(null);
          expect(distances).toEqual([...distances].sort((a, b) => Number(a) - Number(b)));
          expect(similar.filter(({ tags }) => !asked.tags.every((tag) => tags.includes(tag)))).toEqual([]);
          expect(new Set(found).size).toBe(found.length);
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('returns the same results in pages of any size as at once', async () => {
    const pageSize = fc.integer({ min: 1, max: 7 });
    await fc.assert(
      fc.asyncProperty(anyNames(), anySearch(), pageSize, async (names, searchFor, limit) => {
        await replaceAll(names);
        const asked = searchFor(names);
        const whole = idsOf(await search({ ...asked, offset: 0, limit: 100 }));
        const pages: string[] = [];
        for (let offset = 0; offset <= whole.length; offset += limit)
          pages.push(...idsOf(await search({ ...asked, offset, limit })));
        expect(pages).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('orders results: exact name, prefix, substring, similar names; with their bodies', async () => {
    const names = ['the wolf', 'Wolfgang', 'WOLF', 'wofl', 'werewolf', 'fox', 'wolf pack'];
    await add(names.map((name) => player(name)));
    const found = await search({ kind: 'player', text: 'Wolf ', tags: [], offset: 0, limit: 20 });
    expect(idsOf(found)).toEqual(['WOLF', 'wolf pack', 'Wolfgang', 'the wolf', 'werewolf', 'wofl']);
    expect(found[0]).toBe('{"id":"WOLF","nickname":"WOLF"}');
  });

  it.each([
    ['%', ['100%', '%x']],
    ['_', ['_', 'a_b']],
    ['\\', ['\\', 'c:\\d']],
    ['0%', ['100%']],
    ['a_', ['a_b']],
    [':\\', ['c:\\d']],
  ])('takes %j for itself', async (text, having) => {
    await add(['100%', '%x', '_', 'a_b', 'axb', '\\', 'c:\\d', '100'].map((name) => player(name)));
    const found = idsOf(await search({ kind: 'player', text, tags: [], offset: 0, limit: 20 }));
    const isMatch = (id: string) => (text.length > 1 ? id.includes(text) : id.startsWith(text));
    expect(found.filter(isMatch).sort()).toEqual(having.filter(isMatch).sort());
    expect(found.filter((id) => !isMatch(id))).toEqual([]);
  });

  it.each([
    ['right to left', '\u200fשלום_עולם', 'שלום'],
    ['right to left, inside', '\u200fשלום_עולם', 'עולם'],
    ['emoji', '👾wolf👨\u200d👩\u200d👧', '👨👩👧'],
    ['half of an emoji', '👾wolf', '👾'],
    ['combining marks', 'Jose\u0301 Ñ', 'JOSÉ'],
    ['Hebrew with vowels by letters', '\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd', '\u05e9\u05dc\u05d5\u05dd'],
    ['Arabic by letters with vowels', '\u0645\u062d\u0645\u062f', '\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f'],
    ['a blank letter', 'A\u3164ce', 'ace'],
    ['full width', 'ｗｏｌｆ', 'wolf'],
    ['Chinese', '全职高手叶修', '高手'],
    ['Greek', 'ΟΔΥΣΣΕΥΣ7', 'οδυσσευς'],
  ])('finds %s', async (_, name, text) => {
    await add([player(name), player('someone else')]);
    expect(idsOf(await search({ kind: 'player', text, tags: [], offset: 0, limit: 20 }))).toEqual([name]);
  });

  it.each([
    '   ',
    '\u200b',
    '\u0000',
    '\ud800',
    '%'.repeat(100),
    '😀'.repeat(100),
    '\\',
    "'; --",
    '\u{10FFFF}',
    'ﷺ'.repeat(100),
  ])('finds nothing for %j', async (text) => {
    await add([player('wolf'), player('')]);
    for (const tags of [[], ['game:cs2']])
      expect(await search({ kind: 'player', text, tags, offset: 0, limit: 20 })).toEqual([]);
  });

  it('does not find removed or former names', async () => {
    const before = player('wolf', ['game:cs2']);
    await add([before, player('fox')]);
    const renamed = { ...before, name: 'bear' };
    await inTransaction(pool, (tx) => applyNames(tx, tables, [before, player('fox')], [renamed]));
    const find = async (text: string) => idsOf(await search({ kind: 'player', text, tags: [], offset: 0, limit: 9 }));
    expect([await find('wolf'), await find('fox'), await find('bear')]).toEqual([[], [], ['wolf']]);
    expect(await search({ kind: 'team', text: 'bear', tags: [], offset: 0, limit: 9 })).toEqual([]);
  });

  function search(asked: NameSearch) {
    return searchNames(db, tables, asked);
  }

  function add(names: readonly SearchName[]): Promise<void> {
    return inTransaction(pool, (tx) => applyNames(tx, tables, [], names));
  }

  async function replaceAll(names: readonly SearchName[]): Promise<void> {
    await pool.query(`TRUNCATE ${tables.names}, ${tables.nameGrams}`);
    await add(names);
  }
});

/** The expected results before similar names, in order. */
function namesWith(names: readonly SearchName[], asked: Asked): SearchName[] {
  const text = foldName(asked.text);
  if (text === '') return [];
  return names
    .filter(({ kind, tags }) => kind === asked.kind && asked.tags.every((tag) => tags.includes(tag)))
    .flatMap((name) => {
      const folded = foldName(name.name);
      const unit = folded.indexOf(text);
      const place = charactersOf(folded.slice(0, Math.max(0, unit))).length;
      if (unit < 0 || (place > 0 && charactersOf(text).length < 2) || place >= 64) return [];
      return [{ name, inside: place > 0, rotated: `${folded.slice(unit)}\u0001${folded.slice(0, unit)}` }];
    })
    .sort(
      (a, b) =>
        Number(a.inside) - Number(b.inside) ||
        byBytes(a.rotated, b.rotated) ||
        (BigInt(nameRef(a.name.kind, a.name.id)) < BigInt(nameRef(b.name.kind, b.name.id)) ? -1 : 1),
    )
    .map(({ name }) => name);
}

const character = fc.constantFrom(
  'a',
  'b',
  'B',
  '%',
  '_',
  '\\',
  ' ',
  'é',
  'e\u0301',
  '😀',
  'ж',
  'א',
  '\u200f',
  'Σ',
  'ς',
);

function anyNames(): fc.Arbitrary<SearchName[]> {
  const name = fc.oneof(
    { weight: 5, arbitrary: fc.string({ unit: character, maxLength: 8 }) },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 60, maxLength: 140 }) },
  );
  const names = fc.record({
    kind: fc.constantFrom<SearchKind>('player', 'player', 'championship'),
    name,
    tags: fc.subarray(['country:de', 'country:fr', 'game:a', 'game:b', 'region:EU', 'type:past']),
  });
  return fc
    .array(names, { maxLength: 40 })
    .map((names) => names.map((name, index) => ({ ...name, id: `id ${index}`, body: `{"id":"id ${index}"}` })));
}

type Asked = Pick<NameSearch, 'kind' | 'text' | 'tags'>;

/** A search for any text, or for a part of one of the names. */
function anySearch(): fc.Arbitrary<(names: readonly SearchName[]) => Asked> {
  const filters = fc.constantFrom<Omit<Asked, 'text'>>(
    { kind: 'player', tags: [] },
    { kind: 'player', tags: ['game:a'] },
    { kind: 'player', tags: ['country:de', 'game:b'] },
    { kind: 'championship', tags: [] },
    { kind: 'championship', tags: ['region:EU', 'type:past'] },
    { kind: 'championship', tags: ['game:a', 'region:EU', 'type:past'] },
  );
  const anything = fc.string({ unit: character, minLength: 1, maxLength: 5 });
  const part = fc.record({ of: fc.nat(), from: fc.nat(), length: fc.integer({ min: 1, max: 5 }) });
  return fc.tuple(filters, anything, fc.option(part)).map(([filter, anything, part]) => (names) => {
    if (part === null || names.length === 0) return { ...filter, text: anything };
    const characters = charactersOf(names[part.of % names.length].name);
    const from = part.from % Math.max(1, characters.length);
    return { ...filter, text: characters.slice(from, from + part.length).join('') };
  });
}

function named(names: readonly SearchName[], kind: SearchKind, id: string): SearchName {
  const name = names.find((name) => name.kind === kind && name.id === id);
  if (!name) throw new Error(`found ${kind} ${id}, which is not there`);
  return name;
}
