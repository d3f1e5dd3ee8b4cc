import { SegmentMembershipData, UserErasedData, identityDigest, recordKey } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { EraseUsers } from '../../erasures/erase-users';
import { migrations, schema } from '../../migrations';
import { lockUsers } from '../../users/users.store';
import { addToldMemberships, takeMembershipsOfRestore } from './restore-views';

const platform = 'acme';
const segmentId = '00000000-0000-4000-8000-000000000001';
const erasedAt = 1_800_000_000;

describe('published memberships of erased users', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
    await pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_at, counts_from)
       VALUES ($1, 1, 1, 'segment', $2, 'organizer-1', 'named', '{}', '{}', 'published', 'spec', now(), now(), now())`,
      [segmentId, platform],
    );
    await erase('erased', 'relinked', 'between');
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  beforeEach(async () => {
    await pool.query('TRUNCATE engagement.users, engagement.memberships, engagement.due_times, engagement.outbox');
    await inTransaction(pool, (tx) => lockUsers(tx, [{ platform, userId: 'relinked' }]));
  });

  const published = [
    membership('erased', erasedAt - 1),
    // An event in flight has changed it after the erasure began.
    membership('between', erasedAt + 1),
    membership('relinked', erasedAt + 1),
    membership('other', erasedAt - 1),
  ];

  it('are not added by a rebuild', async () => {
    expect(await inTransaction(pool, (tx) => addToldMemberships(tx, published))).toBe(2);
    expect(await users()).toEqual(['other member', 'relinked member']);
    expect(await removed()).toEqual([]);
  });

  it('are not added by a rebuild to a user who has linked again', async () => {
    const before = [membership('relinked', erasedAt - 1)];
    expect(await inTransaction(pool, (tx) => addToldMemberships(tx, before))).toBe(0);
    expect(await users()).toEqual(['relinked']);
  });

  it('are removed from their topic by a restore', async () => {
    const taken = await inTransaction(pool, (tx) => takeMembershipsOfRestore(tx, published, Date.now()));
    expect(taken).toEqual({ written: 2, left: 0 });
    expect(await users()).toEqual(['other member', 'relinked member']);
    expect(await removed()).toEqual(['between', 'erased'].map((userId) => recordKey(platform, userId, segmentId)));
  });

  it('are stored by a restore with the accounts that their records name', async () => {
    await inTransaction(pool, (tx) => takeMembershipsOfRestore(tx, [membership('other', 10)], Date.now()));
    const again = { ...membership('other', 10), platform_user_id: 'other-sub' };
    await inTransaction(pool, (tx) => takeMembershipsOfRestore(tx, [again], Date.now()));
    const { rows } = await pool.query('SELECT account, account_at FROM engagement.memberships');
    expect(rows).toEqual([{ account: 'other-sub', account_at: 10 }]);
  });

  it('do not differ from rows of the release before, which keep no account', async () => {
    await inTransaction(pool, (tx) => takeMembershipsOfRestore(tx, [membership('other', 10)], Date.now()));
    await pool.query('UPDATE engagement.memberships SET account = NULL, account_at = NULL');
    const take = (): Promise<{ written: number }> =>
      inTransaction(pool, (tx) => takeMembershipsOfRestore(tx, [membership('other', 10)], Date.now()));
    expect((await take()).written).toBe(0);
    await pool.query('UPDATE engagement.memberships SET account = $1, account_at = changed_at', ['another']);
    expect((await take()).written).toBe(1);
  });

  async function erase(...userIds: string[]): Promise<void> {
    const erasure: UserErasedData = {
      erasure_id: 'erasure-1',
      users: userIds.map((userId) => identityDigest(platform, userId).toString('hex')),
      erased_at: erasedAt,
    };
    const place = { topic: 'erasures', partition: 0, position: 'any', nextOffset: 1n } as const;
    await new EraseUsers(pool).apply({ ...place, erasures: [erasure] });
  }

  async function users(): Promise<string[]> {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT user_id || CASE WHEN member THEN ' member' ELSE '' END AS text
       FROM engagement.users LEFT JOIN engagement.memberships USING (user_ref) ORDER BY user_id`,
    );
    return rows.map(({ text }) => text);
  }

  async function removed(): Promise<string[]> {
    const { rows } = await pool.query<{ key: string }>(
      'SELECT key FROM engagement.outbox WHERE data IS NULL ORDER BY key',
    );
    return rows.map(({ key }) => key);
  }
});

function membership(userId: string, changedAt: number): SegmentMembershipData {
  return {
    ...{ platform, user_id: userId, platform_user_id: `sub-of-${userId}`, organizer_id: 'organizer-1' },
    ...{ segment_id: segmentId, segment_version: 1, member: true, changed_at: changedAt, reason: 'event' },
  };
}
