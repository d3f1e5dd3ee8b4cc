import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { Contracts } from '../contract-view/contracts';
import { BatchedWrites } from '../counting/batched-writes';
import { migrations, schema } from '../migrations';
import { DriftCount, DriftCounts, SeenEvent, maxNamesPerDay } from './drift-counts';
import { DriftDto } from './drift.dto';
import { DriftService } from './drift.service';
import { DriftStore } from './drift.store';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
// Today, because older days are deleted.
const today = new Date().toISOString().slice(0, 10);
const nowMs = Date.parse(`${today}T12:00:00Z`);

function seen(changes: Partial<SeenEvent> = {}): SeenEvent {
  const none = { dropped: [], typed: [], notParsed: [] };
  return { platform: 'acme', name: 'deposit', isNegotiated: true, ...none, ...changes };
}

describe('drift', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let store: DriftStore;
  let counts: DriftCounts;
  let service: DriftService;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 3, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE ingestion.drift');
    store = new DriftStore(queryable(pool));
    counts = new DriftCounts(() => nowMs);
    service = new DriftService(new Contracts(), writesOf(counts), store);
  });

  const writesOf = (waiting: DriftCounts): BatchedWrites<DriftCount> =>
    new BatchedWrites(waiting, (tx) => new DriftStore(tx), { pool, logger, what: 'drift' });

  it('is summed over instances and flushes, and shown to its platform alone', async () => {
    counts.add(seen({ typed: ['amount'], notParsed: ['amount'] }));
    const other = new DriftCounts(() => nowMs + 1000);
    other.add(seen({ typed: ['amount'] }));
    other.add(seen({ typed: ['amount'], notParsed: ['amount'] }));
    other.add(seen({ platform: 'zenith', dropped: ['secret'] }));
    await writesOf(other).flush();
    await service.list('acme', { limit: 9 });
    counts.add(seen({ typed: ['amount'] }));
    expect(await service.list('acme', { limit: 9 })).toEqual({
      items: [
        {
          ...{ day: today, event: 'deposit', attribute: 'amount', sent: 4 },
          ...{ not_negotiated: 0, dropped: 0, not_parsed: 2 },
          ...{ first_at: `${today}T12:00:00.000Z`, last_at: `${today}T12:00:01.000Z` },
        },
      ],
      next_cursor: null,
    });
  });

  it('adds names that are not negotiated and attributes that are dropped, of every instance', async () => {
    for (let instance = 0; instance < 3; instance++) {
      const own = new DriftCounts(() => nowMs);
      own.add(seen({ name: 'unknown', isNegotiated: false }));
      own.add(seen({ dropped: ['note'] }));
      await writesOf(own).flush();
    }
    expect((await service.list('acme', { limit: 9 })).items).toMatchObject([
      { event: 'deposit', attribute: 'note', not_negotiated: 0, dropped: 3 },
      { event: 'unknown', attribute: null, not_negotiated: 3, dropped: 0 },
    ]);
  });

  it('is paged by name, hostile ones too', async () => {
    const names = ['\u001b[31mred', 'a"b', "'; DROP TABLE x; --", 'ä\u202e', '\n', 'x'.repeat(255)];
    for (const name of names) counts.add(seen({ name, isNegotiated: false }));
    counts.add(seen({ dropped: names }));
    const found: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page: { items: DriftDto[]; next_cursor: string | null } = await service.list('acme', { limit: 2, cursor });
      found.push(...page.items.map(({ event, attribute }) => attribute ?? event));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(found.sort()).toEqual([...names, ...names].sort());
    for (const key of [
      ['2026-02-30', 'a', 'b'],
      ['0000-01-01', 'a', 'b'],
      ['x', '', ''],
    ])
      await expect(
        service.list('acme', { limit: 1, cursor: Buffer.from(JSON.stringify(key)).toString('base64url') }),
      ).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('has a limited number of names per platform and day; the others share a row', async () => {
    for (let instance = 0; instance < 3; instance++) {
      const own = new DriftCounts(() => nowMs);
      for (let name = 0; name < maxNamesPerDay; name++) own.add(seen({ dropped: [`i-${instance}-${name}`] }));
      own.add(seen({ dropped: ['i-0-7'] }));
      own.add(seen({ typed: ['amount'], notParsed: ['amount'] }));
      await writesOf(own).flush();
    }
    const { rows } = await pool.query<Record<string, number>>(
      `SELECT count(*)::int AS rows, sum(dropped)::int AS dropped,
              sum(dropped) FILTER (WHERE attribute_name = 'i-0-7')::int AS known,
              sum(not_parsed) FILTER (WHERE attribute_name = 'amount')::int AS amount,
              count(*) FILTER (WHERE event_name = '')::int AS others FROM ingestion.drift`,
    );
    expect(rows[0]).toEqual({
      rows: maxNamesPerDay + 2,
      dropped: 3 * maxNamesPerDay + 3,
      known: 2,
      amount: 3,
      others: 1,
    });
    expect((await service.list('acme', { limit: 1 })).items[0]).toMatchObject({ event: null, attribute: null });
  });

  it('is kept for 14 days', async () => {
    counts.add(seen({ dropped: ['a', 'b'] }));
    await service.list('acme', { limit: 9 });
    await pool.query(
      `UPDATE ingestion.drift SET day = (now() AT TIME ZONE 'UTC')::date - 14 WHERE attribute_name = 'a'`,
    );
    await pool.query(
      `UPDATE ingestion.drift SET day = (now() AT TIME ZONE 'UTC')::date - 13 WHERE attribute_name = 'b'`,
    );
    await store.removeOld();
    expect((await service.list('acme', { limit: 9 })).items).toMatchObject([{ attribute: 'b' }]);
  });
});
