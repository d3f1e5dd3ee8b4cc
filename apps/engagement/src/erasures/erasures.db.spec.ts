import { LinkData, UserErasedData, UserEventData, identityDigest, recordKey } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable, readTimeline } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { EarlierTables } from '@podium/testing/earlier-tables';
import { userEvent } from '@podium/testing/user-event';
import { applyBatch } from '../applying/apply-batch';
import { ApplyParts } from '../applying/apply-parts';
import { deposits, segmentOf, sourceOf, taskOf } from '../../test/given-definitions';
import { EngineDefinition } from '../evaluation/definition';
import { applyLinks } from '../link-view/apply-links';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { EraseUsers } from './erase-users';
import { ErasureGate, ErasuresUnreadError } from './erasure-gate';

const platform = 'acme';
const nowS = Math.floor(Date.now() / 1000);
/** Links of the first life are older, of the second younger. */
const erasedAt = nowS - 100;
const [before, after] = [erasedAt - 1, erasedAt];

const first = { window: { lifetime: true }, op: 'gte', value: '1' } as const;
const task = taskOf('00000000-0000-4000-8000-000000000001', {
  goal: { count: deposits, ...first },
  repeat: { every: '1' },
  max_per_user: 1_000,
});
const segment = segmentOf('00000000-0000-4000-8000-000000000002', { count: deposits, ...first });
const quiet = segmentOf('00000000-0000-4000-8000-000000000003', { not: { count: deposits, ...first } });
const unknown = { definitionId: '00000000-0000-4000-8000-000000000004' };

const place = { topic: 'test', partition: 0, position: 'any', nextOffset: 1n } as const;

