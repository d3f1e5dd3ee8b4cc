import { LinkData, linkChanged, recordKey } from '@podium/messages';
import { StateRecord } from '@podium/runtime/consumers';
import { tombstoneHeaders } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import * as fc from 'fast-check';
import { deleteUsers } from '../erasures/erasures.store';
import { migrations, schema } from '../migrations';
import { CreateLinkPeriods1795100000012 } from '../migrations/1795100000012-create-link-periods';
import { readLinkPeriods } from '../users/link-periods.store';
import { lockUsers } from '../users/users.store';
import { linkChangesOf } from './link-changes';
import { storeLinks } from './store-links';

type LinkRecord = StateRecord<typeof linkChanged>;

const platform = 'acme';
/** When all changes are stored. */
const storedAtS = 1_000;

describe('link periods', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 3, service: 'test' }, logger, new Registry());
  });
  beforeEach(clear);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('last from linked_at to unlinked_at; a reconnect is a period of its own', async () => {
    await store(record(1, { state: 'linking', linked_at: 100 }), record(2, { linked_at: 100 }));
    expect(await periods('ann')).toEqual([[100, null, 'sub-1']]);
    await store(record(3, { state: 'unlinked', linked_at: 100, unlinked_at: 150 }));
    expect(await periods('ann')).toEqual([[100, 150, 'sub-1']]);
    await store(record(4, { linked_at: 170 }), record(5, { linked_at: 180, platform_user_id: 'sub-2' }));
    expect(await periods('ann')).toEqual([
      [100, 150, 'sub-1'],
      [170, null, 'sub-1'],
      [180, null, 'sub-2'],
    ]);
  });

  it('are recorded for each state of a batch, not only for the newest of an account', async () => {
    const changed = await store(...history);
    expect(changed).toEqual(['ann', 'bob']);
    expect([await periods('ann'), await periods('bob')]).toEqual(historyPeriods);
  });

  it('are the same for every order of arrival, every cut into batches, and with repeats', async () => {
    const repeated = [...history, history[0], history[5]];
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(repeated, { minLength: repeated.length }),
        fc.array(fc.nat(repeated.length), { maxLength: 4 }),
        async (shuffled, cuts) => {
          await clear();
          const bounds = [0, ...cuts.sort((a, b) => a - b), repeated.length];
          for (let at = 1; at < bounds.length; at++) await store(...shuffled.slice(bounds[at - 1], bounds[at]));
          expect([await periods('ann'), await periods('bob')]).toEqual(historyPeriods);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('end at the time of the record where it has no unlinked_at, and never before they began', async () => {
    await store({ ...record(2, { state: 'unlinked', linked_at: 100 }, 160_900) });
    await store({ ...record(3, { state: 'unlinked', linked_at: 200, user_id: 'bob' }, 150_000) });
    await inTransaction(pool, async (tx) => {
      const { data } = record(4, { state: 'unlinked', linked_at: 300, user_id: 'cid' }).record!;
      await storeLinks(tx, { erased: [], links: [{ data, revision: 4 }] }, storedAtS);
    });
    expect(await periods('ann')).toEqual([[100, 160, 'sub-1']]);
    expect(await periods('bob')).toEqual([[200, 200, 'sub-1']]);
    expect(await periods('cid')).toEqual([[300, 300, 'sub-1']]);
  });

  it('that are published again with a higher revision do not end later ones', async () => {
    await store(record(1, { state: 'unlinked', linked_at: 100, unlinked_at: 150 }));
    await store(record(2, { linked_at: 200, user_id: 'bob' }));
    await store(record(3, { state: 'unlinked', linked_at: 100, unlinked_at: 150 }));
    expect([await periods('ann'), await periods('bob')]).toEqual([[[100, 150, 'sub-1']], [[200, null, 'sub-1']]]);
  });

  it('include those of links that the release before wrote, also when the next record replaces the link', async () => {
    await store(
      record(1, { linked_at: 100 }),
      record(2, { linked_at: 110, user_id: 'cid', platform_user_id: 'sub-2' }),
    );
    await writeAsBefore(record(3, { linked_at: 200, user_id: 'bob' }));
    await writeAsBefore(record(4, { state: 'unlinked', linked_at: 110, user_id: 'cid', platform_user_id: 'sub-2' }));
    const merged = [[[100, 200, 'sub-1']], [[200, null, 'sub-1']], [[110, 110, 'sub-2']]];
    expect([await periods('ann'), await periods('bob'), await periods('cid')]).toEqual(merged);
    const changed = await store(record(5, { linked_at: 300, user_id: 'dan' }));
    expect(changed).toEqual(['ann', 'bob', 'dan']);
    expect([await periods('ann'), await periods('bob')]).toEqual([[[100, 200, 'sub-1']], [[200, 300, 'sub-1']]]);
    await store(
      record(4, { state: 'unlinked', linked_at: 110, unlinked_at: 120, user_id: 'cid', platform_user_id: 'sub-2' }),
    );
    expect(await periods('cid')).toEqual([[110, 120, 'sub-2']]);
  });

  it('of an account that was linked again and again are each read a bounded number of times', async () => {
    await store(record(1, { linked_at: 100 }));
    await pool.query(
      `INSERT INTO engagement.link_periods (platform, user_id, linked_at, platform_user_id, link_id, unlinked_at, revision)
       SELECT $1, 'ann', 100 + n, 'sub-1', 'link-1', 101 + n, n FROM generate_series(1, 10000) AS n`,
      [platform],
    );
    const { data } = record(0, { linked_at: 20_000, user_id: 'bob' }).record!;
    await inTransaction(pool, async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = '1500ms'`);
      await storeLinks(tx, { erased: [], links: [{ data, revision: 10_001 }] }, storedAtS);
    });
    expect([(await periods('ann')).at(-1), await periods('bob')]).toEqual([
      [10_100, 10_101, 'sub-1'],
      [[20_000, null, 'sub-1']],
    ]);
  });

  it('end with an erasure of the account, up to its revision, and stay until their user is erased', async () => {
    await store(record(1, { state: 'unlinked', linked_at: 100, unlinked_at: 150 }), record(5, { linked_at: 200 }));
    const open = [
      [100, 150, 'sub-1'],
      [200, null, 'sub-1'],
    ];
    expect(await store(tombstone(3))).toEqual([]);
    expect(await periods('ann')).toEqual(open);
    expect(await store(tombstone(6))).toEqual(['ann']);
    const ended = [open[0], [200, storedAtS, 'sub-1']];
    expect(await periods('ann')).toEqual(ended);
    expect(await store(record(5, { linked_at: 200 }), tombstone())).toEqual([]);
    expect(await periods('ann')).toEqual(ended);
  });

  it('of links that the release before wrote alone, or that begin later, end with an erasure of the account too', async () => {
    await writeAsBefore(record(1, { linked_at: 100 }));
    await writeAsBefore(record(2, { state: 'unlinked', linked_at: 110, user_id: 'bob', platform_user_id: 'sub-2' }));
    await store(record(3, { linked_at: storedAtS + 5, user_id: 'cid', platform_user_id: 'sub-3' }));
    await store(...['sub-1', 'sub-2', 'sub-3'].map((account) => tombstone(4, account)));
    expect(await periods('ann')).toEqual([[100, storedAtS, 'sub-1']]);
    expect(await periods('bob')).toEqual([[110, 110, 'sub-2']]);
    expect(await periods('cid')).toEqual([[storedAtS + 5, storedAtS + 5, 'sub-3']]);
  });

  it('of the user who had the account before are as they were after an erasure of its holder', async () => {
    await store(record(1, { state: 'unlinked', linked_at: 100, unlinked_at: 150 }));
    await store(record(2, { linked_at: 200, user_id: 'bob' }));
    expect(await store(tombstone(3))).toEqual(['bob']);
    expect([await periods('ann'), await periods('bob')]).toEqual([[[100, 150, 'sub-1']], [[200, storedAtS, 'sub-1']]]);
  });

  it('go with an erasure of the user, also by the release before, which does not know them', async () => {
    await store(...history);
    await inTransaction(pool, async (tx) =>
      deleteUsers(tx, [...(await lockUsers(tx, [{ platform, userId: 'ann' }])).values()]),
    );
    expect(await stored()).toEqual(['bob', 'bob']);
    await pool.query(`DELETE FROM engagement.users WHERE user_id = 'bob'`);
    expect(await stored()).toEqual([]);
  });

  it('exist after the migration for the links of before', async () => {
    await writeAsBefore(record(1, { linked_at: 100 }));
    await writeAsBefore(record(2, { state: 'unlinked', linked_at: 110, user_id: 'bob', platform_user_id: 'sub-2' }));
    await writeAsBefore(record(3, { linked_at: 90, user_id: 'erased', platform_user_id: 'sub-3' }));
    await pool.query(`INSERT INTO engagement.erasures SELECT engagement.identity_digest($1, 'erased'), 95`, [platform]);
    const nowS = Math.floor(Date.now() / 1000);
    const client = await pool.connect();
    const runner = client as unknown as Parameters<CreateLinkPeriods1795100000012['up']>[0];
    await new CreateLinkPeriods1795100000012().down(runner);
    await new CreateLinkPeriods1795100000012().up(runner);
    // A repeat after an interruption changes nothing.
    await new CreateLinkPeriods1795100000012().up(runner);
    client.release();
    expect(await stored()).toEqual(['ann', 'bob']);
    expect(await periods('ann')).toEqual([[100, null, 'sub-1']]);
    const [[linkedAt, unlinkedAt]] = await periods('bob');
    expect([linkedAt, Number(unlinkedAt) - nowS < 60 && Number(unlinkedAt) >= nowS]).toEqual([110, true]);
    await store(record(2, { linked_at: 110, state: 'unlinked', user_id: 'bob', platform_user_id: 'sub-2' }));
    expect((await periods('bob'))[0][1]).toBe(unlinkedAt);
  });

  async function clear(): Promise<void> {
    await pool.query(`TRUNCATE engagement.links, engagement.link_periods, engagement.erased_accounts, engagement.users,
      engagement.erasures`);
  }

  /** Returns the users whose links changed. */
  async function store(...records: LinkRecord[]): Promise<string[]> {
    const { users } = await inTransaction(pool, (tx) => storeLinks(tx, linkChangesOf(records), storedAtS));
    return users.map(({ userId }) => userId).sort();
  }

  async function writeAsBefore({ record: written }: LinkRecord): Promise<void> {
    const { data, revision } = written!;
    await inTransaction(pool, (tx) => lockUsers(tx, [{ platform, userId: data.user_id }]));
    await pool.query(
      `INSERT INTO engagement.links AS known (platform, platform_user_id, user_id, link_id, integration_id, organizer_id,
         state, linked_at, revision)
       VALUES ($1, $2, $3, $4, 'i', 'o', $5, $6, $7)
       ON CONFLICT (platform, platform_user_id) DO UPDATE SET user_id = excluded.user_id, state = excluded.state,
         linked_at = excluded.linked_at, revision = excluded.revision`,
      [platform, data.platform_user_id, data.user_id, data.link_id, data.state, data.linked_at, revision],
    );
  }

  async function periods(userId: string): Promise<[number, number | null, string][]> {
    const { rows } = await pool.query<{ user_ref: number }>(
      'SELECT user_ref FROM engagement.users WHERE user_id = $1',
      [userId],
    );
    const found = await readLinkPeriods(
      queryable(pool),
      rows.map(({ user_ref }) => user_ref),
    );
    return [...found.values()].flat().map(({ linkedAt, unlinkedAt, account }) => [linkedAt, unlinkedAt, account]);
  }

  async function stored(): Promise<string[]> {
    const { rows } = await pool.query<{ user_id: string }>(
      'SELECT user_id FROM engagement.link_periods ORDER BY user_id, linked_at',
    );
    return rows.map(({ user_id }) => user_id);
  }
});

/** Two users of one account: an unlinking without a record, a reconnect within one second, and a takeover. */
const history = [
  record(1, { state: 'linking', linked_at: 100 }),
  record(2, { linked_at: 100 }),
  record(3, { linked_at: 200, user_id: 'bob' }),
  record(4, { state: 'unlinked', linked_at: 200, unlinked_at: 200, user_id: 'bob' }),
  record(5, { state: 'linking', linked_at: 200, user_id: 'bob' }),
  record(6, { state: 'unlinked', linked_at: 200, unlinked_at: 260, user_id: 'bob' }),
  record(7, { linked_at: 300 }),
  record(8, { linked_at: 400, user_id: 'bob' }),
];
const historyPeriods = [
  [
    [100, 200, 'sub-1'],
    [300, 400, 'sub-1'],
  ],
  [
    [200, 260, 'sub-1'],
    [400, null, 'sub-1'],
  ],
];

function record(revision: number, change: Partial<LinkData> & { linked_at: number }, atMs = 1): LinkRecord {
  const data: LinkData = {
    link_id: 'link-1',
    integration_id: 'integration-1',
    platform,
    platform_user_id: 'sub-1',
    user_id: 'ann',
    organizer_id: 'organizer-1',
    state: 'ready',
    ...change,
  };
  const key = recordKey(platform, data.platform_user_id);
  const envelope = { id: `r-${revision}`, type: linkChanged.type, schema_version: 2, source: 'linkage' };
  return { key, headers: {}, record: { ...envelope, occurred_at: atMs, revision, key, data } };
}

/** Without a revision it is one of an earlier release. */
function tombstone(revision?: number, account = 'sub-1'): LinkRecord {
  const headers = revision === undefined ? {} : tombstoneHeaders(revision);
  return { key: recordKey(platform, account), headers, record: null };
}
