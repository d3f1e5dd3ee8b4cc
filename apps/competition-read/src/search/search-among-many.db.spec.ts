import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, Queryable, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { byBytes, idsOf, letters, player } from '../../test/search-names';
import { migrations, schema } from '../migrations';
import { preparedStatements } from '../reads/queries/prepared-statements';
import { readSettings } from '../reads/queries/read-pool';
import type { SearchName } from './search-name';
import { tablesOf } from '../table-sets/table-set';
import { foldName } from './fold-name';
import { applyNames } from './names.store';
import { NameSearch, searchNames } from './search-names.queries';

const tables = tablesOf('a');

describe('searching a large number of names', () => {
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

  it('finds a name among many similar ones despite one typo at any position', async () => {
    const crowd = Array.from({ length: 3_000 }, (_, index) => player(`shadow${index}`, ['country:de']));
    const target = player('Xanthippe4711', ['country:de', 'game:cs2']);
    await add([...crowd, target, player('xanthi'), player('ippe47')]);
    const name = foldName(target.name);
    for (let at = 0; at < name.length - 1; at++) {
      const mistakes = [
        name.slice(0, at) + '-' + name.slice(at + 1),
        name.slice(0, at) + '-' + name.slice(at),
        name.slice(0, at) + name.slice(at + 1),
        name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2),
      ];
      for (const text of mistakes.filter((text) => text !== name))
        for (const tags of [[], ['country:de', 'game:cs2']]) {
          const found = await search({ kind: 'player', text, tags, offset: 0, limit: 1 });
          expect({ text, tags, found: idsOf(found) }).toEqual({ text, tags, found: [target.id] });
        }
    }
  }, 60_000);

  it('finds a name despite two typos, though many have each of its parts', async () => {
    const crowd = Array.from({ length: 200 }, (_, index) => letters(index)).flatMap((other) =>
      [`xanth${other}`, `${other}thippe`, `${other}hippe4`, `${other}pe4711`].map((name) => player(name)),
    );
    await add([...crowd, player('Xanthippe4711')]);
    for (const text of [
      'xznthippe47l1',
      'xnathippe471',
      'xxanthipp4711',
      'xanhippe44711',
      'anthippe471',
      'xanthlppe471i',
    ]) {
      const found = await search({ kind: 'player', text, tags: [], offset: 0, limit: 1 });
      expect({ text, found: idsOf(found) }).toEqual({ text, found: ['Xanthippe4711'] });
    }
  });

  it('finds a common name despite a typo', async () => {
    await add(Array.from({ length: 3_000 }, (_, index) => player(`shadow${index === 0 ? '' : index}`)));
    for (const text of ['shdaow', 'shadwo', 'shadoww', 'hsadow', 'shaow', 'sxadow', 'shafow', 'shadiw']) {
      const found = await search({ kind: 'player', text, tags: [], offset: 0, limit: 1 });
      expect({ text, found: idsOf(found) }).toEqual({ text, found: ['shadow'] });
    }
  });

  it('finds all names with a rare tag that contain the text, however many other names contain it', async () => {
    const crowd = Array.from({ length: 3_000 }, (_, index) => player(`${letters(index)}wolf`));
    const tagged = Array.from({ length: 50 }, (_, index) => player(`zz${letters(index)}wolf`, ['country:mt']));
    await add([...crowd, ...tagged, player('wolf wolf', ['country:mt']), player('zzz', ['country:mt'])]);
    const first = await search({ kind: 'player', text: 'wolf', tags: ['country:mt'], offset: 0, limit: 30 });
    const second = await search({ kind: 'player', text: 'wolf', tags: ['country:mt'], offset: 30, limit: 30 });
    expect(idsOf([...first, ...second])).toEqual(['wolf wolf', ...tagged.map(({ id }) => id).sort(byBytes)]);
  });

  it('finds names with a common tag that contain the text, also behind hundreds without the tag', async () => {
    const crowd = Array.from({ length: 1_500 }, (_, index) => player(`${letters(index)}wolf`));
    const common = Array.from({ length: 1_100 }, (_, index) => player(`${letters(index)}bear`, ['country:de']));
    const tagged = Array.from({ length: 50 }, (_, index) => player(`zz${letters(index)}wolf`, ['country:de']));
    await add([...crowd, ...common, ...tagged, player('aaawolf', ['country:de']), player('wolf wolf', ['country:de'])]);
    const first = await search({ kind: 'player', text: 'wolf', tags: ['country:de'], offset: 0, limit: 30 });
    const second = await search({ kind: 'player', text: 'wolf', tags: ['country:de'], offset: 30, limit: 30 });
    expect(idsOf([...first, ...second])).toEqual(['wolf wolf', 'aaawolf', ...tagged.map(({ id }) => id).sort(byBytes)]);
  });

  it('returns at most a thousand names', async () => {
    await add(Array.from({ length: 1_100 }, (_, index) => player(`wolf${index}`)));
    const found = await search({ kind: 'player', text: 'wolf', tags: [], offset: 950, limit: 100 });
    expect(found).toHaveLength(50);
    expect(await search({ kind: 'player', text: 'wolf', tags: [], offset: 1_000, limit: 100 })).toEqual([]);
    expect(await search({ kind: 'player', text: 'wolf', tags: [], offset: 2 ** 31 - 1, limit: 100 })).toEqual([]);
  });

  it('reads a bounded number of index entries, however many names match the text or the tags', async () => {
    const having = (text: string, count: number, tags: readonly string[]) =>
      Array.from({ length: count }, (_, index) => player(`${letters(index)}${text}`, tags));
    await add([...having('wolf', 6_000, ['country:de']), ...having('bear', 6_000, ['game:cs2'])]);
    const read: number[] = [];
    const watched: Queryable = {
      query: async (text, values) => {
        const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          [...(values ?? [])],
        );
        read.push(entriesRead(rows[0]['QUERY PLAN'][0].Plan));
        return db.query(text, values);
      },
    };
    for (const text of ['a', 'aa', 'wolf', 'olf', 'wofl', 'aabcwlof', 'abcdefghij wolf bear'])
      for (const tags of [[], ['game:cs2'], ['country:de', 'game:cs2']])
        await searchNames(watched, tables, { kind: 'player', text, tags, offset: 900, limit: 100 });
    expect(Math.max(...read)).toBeGreaterThan(900);
    expect(Math.max(...read)).toBeLessThan(6_000);
  }, 60_000);

  function search(asked: NameSearch) {
    return searchNames(db, tables, asked);
  }

  function add(names: readonly SearchName[]): Promise<void> {
    return inTransaction(pool, (tx) => applyNames(tx, tables, [], names));
  }
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that the index scans returned or filtered out. */
function entriesRead(node: PlanNode): number {
  const isIndex = tables.nameGrams.endsWith(`.${node['Relation Name'] ?? ''}`);
  const own = isIndex ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, plan) => sum + entriesRead(plan), own);
}
