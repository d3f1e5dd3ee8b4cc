import { IntegrationData } from '@podium/messages';
import { operatorOf } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { Contracts } from '../contract-view/contracts';
import { ApplyLinks } from '../link-view/apply-links';
import { migrations, schema } from '../migrations';
import { BatchedWrites } from '../counting/batched-writes';
import { Refusal, RefusalCount, RefusalCounts } from './refusal-counts';
import { RefusalsService } from './refusals.service';
import { RefusalsStore, maxUsersPerDay } from './refusals.store';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
// Today, because refusals older than thirty days are deleted.
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
  let flush: BatchedWrites<RefusalCount>;
  let service: RefusalsService;
  const operator = operatorOf({ sub: 'op', podium_roles: { 'org-acme': 'viewer' } });

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE ingestion.refusals, ingestion.erased_accounts, ingestion.links');
    store = new RefusalsStore(queryable(pool));
    counts = new RefusalCounts(() => nowMs);
    flush = writesTo(pool);
    const contracts = new Contracts();
    for (const platform of ['acme', 'zenith'])
      contracts.apply(platform, {
        platform,
        organizer_id: `org-${platform}`,
        contracts: [],
      } as unknown as IntegrationData);
    service = new RefusalsService(contracts, flush, store);
  });

  const writesTo = (to: Pool): BatchedWrites<RefusalCount> =>
    new BatchedWrites(counts, (tx) => new RefusalsStore(tx), { pool: to, logger, what: 'refusals' });

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

  it("are shown only to the organizer's operators", async () => {
    await expect(service.list(operator, { platform: 'zenith', limit: 1 })).rejects.toMatchObject({ code: 'not_found' });
    await expect(service.list(operator, { platform: 'none', limit: 1 })).rejects.toMatchObject({ code: 'not_found' });
    for (const day of ['2026-02-30', '0000-12-31']) {
      const cursor = Buffer.from(JSON.stringify([day, 'a', 'b'])).toString('base64url');
      await expect(service.list(operator, { platform: 'acme', limit: 1, cursor })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    }
  });

  it('have a limited number of users per day; the others share one row', async () => {
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

  it('wait in bounded memory while Postgres is unavailable', async () => {
    const gone = createPool(
      { url: 'postgres://nobody@127.0.0.1:1/none', size: 1, service: 'test' },
      logger,
      new Registry(),
    );
    const cut = writesTo(gone);
    for (let user = 0; user < 20_000; user++) counts.add(refusal({ platformUserId: `p-${user}` }));
    await cut.flush();
    await gone.end();
    const kept = counts.take();
    expect(kept.length).toBeLessThanOrEqual(5001);
    expect(kept.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
  });

  it('are deleted when their user is erased, and after thirty days', async () => {
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

  it('contain no account that was erased during or after their storage', async () => {
    const keeper = await pool.connect();
    await keeper.query('SELECT pg_advisory_lock(42)');
    await pool.query(`
      CREATE FUNCTION ingestion.pause() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NEW; END $$;
      CREATE TRIGGER pause BEFORE INSERT ON ingestion.refusals FOR EACH STATEMENT EXECUTE FUNCTION ingestion.pause()`);
    counts.add(refusal({ platformUserId: 'erased' }));
    counts.add(refusal({ platformUserId: 'other' }));
    const flushed = flush.flush();
    await until(async () => (await waitingLocks()) === 1);
    const erased = eraseAccount('erased', 7);
    await Promise.race([erased, until(async () => (await waitingLocks()) === 2)]);
    await keeper.query('SELECT pg_advisory_unlock(42)');
    keeper.release();
    await Promise.all([flushed, erased]);
    await pool.query('DROP FUNCTION ingestion.pause CASCADE');
    expect(await storedUsers()).toEqual(['other']);

    // From another instance, which counted before and stores later, and from a partner that continues to send.
    counts.add(refusal({ platformUserId: 'erased' }));
    await flush.flush();
    expect(await storedUsers()).toEqual(['', 'other']);
  });

  it('are stored in smaller parts when a statement takes too long', async () => {
    await pool.query(`
      CREATE FUNCTION ingestion.slow() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON ingestion.refusals FOR EACH ROW EXECUTE FUNCTION ingestion.slow()`);
    const options = { url: database.url, size: 1, service: 'test', statementTimeoutMs: 500 };
    const impatient = createPool(options, logger, new Registry());
    const own = writesTo(impatient);
    for (let user = 0; user < 60; user++) counts.add(refusal({ platformUserId: `p-${user}` }));
    for (let flushes = 0; flushes < 10 && (await storedUsers()).length < 60; flushes++) await own.flush();
    expect(await storedUsers()).toHaveLength(60);
    await impatient.end();
    await pool.query('DROP FUNCTION ingestion.slow CASCADE');
  });

  async function eraseAccount(platformUserId: string, revision: number): Promise<void> {
    const removed = { revision, everything: false };
    const place = { topic: 'links', partition: 0, position: 'any', nextOffset: 1n } as const;
    await new ApplyLinks(pool).apply({ ...place, erased: [{ platform: 'acme', platformUserId, removed }], links: [] });
  }

  async function storedUsers(): Promise<string[]> {
    const { rows } = await pool.query<{ platform_user_id: string }>(
      'SELECT platform_user_id FROM ingestion.refusals ORDER BY platform_user_id',
    );
    return rows.map(({ platform_user_id }) => platform_user_id);
  }

  async function waitingLocks(): Promise<number | null> {
    const { rowCount } = await pool.query(
      `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
       WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
    );
    return rowCount;
  }
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 20_000; !(await condition()); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > endMs) throw new Error('timed out');
}
