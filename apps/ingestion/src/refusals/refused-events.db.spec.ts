import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { holdErasureLock } from '../accounts/erasure-lock.store';
import { ApplyLinks } from '../link-view/apply-links';
import { migrations, schema } from '../migrations';
import { BatchedWrites } from '../counting/batched-writes';
import { RefusedEvent, RefusedEventEntry, RefusedEvents, maxRefusedEvents } from './refused-events';
import { RefusedEventDto } from './refused-events.dto';
import { RefusedEventsService } from './refused-events.service';
import { RefusedEventsStore } from './refused-events.store';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });

function refused(change: Partial<RefusedEvent> = {}): RefusedEvent {
  return {
    ...{ platform: 'acme', eventId: 'e-1', code: 'user_not_linked', field: 'platform_user_id', message: 'Not linked.' },
    ...{ platformUserId: 'p-1', requestId: 'r-1', ...change },
  };
}

describe("partners' refused events", () => {
  let database: FreshDatabase;
  let pool: Pool;
  let store: RefusedEventsStore;
  let events: RefusedEvents;
  let service: RefusedEventsService;
  let nowMs: number;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 3, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE ingestion.refused_events, ingestion.erased_accounts, ingestion.links');
    nowMs = Date.now() - 60_000;
    store = new RefusedEventsStore(queryable(pool));
    events = new RefusedEvents(() => nowMs++);
    service = new RefusedEventsService(writesOf(events), store);
  });

  const writesOf = (waiting: RefusedEvents): BatchedWrites<RefusedEventEntry> =>
    new BatchedWrites(waiting, (tx) => new RefusedEventsStore(tx), { pool, logger, what: 'refused events' });

  async function idsOf(platform: string): Promise<(string | null)[]> {
    const ids: (string | null)[] = [];
    for (let cursor: string | undefined; ;) {
      const page: { items: RefusedEventDto[]; next_cursor: string | null } = await service.list(platform, {
        limit: 2,
        cursor,
      });
      ids.push(...page.items.map(({ event_id }) => event_id));
      if (page.next_cursor === null) return ids;
      cursor = page.next_cursor;
    }
  }

  it('are listed at once, also those that came while others were being stored', async () => {
    const writes = writesOf(events);
    const erasing = await pool.connect();
    await erasing.query('BEGIN');
    await holdErasureLock(queryable(erasing), 'exclusive');
    events.add(refused());
    const flushing = writes.flush();
    events.add(refused({ eventId: 'e-2' }));
    const listing = new RefusedEventsService(writes, store).list('acme', { limit: 9 });
    await erasing.query('COMMIT');
    erasing.release();
    expect((await listing).items.map(({ event_id }) => event_id)).toEqual(['e-2', 'e-1']);
    await flushing;
  });

  it('are summed over instances, with what the newest refusal says', async () => {
    const firstMs = nowMs;
    events.add(refused());
    const other = new RefusedEvents(() => firstMs + 5_000);
    other.add(refused({ requestId: 'r-2', message: 'Still not linked.' }));
    await writesOf(other).flush();
    expect(await service.list('acme', { limit: 9 })).toEqual({
      items: [
        {
          ...{
            event_id: 'e-1',
            code: 'user_not_linked',
            field: 'platform_user_id',
            platform_user_id: 'p-1',
            refusals: 2,
          },
          ...{ first_at: new Date(firstMs).toISOString(), last_at: new Date(firstMs + 5_000).toISOString() },
          ...{ message: expect.any(String), last_request_id: expect.any(String) },
        },
      ],
      next_cursor: null,
    });
  });

  it('are paged newest first, each once, and never those of another platform', async () => {
    for (const eventId of ['e-1', 'e-2', 'e-3', '', 'e-5']) events.add(refused({ eventId }));
    events.add(refused({ platform: 'zenith', eventId: 'secret-of-zenith' }));
    expect(await idsOf('acme')).toEqual(['e-5', null, 'e-3', 'e-2', 'e-1']);
    expect(await idsOf('zenith')).toEqual(['secret-of-zenith']);
    expect(await idsOf('nobody')).toEqual([]);
    const theirs = await service.list('zenith', { limit: 1 });
    const { next_cursor: mine } = await service.list('acme', { limit: 1 });
    expect(theirs.items).toHaveLength(1);
    expect(JSON.stringify(await service.list('zenith', { limit: 9, cursor: mine ?? '' }))).not.toContain('"e-');
  });

  it('are filtered by code and by id', async () => {
    events.add(refused());
    events.add(refused({ code: 'event_not_negotiated' }));
    events.add(refused({ eventId: 'e-2' }));
    const found = async (filter: object): Promise<number> =>
      (await service.list('acme', { limit: 9, ...filter })).items.length;
    expect(await found({ code: 'user_not_linked' })).toBe(2);
    expect(await found({ event_id: 'e-1' })).toBe(2);
    expect(await found({ event_id: 'e-1', code: 'event_not_negotiated' })).toBe(1);
    expect(await found({ event_id: "e-1' OR true" })).toBe(0);
  });

  it.each([[[-1, 'e', 'c']], [[1e15, 'e', 'c']], [['x', 'e', 'c']], [[1, 'e']]])(
    'refuse the cursor of %j',
    async (key) => {
      const cursor = Buffer.from(JSON.stringify(key)).toString('base64url');
      await expect(service.list('acme', { limit: 1, cursor })).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );

  it('are the newest 10,000 of a platform', async () => {
    for (let id = 0; id < maxRefusedEvents; id++) events.add(refused({ eventId: `e-${id}` }));
    await service.list('acme', { limit: 1 });
    events.add(refused({ platform: 'zenith' }));
    for (let id = 0; id < 5; id++) events.add(refused({ eventId: `new-${id}` }));
    events.add(refused({ eventId: 'e-0' }));
    await service.list('acme', { limit: 1 });
    const { rows } = await pool.query<{ count: number; oldest: string; has_first: boolean }>(
      `SELECT count(*)::int, (array_agg(event_id ORDER BY last_at))[1] AS oldest, bool_or(event_id = 'e-0') AS has_first
         FROM ingestion.refused_events WHERE platform = 'acme'`,
    );
    expect(rows[0]).toEqual({ count: maxRefusedEvents, oldest: 'e-6', has_first: true });
    expect(await idsOf('zenith')).toEqual(['e-1']);
  });

  it('are kept for seven days', async () => {
    events.add(refused());
    events.add(refused({ eventId: 'old' }));
    await service.list('acme', { limit: 1 });
    await pool.query(
      `UPDATE ingestion.refused_events SET last_at = last_at - interval '7 days' WHERE event_id = 'old'`,
    );
    expect(await idsOf('acme')).toEqual(['e-1']);
    await store.removeOld();
    expect((await pool.query('SELECT FROM ingestion.refused_events')).rowCount).toBe(1);
  });

  it('are erased with the account, and stay away until it is linked again', async () => {
    events.add(refused());
    events.add(refused({ eventId: 'e-2', platformUserId: 'p-2' }));
    await service.list('acme', { limit: 1 });
    const removed = { revision: 7, everything: false };
    const place = { topic: 'links', partition: 0, position: 'any', nextOffset: 1n } as const;
    const erased = [{ platform: 'acme', platformUserId: 'p-1', removed }];
    await new ApplyLinks(pool).apply({ ...place, erased, links: [] });
    // From another instance, which counted before and stores later.
    events.add(refused());
    expect(await idsOf('acme')).toEqual(['e-2']);
  });
});
