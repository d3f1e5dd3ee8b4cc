import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, PoolClient, createPool } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { CreateProjection1795300000000 } from '../../migrations/1795300000000-create-projection';
import { explainedReads } from '../../../test/explained-reads';
import { schema, tablesOf } from '../../table-sets/table-set';
import { listDocuments, listTexts } from './listings.queries';

const tables = tablesOf('b');
const tournaments = 20_000;

describe.each([0, 5_000])('reading the tournaments of a busy player among %i other players', (others) => {
  let database: FreshDatabase;
  let pool: Pool;
  let client: PoolClient;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations: [CreateProjection1795300000000] });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 1, service: 'test' }, logger, new Registry());
    client = await pool.connect();
    await client.query(`ALTER TABLE ${tables.listings} SET (autovacuum_enabled = off)`);
    await add(['busy'], tournaments);
    await add(
      Array.from({ length: others }, (_, n) => `other-${n}`),
      4,
    );
  }, 120_000);

  afterAll(async () => {
    client.release();
    await pool.end();
    await database.drop();
  });

  // The rows of the player are some hundred pages of the index, and three look-ups in it find an item's other rows.
  describe.each(['force_generic_plan', 'force_custom_plan'])('%s', (mode) => {
    it('reads few pages before the first vacuum and statistics', async () => {
      for (const pages of await pagesOfReads(mode)) expect(pages).toBeLessThan(250);
    });

    it('reads few pages after a vacuum', async () => {
      await client.query(`VACUUM ANALYZE ${tables.listings}`);
      for (const pages of await pagesOfReads(mode)) expect(pages).toBeLessThan(250);
    });

    it.each(['asc', 'desc'] as const)('sorts no texts, which the index has in their order: %s', async (order) => {
      const nodes: string[] = [];
      await listTexts(
        explainedReads(client, mode, { nodes }, { texts: null }),
        tables,
        { ...{ list: 'matchStatsOfPlayer', owner: 'busy', filter: '', order }, after: null, offset: 0, limit: 20 },
        { kind: 'player', id: 'busy' },
      );
      expect(nodes).toContain('WindowAgg');
      expect(nodes.filter((node) => node.endsWith('Sort'))).toEqual([]);
    });
  });

  /** Of the first page, and of one far down. */
  async function pagesOfReads(mode: string): Promise<number[]> {
    const pages: number[] = [];
    for (const after of [null, { sort: tournaments / 2, id: 'x' }])
      await listDocuments(
        explainedReads(client, mode, { pages }, { ids: null }),
        tables,
        { ...{ list: 'tournamentsOfPlayer', owner: 'busy', filter: '' }, after, offset: 0, limit: 20 },
        { kind: 'player', id: 'busy' },
      );
    expect(pages).toHaveLength(2);
    return pages;
  }

  /** The rows of players' tournaments, each under its id too; every tenth was joined with two teams. */
  async function add(owners: readonly string[], count: number): Promise<void> {
    await client.query(
      `INSERT INTO ${tables.listings} (list, owner, filter, sort, id)
       SELECT 'tournamentsOfPlayer', owner, filter, n + team * $2, md5(n::text)
       FROM unnest($1::text[]) owner, generate_series(1, $2::int) n, generate_series(0, 1) team, unnest(ARRAY['', md5(n::text)]) filter
       WHERE team = 0 OR n % 10 = 0`,
      [owners, count],
    );
  }
});