describe('an erasure', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let parts: ApplyParts;
  let offset = 0n;
  let revision = 0;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
    for (const { definitionId, kind } of [task, segment, quiet])
      await pool.query(
        `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
           attribute_types, state, created_by, created_at, published_at, counts_from)
         VALUES ($1, 1, 1, $2, $3, 'organizer-1', 'named', '{}', '{}', 'published', 'spec', now(), now(), now())`,
        [definitionId, kind, platform],
      );
    const source = sourceOf([task, segment, quiet], readSharedEpoch);
    parts = new ApplyParts(pool, new LiveDefinitions(source));
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('deletes everything but the award, which gets pseudonyms, and publishes ended memberships', async () => {
    await link('ann', before);
    await events('ann', before, 'a-1', 'a-2');
    await events('bob', before, 'b-1');
    const told = await lastOutbox();
    await erase('ann');

    expect(await idsIn('ann')).toEqual([]);
    expect(await idsIn('bob')).toEqual(['award_evidence', 'awards', 'events', 'users']);
    expect(await awards()).toEqual([
      { user_id: pseudonym('ann'), platform_user_id: pseudonym('sub-of-ann'), awards: 2 },
      { user_id: 'bob', platform_user_id: 'sub-of-bob', awards: 1 },
    ]);
    // Of the segment left before only the tombstone, of the other one first that it is left.
    expect(await toldSince(told)).toEqual([
      { key: keyOf('ann', segment), member: false },
      { key: keyOf('ann', segment), member: null },
      { key: keyOf('ann', quiet), member: null },
    ]);
  });

  it('removes memberships of unknown segments and versions from their topic, which a restore has stored', async () => {
    await pool.query(`INSERT INTO engagement.users (platform, user_id) VALUES ($1, 'kim')`, [platform]);
    await pool.query(
      `INSERT INTO engagement.memberships (user_ref, segment_id, segment_version, member, changed_at, reason)
       SELECT user_ref, segment_id::uuid, version, member, 1, 'definition'
       FROM engagement.users, (VALUES ($1, 1, false), ($2, 9, true)) AS told (segment_id, version, member)
       WHERE user_id = 'kim'`,
      [unknown.definitionId, quiet.definitionId],
    );
    const told = await lastOutbox();
    await erase('kim');
    expect(await toldSince(told)).toEqual([
      { key: keyOf('kim', quiet), member: false },
      { key: keyOf('kim', quiet), member: null },
      { key: keyOf('kim', unknown), member: null },
    ]);
  });

  it('ignores earlier events and links in any order of arrival, and records them in the inbox', async () => {
    await erase('cid');
    const applied = await events('cid', before, 'c-1', 'c-2');
    expect(applied).toMatchObject({ isNew: [true, true], isErased: [true, true], awards: [], changes: [] });
    expect(await events('cid', before, 'c-1')).toMatchObject({ isNew: [false], isErased: [true] });
    await link('cid', before);
    expect(await idsIn('cid')).toEqual([]);
    // A late record must not unlink the account's next user.
    await link('dan', after, 'sub-of-cid');
    await link('cid', before);
    expect(await idsIn('dan')).toContain('links');
  });

  it('keeps what belongs to a later link, also when the erasure is repeated', async () => {
    await events('eve', before, 'e-1');
    await erase('eve');
    await link('eve', after);
    expect(await events('eve', after, 'e-2')).toMatchObject({ isNew: [true], isErased: [false] });
    await erase('eve');
    expect(await idsIn('eve')).toEqual(expect.arrayContaining(['events', 'links', 'users']));
    // The first occurrence was paid in the first life.
    expect((await awards()).filter(({ user_id }) => [pseudonym('eve'), 'eve'].includes(user_id))).toMatchObject([
      { user_id: pseudonym('eve'), awards: 1 },
    ]);
    expect((await events('eve', after, 'e-3')).awards).toHaveLength(1);
  });

  it('leaves a partner account paid, whichever user it is linked to next', async () => {
    await events('fay', before, 'f-1');
    await erase('fay');
    const next = { ...event('gus', after, 'g-1'), platform_user_id: 'sub-of-fay' };
    expect((await apply([next])).awards).toEqual([]);
    expect((await apply([{ ...event('gus', after, 'g-2'), platform_user_id: 'sub-of-fay' }])).awards).toHaveLength(1);
  });

  it('waits for a running batch and erases what it wrote', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await readSharedEpoch(queryable(client));
    await client.query(`INSERT INTO engagement.users (platform, user_id) VALUES ($1, 'hal')`, [platform]);
    let isDone = false;
    const erased = erase('hal').then(() => (isDone = true));
    await until(async () => {
      const { rowCount } = await pool.query(
        `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
         WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
      );
      return rowCount === 1;
    });
    expect(isDone).toBe(false);
    await client.query('COMMIT');
    client.release();
    await erased;
    expect(await idsIn('hal')).toEqual([]);
  });

  it('waits until the ledger is repaired after a failover, because its entries would restore the names', async () => {
    await pool.query(`INSERT INTO engagement.users (platform, user_id) VALUES ($1, 'ivo')`, [platform]);
    const { rows } = await pool.query<{ timeline: string }>('SELECT timeline FROM engagement.outbox_timeline');
    await pool.query(`UPDATE engagement.outbox_timeline SET timeline = '00000000'`);
    await expect(erase('ivo')).rejects.toMatchObject({ code: '57PT1' });
    expect(await idsIn('ivo')).not.toEqual([]);
    await pool.query('UPDATE engagement.outbox_timeline SET timeline = $1', [rows[0].timeline]);
    await erase('ivo');
    expect(await idsIn('ivo')).toEqual([]);
  });

  it('holds events and links back until all erasures from before the start are read', async () => {
    const closed = gatedOn(() => false);
    await expect(applyBatch(closed, { ...place, events: [] })).rejects.toThrow(ErasuresUnreadError);
    await expect(applyLinks(closed, { ...place, erased: [], links: [] })).rejects.toThrow(ErasuresUnreadError);
  });

  it('holds events back while Postgres has lost it, so that it is not applied after a later link', async () => {
    const gated = gatedOn((timeline) => timeline === caughtUpOn);
    let caughtUpOn = await readTimeline(queryable(pool));
    const applyTo = (id: string): Promise<unknown> =>
      applyBatch(gated, { ...place, topic: 'gated-events', events: [{ data: event('jan', after, id) }] });
    const erasedAs = (nextOffset: bigint): Promise<void> => erase('jan', { topic: 'gated', nextOffset });
    const promoted = caughtUpOn;
    await applyTo('j-0');
    const earlier = new EarlierTables(pool, schema, ['erasures', 'positions']);
    await earlier.keep();
    await erasedAs(5n);
    await applyTo('j-1');
    // A promotion takes the erasure back; the table was known to be complete on the timeline before.
    await earlier.goBack();
    caughtUpOn = '00000000';
    await expect(applyTo('j-2')).rejects.toThrow(ErasuresUnreadError);
    await erasedAs(5n);
    caughtUpOn = promoted;
    await applyTo('j-2');
    expect(await idsIn('jan')).toContain('events');
  });

  it('is the only way to replace names of an award, and only by their pseudonyms', async () => {
    await events('ida', before, 'i-1');
    for (const change of [`user_id = 'erased:me'`, `user_id = 'ida2', platform_user_id = 'x'`, `occurrence = 'g2'`])
      await expect(pool.query(`UPDATE engagement.awards SET ${change} WHERE user_id = 'ida'`)).rejects.toThrow(
        'an erasure alone',
      );
  });

  function gatedOn(isPassedOn: (timeline: string) => boolean): ApplyParts {
    return new ApplyParts(pool, parts.definitions, Date.now, undefined, new ErasureGate({ isPassedOn }));
  }

  async function readSharedEpoch(tx: { query(text: string): Promise<unknown> }): Promise<number> {
    await tx.query('SELECT pg_advisory_xact_lock_shared(7243101)');
    return 1;
  }

  function event(userId: string, linkedAt: number, id: string): UserEventData {
    return { ...userEvent({ id, createdAt: nowS - 50, userId, platform }), linked_at: linkedAt };
  }

  async function apply(data: UserEventData[]): ReturnType<typeof applyBatch> {
    offset += BigInt(data.length);
    return applyBatch(parts, { ...place, nextOffset: offset, events: data.map((each) => ({ data: each })) });
  }

  function events(userId: string, linkedAt: number, ...ids: string[]): ReturnType<typeof applyBatch> {
    return apply(ids.map((id) => event(userId, linkedAt, id)));
  }

  async function link(userId: string, linkedAt: number, sub = `sub-of-${userId}`): Promise<void> {
    const data: LinkData = {
      link_id: `link-of-${userId}`,
      integration_id: 'integration-1',
      platform,
      platform_user_id: sub,
      user_id: userId,
      organizer_id: 'organizer-1',
      state: 'ready',
      linked_at: linkedAt,
    };
    revision++;
    await applyLinks(parts, { ...place, topic: 'links', erased: [], links: [{ revision, data }] });
  }

  async function erase(userId: string, at: { topic?: string; nextOffset?: bigint } = {}): Promise<void> {
    const erasure: UserErasedData = {
      erasure_id: `erasure-of-${userId}`,
      users: ['other', platform].map((each) => identityDigest(each, userId).toString('hex')),
      erased_at: erasedAt,
    };
    await new EraseUsers(pool).apply({ ...place, topic: 'erasures', ...at, erasures: [erasure] });
  }

  /** Tables, but for what leaves, that still name a user or the user's account. */
  async function idsIn(userId: string): Promise<string[]> {
    const { rows: tables } = await pool.query<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'engagement' AND tablename <> 'outbox' ORDER BY tablename`,
    );
    const found: string[] = [];
    for (const { tablename } of tables) {
      const { rowCount } = await pool.query(
        `SELECT 1 FROM engagement.${tablename} AS each WHERE position($1 IN each::text) > 0 LIMIT 1`,
        [userId],
      );
      if (rowCount) found.push(tablename);
    }
    return found;
  }

  async function awards(): Promise<{ user_id: string; platform_user_id: string; awards: number }[]> {
    const { rows } = await pool.query<{ user_id: string; platform_user_id: string; awards: number }>(
      `SELECT user_id, platform_user_id, count(*) AS awards FROM engagement.awards GROUP BY 1, 2 ORDER BY min(number)`,
    );
    return rows;
  }

  async function lastOutbox(): Promise<number> {
    const { rows } = await pool.query<{ id: number }>('SELECT max(id) AS id FROM engagement.outbox');
    return rows[0].id;
  }

  /** The published changes of memberships after an outbox row; `member` is null for a tombstone. */
  async function toldSince(id: number): Promise<{ key: string; member: boolean | null }[]> {
    const { rows } = await pool.query<{ key: string; data: string | null }>(
      'SELECT key, data FROM engagement.outbox WHERE id > $1 ORDER BY id',
      [id],
    );
    return rows.map(({ key, data }) => ({
      key,
      member: data === null ? null : (JSON.parse(data) as { member: boolean }).member,
    }));
  }
});

function keyOf(userId: string, { definitionId }: Pick<EngineDefinition, 'definitionId'>): string {
  return recordKey(platform, userId, definitionId);
}

/** As Postgres writes the uuid. */
function pseudonym(id: string): string {
  const hex = identityDigest(platform, id).toString('hex');
  return `erased:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 10_000; !(await condition()); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > endMs) throw new Error('waited in vain');
}
