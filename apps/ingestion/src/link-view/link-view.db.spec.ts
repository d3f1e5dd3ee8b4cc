import { LinkData, linkChanged, recordKey } from '@podium/messages';
import { ConsumedRecord, RecordBatch } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { migrations, schema } from '../migrations';
import { RefusalCounts } from '../refusals/refusal-counts';
import { ApplyLinks } from './apply-links';
import { LinkView, accountKey } from './link-view';
import { LinksConsumer } from './links.consumer';
import { AccountRef, LinksStore } from './links.store';
import { PositionsStore } from './positions.store';

type LinkRecord = ConsumedRecord<typeof linkChanged>;

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const account: AccountRef = { platform: 'acme', platformUserId: 'p:1' };

describe('the link view', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let store: LinksStore;
  let view: LinkView;
  let consumer: LinksConsumer;
  let clockMs: number;
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
    await pool.query('TRUNCATE ingestion.links, ingestion.refusals, ingestion.positions');
    clockMs = 1_000_000;
    store = new LinksStore(queryable(pool));
    view = new LinkView(store, new Registry(), () => clockMs);
    consumer = newConsumer(view);
  });

  function newConsumer(ownView: LinkView, ownPool = pool): LinksConsumer {
    return new LinksConsumer(new ApplyLinks(ownPool), ownView, new RefusalCounts());
  }

  function batchOf(...records: LinkRecord[]): RecordBatch<typeof linkChanged> {
    const offsets = { firstOffset: records[0].offset, lastOffset: records[records.length - 1].offset };
    return { topic: 'links', partition: 3, ...offsets, records, deadLetter: async () => undefined };
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

  function tombstone(data: { platform: string; platform_user_id: string }): LinkRecord {
    const key = recordKey(data.platform, data.platform_user_id);
    return { offset: offset++, key, timestampMs: 1, headers: {}, sizeBytes: 1, record: null };
  }

  async function consume(...records: LinkRecord[]): Promise<void> {
    expect(await consumer.onLinks(batchOf(...records))).toEqual(records.map(() => ({ kind: 'done' })));
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

  it('erases by tombstone, and takes a link that comes after it', async () => {
    await consume(record(7));
    await consume(tombstone(record(0).record!.data));
    expect(await userOf(account)).toBeUndefined();
    await consume(record(8, { user_id: 'u-8' }), tombstone(record(0).record!.data), record(9, { user_id: 'u-9' }));
    expect(await userOf(account)).toBe('u-9');
  });

  it('keeps equal users of two platforms apart, also where names run together', async () => {
    await consume(record(1), record(2, { platform: 'zenith', user_id: 'u-z' }));
    const found = await view.find([
      account,
      { ...account, platform: 'zenith' },
      { platform: 'acm', platformUserId: 'ep:1' },
    ]);
    expect([...found.values()].map(({ userId }) => userId)).toEqual(['u-1', 'u-z']);
  });

  it('remembers a link for two seconds from before it was read, and never that there is none', async () => {
    expect(await userOf(account)).toBeUndefined();
    await newConsumer(new LinkView(store, new Registry())).onLinks(batchOf(record(1)));
    expect(await userOf(account)).toBe('u-1');
    // Another instance consumes the unlinking, so that this one's memory is not told.
    await newConsumer(new LinkView(store, new Registry())).onLinks(batchOf(record(2, { state: 'unlinked' })));
    clockMs += 1999;
    expect(await userOf(account)).toBe('u-1');
    clockMs += 2;
    expect(await userOf(account)).toBeUndefined();
  });

  it('rejects while Postgres is away, except for what it remembers', async () => {
    const gone = createPool(
      { url: 'postgres://nobody@127.0.0.1:1/none', size: 1, service: 'test' },
      logger,
      new Registry(),
    );
    const cut = new LinkView(new LinksStore(queryable(gone)), new Registry());
    await expect(cut.find([account])).rejects.toThrow();
    await gone.end();
  });

  it('lets nothing be committed that is not in the table', async () => {
    const gone = createPool(
      { url: 'postgres://nobody@127.0.0.1:1/none', size: 1, service: 'test' },
      logger,
      new Registry(),
    );
    const cut = newConsumer(view, gone);
    const outcome = await cut.onLinks(batchOf(record(1)));
    // The transport reads the failure and delivers the batch again.
    expect(outcome).toHaveProperty('error.code', 'ECONNREFUSED');
    await gone.end();
  });

  it('keeps its position with what it has read, also of a batch in which nothing could be read', async () => {
    const positions = new PositionsStore(queryable(pool));
    expect(await positions.load('links', 3)).toBeNull();
    await consume(record(1), record(2));
    expect(await positions.load('links', 3)).toBe(offset);
    const nothing = { ...batchOf(record(3)), records: [], lastOffset: offset + 5n };
    expect(await consumer.onLinks(nothing)).toEqual([]);
    expect(await positions.load('links', 3)).toBe(offset + 6n);
  });
});
