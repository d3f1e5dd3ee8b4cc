import { IntegrationData } from '@podium/messages';
import { operatorOf } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { Contracts } from '../contract-view/contracts';
import { migrations, schema } from '../migrations';
import { Refusal, RefusalCounts } from './refusal-counts';
import { RefusalsFlush } from './refusals-flush';
import { RefusalsService } from './refusals.service';
import { RefusalsStore, maxUsersPerDay } from './refusals.store';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
// Today, because what is older than thirty days is removed.
const today = new Date().toISOString().slice(0, 10);
const nowMs = Date.parse(`${today}T12:00:00Z`);

function refusal(change: Partial<Refusal> = {}): Refusal {
  return { platform: 'acme', code: 'user_not_linked', platformUserId: 'p-1', message: 'not linked', ...change };
}

describe('refusals', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let store: RefusalsStore;
  let counts: RefusalCounts;
  let flush: RefusalsFlush;
  let service: RefusalsService;
  const operator = operatorOf({ sub: 'op', podium_roles: { 'org-acme': 'viewer' } });

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE ingestion.refusals');
    store = new RefusalsStore(queryable(pool));
    counts = new RefusalCounts(() => nowMs);
    flush = new RefusalsFlush(counts, store, logger);
    const contracts = new Contracts();
    for (const platform of ['acme', 'zenith'])
      contracts.apply(platform, {
        platform,
        organizer_id: `org-${platform}`,
        contracts: [],
      } as unknown as IntegrationData);
    service = new RefusalsService(contracts, flush, store);
  });

  it('are summed over instances and shown with their last message', async () => {
    counts.add(refusal());
    counts.add(refusal({ message: 'later' }));
    const other = new RefusalCounts(() => nowMs + 1000);
    other.add(refusal({ message: 'latest' }));
    await flush.flush();
    await store.add(other.take());
    counts.add(refusal({ code: 'content_differs' }));
    const page = await service.list(operator, { platform: 'acme', limit: 50 });
    expect(page).toEqual({
      items: [
        expect.objectContaining({ code: 'content_differs', refusals: 1 }),
        {
          day: today,
          code: 'user_not_linked',
          platform_user_id: 'p-1',
          refusals: 3,
          first_at: `${today}T12:00:00.000Z`,
          last_at: `${today}T12:00:01.000Z`,
          last_message: 'latest',
        },
      ],
      next_cursor: null,
    });
  });

  it('are paged by key and filtered by code', async () => {
    for (const user of ['a', 'b', 'c']) counts.add(refusal({ platformUserId: user }));
    counts.add(refusal({ code: 'invalid_request', platformUserId: '' }));
    const users: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await service.list(operator, { platform: 'acme', limit: 1, cursor });
      users.push(...page.items.map((item) => item.platform_user_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(users).toEqual([null, 'a', 'b', 'c']);
    expect((await service.list(operator, { platform: 'acme', code: 'invalid_request', limit: 9 })).items).toHaveLength(
      1,
    );
  });

  it("are shown to the organizer's operators alone", async () => {
    await expect(service.list(operator, { platform: 'zenith', limit: 1 })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(service.list(operator, { platform: 'none', limit: 1 })).rejects.toMatchObject({ code: 'not_found' });
    const cursor = Buffer.from('["2026-02-30","a","b"]').toString('base64url');
    await expect(service.list(operator, { platform: 'acme', limit: 1, cursor })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('name at most so many users a day; the others share one row', async () => {
    for (let flushes = 0; flushes < 3; flushes++) {
      for (let user = 0; user < maxUsersPerDay; user++) counts.add(refusal({ platformUserId: `p-${flushes}-${user}` }));
      counts.add(refusal({ platformUserId: 'p-0-7' }));
      await flush.flush();
    }
    const { rows } = await pool.query<{ users: number; refusals: number; known: number }>(
      `SELECT count(*)::int AS users, sum(refusals)::int AS refusals,
              sum(refusals) FILTER (WHERE platform_user_id = 'p-0-7')::int AS known FROM ingestion.refusals`,
    );
    expect(rows[0].users).toBeLessThanOrEqual(maxUsersPerDay + 1);
    expect(rows[0]).toMatchObject({ refusals: 3 * (maxUsersPerDay + 1), known: 4 });
  });

  it('wait in bounded memory while Postgres is away', async () => {
    const gone = createPool(
      { url: 'postgres://nobody@127.0.0.1:1/none', size: 1, service: 'test' },
      logger,
      new Registry(),
    );
    const cut = new RefusalsFlush(counts, new RefusalsStore(queryable(gone)), logger);
    for (let user = 0; user < 20_000; user++) counts.add(refusal({ platformUserId: `p-${user}` }));
    await cut.flush();
    await gone.end();
    const kept = counts.take();
    expect(kept.length).toBeLessThanOrEqual(5001);
    expect(kept.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
  });

  it('are removed when their user is erased, and after thirty days', async () => {
    const recent = new RefusalCounts();
    recent.add(refusal());
    recent.add(refusal({ platformUserId: 'p-2' }));
    recent.add(refusal({ platform: 'zenith' }));
    await store.add(recent.take());
    await store.erase([{ platform: 'acme', platformUserId: 'p-1' }]);
    expect(await store.page('acme', { after: null, limit: 9 })).toMatchObject([{ platformUserId: 'p-2' }]);
    await pool.query(`UPDATE ingestion.refusals SET day = day - 31 WHERE platform = 'zenith'`);
    await store.removeOld();
    expect(await store.page('zenith', { after: null, limit: 9 })).toEqual([]);
    expect(await store.page('acme', { after: null, limit: 9 })).toHaveLength(1);
  });
});
