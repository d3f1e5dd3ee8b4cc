import { LinkData, linkChanged, recordKey } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { ConsumedRecord, PositionMovedError, RecordBatch, tombstoneHeaders } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import * as fc from 'fast-check';
import { ApplyParts } from '../applying/apply-parts';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { holdEpoch } from '../definitions/epoch.store';
import { deposits, segmentOf, sourceOf } from '../../test/given-definitions';
import { positionsTable } from '../inbox/positions-table';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { LinksConsumer } from './links.consumer';
import { storeLinks } from './store-links';

type LinkRecord = ConsumedRecord<typeof linkChanged>;

const platform = 'acme';
const sub = 'sub-1';
const segment = segmentOf('00000000-0000-4000-8000-000000000001', {
  not: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' },
});

describe("engagement's view of links", () => {
  let database: FreshDatabase;
  let pool: Pool;
  let consumer: LinksConsumer;
  let offset = 0n;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
    const definitions = new LiveDefinitions(sourceOf([segment], holdEpoch));
    consumer = new LinksConsumer(new ApplyParts(pool, definitions), new EngagementMetrics(new Registry()));
  });
  beforeEach(clear);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('ignores a link that is older than its erasure, in any order of arrival', async () => {
    await consume(record(5));
    expect(await members()).toEqual(['user-1']);
    await consume(tombstone(7));
    expect([await linked(), await members()]).toEqual([[], []]);
    await consume(record(5));
    await consume(record(6, { user_id: 'user-2' }), tombstone(7));
    expect([await linked(), await members()]).toEqual([[], []]);
    await consume(record(8, { user_id: 'user-3' }));
    await consume(tombstone(7));
    expect([await linked(), await members()]).toEqual([['user-3'], ['user-3']]);
  });

  it('has the same result for every order of links and erasures', async () => {
    const history = [record(1), record(3, { state: 'unlinked' }), record(6, { user_id: 'user-2' })];
    const records = [...history, tombstone(2), tombstone(5)];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(records, { minLength: 5 }), fc.nat(4), async (shuffled, cut) => {
        await clear();
        await consume(...shuffled.slice(0, cut));
        await consume(...shuffled.slice(cut));
        expect([await linked(), await members()]).toEqual([['user-2'], ['user-2']]);
      }),
      { numRuns: 40 },
    );
  });

  it('erases by a tombstone of the previous release, as that release does', async () => {
    await consume(record(5));
    await consume(tombstone());
    expect(await linked()).toEqual([]);
    await consume(record(6, { user_id: 'user-2' }));
    expect(await linked()).toEqual(['user-2']);
  });

  it('makes an erasure wait for a concurrent older record of another partition', async () => {
    const client = await pool.connect();
    const tx = queryable(client);
    await client.query('BEGIN');
    await holdEpoch(tx);
    await storeLinks(tx, { erased: [], links: [{ revision: 5, data: record(5).record!.data }] }, 0);
    let isErased = false;
    const erased = consume(tombstone(7)).then(() => (isErased = true));
    await until(async () => (await waitingLocks()) === 1);
    expect(isErased).toBe(false);
    await client.query('COMMIT');
    client.release();
    await erased;
    expect(await linked()).toEqual([]);
  });

  it('publishes nothing for known links', async () => {
    await consume(record(5));
    const told = await outboxRows();
    await pool.query('DELETE FROM engagement.memberships');
    await consume(record(5), record(4, { state: 'linking', linked_at: record(5).record!.data.linked_at }));
    expect(await outboxRows()).toBe(told);
  });

  it('refuses a batch that does not follow the stored position, because commits may have been lost', async () => {
    await consume(record(5));
    const batch = await batchOf(record(6, { user_id: 'user-2' }));
    await pool.query('UPDATE engagement.positions SET next_offset = next_offset - 1');
    expect(await consumer.handle(batch)).toHaveProperty('error', expect.any(PositionMovedError));
    expect(await linked()).toEqual(['user-1']);
  });

  async function clear(): Promise<void> {
    await pool.query(`TRUNCATE engagement.links, engagement.link_periods, engagement.erased_accounts, engagement.users,
      engagement.memberships, engagement.due_times, engagement.positions, engagement.outbox`);
  }

  async function consume(...records: LinkRecord[]): Promise<void> {
    if (records.length === 0) return;
    const batch = await batchOf(...records.map((each) => ({ ...each, offset: offset++ })));
    expect(await consumer.handle(batch)).toEqual(records.map(() => ({ kind: 'done' })));
  }

  async function batchOf(...records: LinkRecord[]): Promise<RecordBatch<typeof linkChanged>> {
    const offsets = { firstOffset: records[0].offset, lastOffset: records[records.length - 1].offset };
    const position = await new TablePositions(queryable(pool), positionsTable).load('links', 0);
    return { topic: 'links', partition: 0, position, ...offsets, records, deadLetter: async () => undefined };
  }

  async function linked(): Promise<string[]> {
    const { rows } = await pool.query<{ user_id: string }>(
      `SELECT user_id FROM engagement.links WHERE state = 'ready'`,
    );
    return rows.map(({ user_id }) => user_id);
  }

  async function members(): Promise<string[]> {
    const { rows } = await pool.query<{ user_id: string }>(
      'SELECT user_id FROM engagement.memberships JOIN engagement.users USING (user_ref) WHERE member ORDER BY user_id',
    );
    return rows.map(({ user_id }) => user_id);
  }

  async function outboxRows(): Promise<number> {
    const { rows } = await pool.query<{ count: number }>('SELECT count(*) FROM engagement.outbox');
    return rows[0].count;
  }

  async function waitingLocks(): Promise<number | null> {
    const { rowCount } = await pool.query(
      `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
       WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
    );
    return rowCount;
  }
});

function record(revision: number, change: Partial<LinkData> = {}): LinkRecord {
  const data: LinkData = {
    link_id: 'link-1',
    integration_id: 'integration-1',
    platform,
    platform_user_id: sub,
    user_id: 'user-1',
    organizer_id: 'organizer-1',
    state: 'ready',
    linked_at: 1_700_000_000 + revision,
    ...change,
  };
  const envelope = {
    id: `r-${revision}`,
    type: linkChanged.type,
    schema_version: 1,
    occurred_at: 1,
    source: 'linkage',
  };
  return { ...tombstone(), record: { ...envelope, revision, key: recordKey(platform, sub), data } };
}

/** Without a revision it is one of the release before. */
function tombstone(revision?: number): LinkRecord {
  const headers = revision === undefined ? {} : tombstoneHeaders(revision);
  return { offset: 0n, key: recordKey(platform, sub), timestampMs: 1, headers, sizeBytes: 1, record: null };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 20_000; !(await condition()); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > endMs) throw new Error('waited in vain');
}
