import fc from 'fast-check';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { migrations, schema } from '../migrations';
import type { SearchKind, SearchName } from './search-name';
import { tablesOf } from '../table-sets/table-set';
import { charactersOf, foldName } from './fold-name';
import { applyNames, nameColumns, rebuildGrams } from './names.store';
import { scopesWith } from './scopes';

const tables = tablesOf('b');

describe('the store of names', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(() => pool.query(`TRUNCATE ${tables.names}, ${tables.nameGrams}`));

  it('maintains the same index by changes as a rebuild creates from the remaining names', async () => {
    const step = fc.record({
      put: fc.array(anyName(), { maxLength: 6 }),
      remove: fc.array(anyName(), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        await pool.query(`TRUNCATE ${tables.names}, ${tables.nameGrams}`);
        const expected = new Map<string, SearchName>();
        for (const { put, remove } of steps) {
          const added = [...new Map(put.map((name) => [keyOf(name), name])).values()];
          const known = added.flatMap((name) => expected.get(keyOf(name)) ?? []);
          // Half of the removed names never existed or had another text.
          await apply([...known, ...remove], added);
          for (const name of remove) expected.delete(keyOf(name));
          for (const name of added) expected.set(keyOf(name), name);
        }
        const columns = [...expected.values()].map((name) => JSON.stringify(nameColumns(name)));
        expect(await storedNames()).toEqual(columns.sort());
        const grams = await storedGrams();
        await inTransaction(pool, (tx) => rebuildGrams(tx, tables));
        expect(grams).toEqual(await storedGrams());
        const rows = [...expected.values()].map(
          ({ kind, name, tags }) =>
            scopesWith(kind, tags).length + Math.max(1, charactersOf(foldName(name)).length) - 1,
        );
        expect(grams).toHaveLength(rows.reduce((sum, count) => sum + count, 0));
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('has one row per scope of a name, and one per later starting character', async () => {
    await apply([], [{ kind: 'player', id: 'p', name: 'Añ😀z', tags: ['country:de', 'game:cs2'], body: '{}' }]);
    const { rows } = await pool.query<{ gram: string; count: number }>(
      `SELECT replace(gram, chr(1), '|') AS gram, count(*) AS count FROM ${tables.nameGrams} GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toEqual([
      { gram: 'añ😀z|', count: 4 },
      { gram: 'z|añ😀', count: 1 },
      { gram: 'ñ😀z|a', count: 1 },
      { gram: '😀z|añ', count: 1 },
    ]);
  });

  it('accepts names of any length', async () => {
    const names = ['', '\u200b', 'x', '👾'.repeat(128), 'ﷺ'.repeat(200)];
    await apply(
      [],
      names.map((name, index) => ({ kind: 'team', id: String(index), name, tags: [], body: '{}' })),
    );
    expect(await storedNames()).toHaveLength(names.length);
    expect(await storedGrams()).toHaveLength(1 + 1 + 1 + 64 + 64);
  });

  it('writes no index row for a change of the body alone', async () => {
    const before: SearchName = { kind: 'player', id: 'p', name: 'Nick', tags: ['game:cs2'], body: '{"level":1}' };
    await apply([], [before]);
    const written = await gramVersions();
    await apply([before], [{ ...before, name: 'NICK', body: '{"level":2}' }]);
    expect(await gramVersions()).toEqual(written);
    expect((await storedNames())[0]).toContain('level\\":2');
    await apply([before], [{ ...before, tags: ['game:dota2'] }]);
    expect(await gramVersions()).not.toEqual(written);
  });

  it('allows two transactions to write the same names concurrently', async () => {
    const names = Array.from({ length: 60 }, (_, index): SearchName => {
      return { kind: 'clan', id: String(index), name: `clan ${index}`, tags: [], body: '{}' };
    });
    await apply([], names);
    const rename = (suffix: string) => names.map((name) => ({ ...name, name: `${name.name} ${suffix}` }));
    const writers = ['one', 'two', 'three', 'four'].map(async (suffix, writer) => {
      const added = writer % 2 === 0 ? rename(suffix) : rename(suffix).reverse();
      for (let round = 0; round < 5; round++) await apply(names, added);
    });
    await Promise.all(writers);
    const grams = await storedGrams();
    await inTransaction(pool, (tx) => rebuildGrams(tx, tables));
    expect(grams).toEqual(await storedGrams());
  });

  function apply(removed: readonly SearchName[], added: readonly SearchName[]): Promise<void> {
    return inTransaction(pool, (tx) => applyNames(tx, tables, removed, added));
  }

  async function storedNames(): Promise<string[]> {
    const { rows } = await pool.query<Record<string, string>>(
      `SELECT ref::text, kind, id, folded, scopes::text, body FROM ${tables.names}`,
    );
    return rows.map((row) => JSON.stringify(row)).sort();
  }

  async function storedGrams(): Promise<string[]> {
    const { rows } = await pool.query<{ row: string }>(`SELECT g::text AS row FROM ${tables.nameGrams} g`);
    return rows.map(({ row }) => row).sort();
  }

  async function gramVersions(): Promise<unknown[]> {
    return (await pool.query(`SELECT ctid, xmin FROM ${tables.nameGrams} ORDER BY ctid`)).rows;
  }
});

function anyName(): fc.Arbitrary<SearchName> {
  return fc.record({
    kind: fc.constantFrom<SearchKind>('player', 'team', 'championship'),
    id: fc.constantFrom('1', '2', '3'),
    name: fc.string({ unit: fc.constantFrom('a', 'B', '%', '\\', 'ж', '😀', ' ', '\u0301'), maxLength: 6 }),
    tags: fc.subarray(['country:de', 'game:cs2', 'game:dota2', 'region:EU', 'type:past']),
    body: fc.constantFrom('{}', '{"a":1}'),
  });
}

function keyOf({ kind, id }: SearchName): string {
  return `${kind}:${id}`;
}
