import { LinkData, linkChanged, recordKey } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { ConsumedRecord, OutageError, PositionMovedError, RecordBatch, tombstoneHeaders } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable, readTimeline } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import * as fc from 'fast-check';
import { migrations, schema } from '../migrations';
import { RefusalCounts } from '../refusals/refusal-counts';
import { RefusedEvents } from '../refusals/refused-events';
import { ApplyLinks } from './apply-links';
import { AccountRef, accountKey } from '../accounts/account';
import { LinkView } from './link-view';
import { LinksConsumer } from './links.consumer';
import { LinksStore } from './links.store';
import { positionsTable } from './positions-table';

type LinkRecord = ConsumedRecord<typeof linkChanged>;

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const account: AccountRef = { platform: 'acme', platformUserId: 'p:1' };
const topicAccount = { platform: account.platform, platform_user_id: account.platformUserId };

describe('the link view', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let store: LinksStore;
  let view: LinkView;
  let consumer: LinksConsumer;
  let clockMs: number;
  /** Timelines on which the table counts as caught up. */
  let isPassedOn: (timeline: string) => boolean;
  let offset = 0n;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE ingestion.links, ingestion.erased_accounts, ingestion.refusals, ingestion.positions');
    clockMs = 1_000_000;
    store = new LinksStore(queryable(pool));
    isPassedOn = () => true;
    view = viewOf(store);
    consumer = newConsumer(view);
  });

  function viewOf(ownStore: LinksStore): LinkView {
    const barrier = { isPassedOn: (timeline: string) => isPassedOn(timeline) };
    return new LinkView(ownStore, barrier, new Registry(), () => clockMs);
  }

  function newConsumer(ownView: LinkView, ownPool = pool): LinksConsumer {
    return new LinksConsumer(new ApplyLinks(ownPool), ownView, new RefusalCounts(), new RefusedEvents());
  }

  async function batchOf(...records: LinkRecord[]): Promise<RecordBatch<typeof linkChanged>> {
    const offsets = { firstOffset: records[0].offset, lastOffset: records[records.length - 1].offset };
    const position = await new TablePositions(queryable(pool), positionsTable).load('links', 3);
    return { topic: 'links', partition: 3, position, ...offsets, records, deadLetter: async () => undefined };
  }

  function record(revision: number, change: Partial<LinkData> = {}): LinkRecord {
    const data: LinkData = {
      link_id: 'l-1',
      integration_id: 'i-1',
      platform: account.platform,
      platform_user_id: account.platformUserId,
      user_id: 'u-1',
      organizer_id: 'org-1',
      state: 'ready',
      linked_at: 1_700_000_000,
      ...change,
    };
    const key = recordKey(data.platform, data.platform_user_id);
    return {
      ...tombstone(data),
      record: {
        id: `r-${revision}`,
        type: linkChanged.type,
        schema_version: 1,
        revision,
        occurred_at: 1,
        key,
        source: 'linkage',
        data,
      },
    };
  }

  /** A record without a revision comes from the previous release. */
  function tombstone(data: { platform: string; platform_user_id: string }, revision?: number): LinkRecord {
    const key = recordKey(data.platform, data.platform_user_id);
    const headers = revision === undefined ? {} : tombstoneHeaders(revision);
    return { offset: offset++, key, timestampMs: 1, headers, sizeBytes: 1, record: null };
  }

  async function consume(...records: LinkRecord[]): Promise<void> {
    expect(await consumer.onLinks(await batchOf(...records))).toEqual(records.map(() => ({ kind: 'done' })));
  }

  async function userOf(ref: AccountRef, from = view): Promise<string | undefined> {
    return (await from.find([ref])).get(accountKey(ref))?.userId;
  }

  it.each(['linking', 'ready', 'refreshing', 'needs_reauth'] as const)('shows a link that is %s', async (state) => {
    await consume(record(1, { state }));
    expect((await view.find([account])).get(accountKey(account))).toEqual({
      ...account,
      userId: 'u-1',
      linkId: 'l-1',
      organizerId: 'org-1',
      linkedAtS: 1_700_000_000,
    });
  });

  it('does not show a link that is unlinked, and shows it after a reconnect', async () => {
    await consume(record(1));
    expect(await userOf(account)).toBe('u-1');
    await consume(record(2, { state: 'unlinked' }));
    expect(await userOf(account)).toBeUndefined();
    await consume(record(3));
    expect(await userOf(account)).toBe('u-1');
  });

  it('applies only higher revisions, within a batch and across redeliveries', async () => {
    await consume(record(5, { user_id: 'u-5' }), record(4, { user_id: 'u-4' }));
    await consume(record(5, { user_id: 'again' }), record(3, { state: 'unlinked' }));
    expect(await userOf(account)).toBe('u-5');
  });

  it('erases by tombstone, and accepts a later link', async () => {
    await consume(record(7));
    await consume(tombstone(record(0).record!.data));
    expect(await userOf(account)).toBeUndefined();
    await consume(record(8, { user_id: 'u-8' }), tombstone(record(0).record!.data), record(9, { user_id: 'u-9' }));
    expect(await userOf(account)).toBe('u-9');
  });

  it.each([
    { name: 'the link', later: () => record(5) },
    { name: 'another user of the account', later: () => record(6, { user_id: 'u-6' }) },
  ])('ignores $name that is older than the erasure, in any order of arrival', async ({ later }) => {
    await consume(tombstone(record(0).record!.data, 7));
    await consume(later());
    expect(await userOf(account)).toBeUndefined();
    await consume(later(), tombstone(record(0).record!.data, 7), later());
    expect(await userOf(account)).toBeUndefined();
    await consume(record(8, { user_id: 'u-8' }));
    expect(await userOf(account)).toBe('u-8');
    // The erasure is repeated, as when a partition is re-read.
    await consume(tombstone(record(0).record!.data, 7));
    expect(await userOf(account)).toBe('u-8');
  });

  it('has the same result for every order of links and erasures', async () => {
    const history = [record(1), record(3, { state: 'unlinked' }), record(6, { user_id: 'u-6' })];
    const erasures = [tombstone(topicAccount, 2), tombstone(topicAccount, 5)];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...history, ...erasures], { minLength: 5 }), async (records) => {
        await pool.query('TRUNCATE ingestion.links, ingestion.erased_accounts');
        view = viewOf(store);
        for (const each of records) await consume({ ...each, offset: offset++ });
        expect(await userOf(account)).toBe('u-6');
      }),
      { numRuns: 60 },
    );
  });

  it('contains no name of an erased user', async () => {
    await consume(record(7), tombstone(record(0).record!.data, 8));
    const { rows } = await pool.query('SELECT * FROM ingestion.erased_accounts');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(account.platformUserId);
  });

  it('refuses a batch that does not follow the stored position, because commits may have been lost', async () => {
    await consume(record(1));
    const next = await batchOf(record(2, { user_id: 'u-2' }));
    await pool.query('UPDATE ingestion.positions SET next_offset = next_offset - 1');
    const outcome = await consumer.onLinks(next);
    expect(outcome).toHaveProperty('error', expect.any(PositionMovedError));
    expect(await userOf(account)).toBe('u-1');
  });

  it('throws an error of size when a statement takes too long', async () => {
    await consume(record(1));
    const client = await pool.connect();
    await client.query('BEGIN; SELECT FROM ingestion.links FOR UPDATE');
    const impatient = createPool(
      { url: database.url, size: 1, service: 'test', statementTimeoutMs: 50 },
      logger,
      new Registry(),
    );
    const outcome = (await newConsumer(view, impatient).onLinks(await batchOf(record(2)))) as unknown;
    expect(outcome).toHaveProperty('error.code', '57014');
    expect(outcome).not.toHaveProperty('error', expect.any(OutageError));
    await client.query('ROLLBACK');
    client.release();
    await impatient.end();
  });

  it('separates equal users of two platforms, also where names concatenate equally', async () => {
    await consume(record(1), record(2, { platform: 'zenith', user_id: 'u-z' }));
    const found = await view.find([
      account,
      { ...account, platform: 'zenith' },
      { platform: 'acm', platformUserId: 'ep:1' },
    ]);
    expect([...found.values()].map(({ userId }) => userId)).toEqual(['u-1', 'u-z']);
  });

  it('caches a link for two seconds from before it was read, and never a missing link', async () => {
    expect(await userOf(account)).toBeUndefined();
    await newConsumer(viewOf(store)).onLinks(await batchOf(record(1)));
    expect(await userOf(account)).toBe('u-1');
    // Another instance consumes the unlink, so that the cache of this one stays.
    await newConsumer(viewOf(store)).onLinks(await batchOf(record(2, { state: 'unlinked' })));
    clockMs += 1999;
    expect(await userOf(account)).toBe('u-1');
    clockMs += 2;
    expect(await userOf(account)).toBeUndefined();
  });

  it('rejects while the table is behind its topic on this timeline, for accounts with and without a link', async () => {
    await consume(record(1));
    const present = await readTimeline(queryable(pool));
    isPassedOn = (timeline) => timeline !== present;
    await expect(view.find([account])).rejects.toThrow(present);
    await expect(view.find([{ ...account, platformUserId: 'nobody' }])).rejects.toThrow(present);
    isPassedOn = (timeline) => timeline === present;
    expect(await userOf(account)).toBe('u-1');
    expect(await userOf({ ...account, platformUserId: 'nobody' })).toBeUndefined();
  });

  it('rejects while Postgres is unavailable, except for cached links', async () => {
    const gone = createPool(
      { url: 'postgres://nobody@127.0.0.1:1/none', size: 1, service: 'test' },
      logger,
      new Registry(),
    );
    const cut = viewOf(new LinksStore(queryable(gone)));
    await expect(cut.find([account])).rejects.toThrow();
    await gone.end();
  });

  it('commits only offsets of records that are in the table', async () => {
    const gone = createPool(
      { url: 'postgres://nobody@127.0.0.1:1/none', size: 1, service: 'test' },
      logger,
      new Registry(),
    );
    const cut = newConsumer(view, gone);
    const outcome = await cut.onLinks(await batchOf(record(1)));
    // The transport gets the error and delivers the batch again.
    expect(outcome).toHaveProperty('error', expect.any(OutageError));
    await gone.end();
  });

  it('stores its position with each batch, even if no record is readable', async () => {
    const positions = new TablePositions(queryable(pool), positionsTable);
    expect(await positions.load('links', 3)).toBeNull();
    await consume(record(1), record(2));
    expect(await positions.load('links', 3)).toBe(offset);
    const nothing = { ...(await batchOf(record(3))), records: [], lastOffset: offset + 5n };
    expect(await consumer.onLinks(nothing)).toEqual([]);
    expect(await positions.load('links', 3)).toBe(offset + 6n);
  });
});
