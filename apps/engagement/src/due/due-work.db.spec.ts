import { PeriodicTask } from '@podium/runtime/app';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { UserErasedData, identityDigest } from '@podium/messages';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { ApplyParts } from '../applying/apply-parts';
import { backgroundWork } from '../background/background-work';
import { holdEpoch } from '../definitions/epoch.store';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { EraseUsers } from '../erasures/erase-users';
import { deposits, segmentOf, sourceOf } from '../../test/given-definitions';
import { lockUsers } from '../users/users.store';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { settleDue } from './settle-due';
import { sweepDefinitions } from './sweep-definitions';

const platform = 'acme';
const nowS = Math.floor(Date.now() / 1000);
const segment = segmentOf('00000000-0000-4000-8000-000000000001', {
  not: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' },
});

// Slowed statements take seconds in any case, and many times as long on a busy machine.
jest.setTimeout(120_000);

describe('background work of engagement', () => {
  const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
  let database: FreshDatabase;
  let pool: Pool;
  let impatient: Pool;
  let work: PeriodicTask[] = [];

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 8, service: 'test' }, logger, new Registry());
    const options = { url: database.url, size: 6, service: 'test', statementTimeoutMs: 1_000 };
    impatient = createPool(options, logger, new Registry());
    await pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_at, counts_from)
       VALUES ($1, 1, 1, 'segment', $2, 'organizer-1', 'named', '{}', '{}', 'published', 'spec', now(), now(), now())`,
      [segment.definitionId, platform],
    );
  });
  afterEach(async () => {
    await Promise.all(work.map((each) => each.stop()));
    work = [];
    await pool.query(`DROP FUNCTION IF EXISTS engagement.pause_point CASCADE`);
    await pool.query(`TRUNCATE engagement.users, engagement.links, engagement.due_times, engagement.memberships,
      engagement.definition_sweeps, engagement.erasures, engagement.outbox`);
  });
  afterAll(async () => {
    await pool.end();
    await impatient.end();
    await database.drop();
  });

  it('evaluates fewer users at once when a round exceeds the statement timeout, and sets aside a user who always fails', async () => {
    await addUsers(150, 'user');
    await addUsers(1, 'stuck');
    await slowDown('memberships', `CASE WHEN NEW.user_ref = ${await refOf('stuck-0')} THEN 60 ELSE 0.02 END`);
    await makeDue();
    begin(impatient);
    await until(async () => (await count('memberships')) === 150, 'all others are settled');
    expect(await count('due_times')).toBe(1);
  });

  it('sweeps fewer users at once when a sweep exceeds the statement timeout', async () => {
    await addUsers(150, 'user');
    await slowDown('due_times', '0.02');
    begin(impatient);
    await until(async () => (await count('memberships')) === 150, 'the version is with all users');
  });

  it('leaves nothing of a user who is erased during a sweep', async () => {
    await addUsers(3, 'user');
    const keeper = await pool.connect();
    await keeper.query('SELECT pg_advisory_lock(42)');
    await pool.query(`
      CREATE FUNCTION engagement.pause_point() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NEW; END $$;
      CREATE TRIGGER pause_point BEFORE INSERT ON engagement.due_times
        FOR EACH STATEMENT EXECUTE FUNCTION engagement.pause_point()`);
    const swept = sweepDefinitions(partsOf(pool), 10);
    await until(async () => (await waitingLocks()) === 1, 'the sweep is in the middle of its work');
    const erased = erase('user-1');
    await Promise.race([erased, until(async () => (await waitingLocks()) === 2, 'the erasure waits')]);
    await keeper.query('SELECT pg_advisory_unlock(42)');
    keeper.release();
    await Promise.all([swept, erased]);
    const { rows } = await pool.query(
      `SELECT user_ref FROM engagement.due_times WHERE NOT EXISTS (
         SELECT FROM engagement.users WHERE users.user_ref = due_times.user_ref)`,
    );
    expect(rows).toEqual([]);
  });

  it('deletes orphaned due times, so that they do not block other users', async () => {
    await pool.query(`INSERT INTO engagement.due_times (user_ref, definition_id, due_at) VALUES (-1, $1, 0)`, [
      segment.definitionId,
    ]);
    await addUsers(1, 'user');
    await makeDue();
    await settleDue(partsOf(pool), 1);
    expect((await settleDue(partsOf(pool), 1)).settled).toBe(1);
    expect(await count('due_times')).toBe(0);
  });

  it('deletes due times of definitions that ended before the lateness horizon', async () => {
    const ended = async (id: string, days: number): Promise<void> => {
      await pool.query(
        `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
           attribute_types, state, created_by, created_at, published_at, counts_from, ended_at)
         VALUES ($1, 1, 1, 'task', $2, 'organizer-1', 'named', '{}', '{}', 'ended', 'spec', now(), now(), now(),
           now() - make_interval(days => $3))`,
        [id, platform, days],
      );
      await pool.query(`INSERT INTO engagement.due_times (user_ref, definition_id, due_at) VALUES (1, $1, $2)`, [
        id,
        nowS + 1_000,
      ]);
    };
    await ended('00000000-0000-4000-8000-000000000041', 57);
    await ended('00000000-0000-4000-8000-000000000042', 55);
    begin(pool);
    await until(async () => (await count('due_times')) === 1, 'the older one is gone');
    const { rows } = await pool.query(`SELECT definition_id FROM engagement.due_times`);
    expect(rows).toEqual([{ definition_id: '00000000-0000-4000-8000-000000000042' }]);
  });

  function partsOf(own: Pool): ApplyParts {
    return new ApplyParts(own, new LiveDefinitions(sourceOf([segment], holdEpoch)));
  }

  function begin(own: Pool): void {
    const metrics = new EngagementMetrics(new Registry());
    const given = { parts: partsOf(own), db: queryable(own), metrics, logger };
    work = backgroundWork(given, { duePollMs: 20, retentionPollMs: 60_000 });
    for (const each of work) each.start();
  }

  async function addUsers(users: number, name: string): Promise<void> {
    const keys = Array.from({ length: users }, (_, index) => ({ platform, userId: `${name}-${index}` }));
    await inTransaction(pool, (tx) => lockUsers(tx, keys));
    await pool.query(
      `INSERT INTO engagement.links (platform, platform_user_id, user_id, link_id, integration_id, organizer_id, state,
         linked_at, revision)
       SELECT $1, 'sub-of-' || name, name, name, 'i', 'o', 'ready', 1, 1 FROM unnest($2::text[]) AS name`,
      [platform, keys.map(({ userId }) => userId)],
    );
  }

  async function makeDue(): Promise<void> {
    await pool.query(
      `INSERT INTO engagement.due_times (user_ref, definition_id, due_at) SELECT user_ref, $1, $2 FROM engagement.users`,
      [segment.definitionId, nowS - 10],
    );
    await pool.query(
      `INSERT INTO engagement.definition_sweeps (definition_id, version, after_user_ref, finished_at) VALUES ($1, 1, 0, now())`,
      [segment.definitionId],
    );
  }

  /** Makes each insert into a table take `seconds`. */
  async function slowDown(table: string, seconds: string): Promise<void> {
    await pool.query(`
      CREATE FUNCTION engagement.pause_point() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END $$;
      CREATE TRIGGER pause_point BEFORE INSERT ON engagement.${table}
        FOR EACH ROW EXECUTE FUNCTION engagement.pause_point()`);
  }

  async function erase(userId: string): Promise<void> {
    const users = [identityDigest(platform, userId).toString('hex')];
    const erasure: UserErasedData = { erasure_id: `erasure-of-${userId}`, users, erased_at: nowS };
    const place = { topic: 'erasures', partition: 0, position: 'any', nextOffset: 1n } as const;
    await new EraseUsers(pool).apply({ ...place, erasures: [erasure] });
  }

  async function refOf(userId: string): Promise<number> {
    const { rows } = await pool.query<{ user_ref: number }>(
      'SELECT user_ref FROM engagement.users WHERE user_id = $1',
      [userId],
    );
    return rows[0].user_ref;
  }

  async function count(table: string): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*) FROM engagement.${table}`);
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

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + 60_000; !(await condition()); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}
