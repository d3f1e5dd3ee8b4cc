import { randomUUID } from 'node:crypto';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, Queryable, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { insertIntegration } from '../../test/insert-integration';
import { migrations, schema } from '../migrations';
import { readExchanges, readRefreshes } from './activity.queries';

const rows = 60_000;
const rare = 30;
const partner = { baseUrl: 'https://acme.example', clientId: 'podium', clientSecret: 'secret' };
/** All rows of a table are hundreds of pages. */
const pagesMax = 120;

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

describe('lists of activity read few pages, however rare what they list is', () => {
  const [other, linkId] = [randomUUID(), randomUUID()];
  const page = { integrationId: '', before: null, limit: 50 };
  let integrationId: string;
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 1, service: 'test' }, logger, new Registry());
    integrationId = await insertIntegration(database.url, { platform: 'acme', displayName: 'Acme', partner });
    page.integrationId = integrationId;
    await pool.query(
      `INSERT INTO linkage.links (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at, version)
       VALUES ($1, $2, 'acme', 'o-1', 'u', 'u', 'n', 'ready', now(), 1)`,
      [linkId, integrationId],
    );
    await pool.query(`INSERT INTO linkage.link_tokens (link_id, version, access_token_enc) VALUES ($1, 1, 'sealed')`, [
      linkId,
    ]);
    // What is rare is the oldest, so that a list from the newest backwards would read all others first.
    await pool.query(
      `INSERT INTO linkage.token_refreshes (link_id, token_version, instance, ended_at, outcome, integration_id)
       SELECT $1, n, 'i', now(), CASE WHEN n <= $3 THEN 'lost' ELSE 'refreshed' END, $2 FROM generate_series(1, $4::int) n`,
      [linkId, integrationId, rare, rows],
    );
    await pool.query(
      `INSERT INTO linkage.partner_exchanges (integration_id, at, failed, operation, detail, user_digest)
       SELECT CASE WHEN n <= $3 THEN $1::uuid ELSE $2::uuid END, now(), n <= 10,
         CASE WHEN n <= 5 THEN 'revoke' ELSE 'refresh' END, '{}', gen_random_uuid()
       FROM generate_series(1, $4::int) n`,
      [integrationId, other, rare, rows],
    );
    await pool.query('ANALYZE linkage.token_refreshes, linkage.partner_exchanges');
  }, 60_000);

  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  it.each(['lost', 'ended'])('refreshes with the outcome %s', async (outcome) => {
    expect(await readRefreshes(queryable(pool), { ...page, outcome, linkId: null })).toHaveLength(
      outcome === 'lost' ? rare : 0,
    );
    expect(await pagesOf((db) => readRefreshes(db, { ...page, outcome, linkId: null }))).toBeLessThan(pagesMax);
  });

  it.each([null, 'refreshed'])('refreshes with the frequent outcome %s', async (outcome) => {
    expect(await pagesOf((db) => readRefreshes(db, { ...page, outcome, linkId: null }))).toBeLessThan(pagesMax);
  });

  it.each([
    [null, null, rare],
    [true, null, 10],
    [false, null, rare - 10],
    [null, 'revoke', 5],
    [true, 'exchange', 0],
  ])('exchanges, failed %s, operation %s', async (failed, operation, found) => {
    const filter = { ...page, failed, operation };
    expect(await readExchanges(queryable(pool), filter)).toHaveLength(found);
    expect(await pagesOf((db) => readExchanges(db, filter))).toBeLessThan(pagesMax);
  });

  /** How many pages the statement of a read takes. */
  async function pagesOf(read: (db: Queryable) => Promise<unknown>): Promise<number> {
    let pages = 0;
    await read({
      query: async (text, values = []) => {
        const { rows: lines } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          [...values],
        );
        const [{ Plan: plan }] = lines[0]['QUERY PLAN'];
        pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        return { rows: [], rowCount: 0 };
      },
    });
    return pages;
  }
});
