import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlackHole, FreshDatabase, freshDatabase, keepAliveOf } from '@podium/testing';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { Registry } from '../metrics';
import { dataSourceOptions } from './data-source';
import { HeldSession } from './held-session';
import { isPostgresAway } from './is-postgres-away';
import { Pool, PoolOptions, createPool, queryable } from './pool';
import { Queryable } from './queryable';
import { inTransaction } from './transactions';

const logger = pino({ level: 'silent' });
const onLinux = process.platform === 'linux' ? it : it.skip;

/** Longer than any of these tests needs, shorter than the wait for a vanished peer without these bounds. */
const soonMs = 15_000;

describe('Postgres whose node has vanished without closing its connections', () => {
  let database: FreshDatabase;
  let way: BlackHole;
  const pools: Pool[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
  });
  beforeEach(async () => {
    way = await BlackHole.before(database.url);
  });
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
    await way.close();
  });
  afterAll(() => database.drop());

  function open(options: Partial<PoolOptions> = {}): Pool {
    const parts = { url: way.urlOf(database.url), size: 1, service: 'spec', answerTimeoutMs: 500, ...options };
    const pool = createPool(parts, logger, new Registry());
    pools.push(pool);
    return pool;
  }

  it('fails a transaction, not the pool', async () => {
    const pool = open();
    await pool.query('SELECT 1');
    const startedMs = performance.now();
    const error: unknown = await inTransaction(pool, async (tx) => {
      await tx.query('SELECT 1');
      way.strand();
      await tx.query('SELECT 1');
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ETIMEDOUT' });
    expect(isPostgresAway(error)).toBe(true);
    expect((await pool.query('SELECT 1')).rowCount).toBe(1);
    expect(performance.now() - startedMs).toBeLessThan(soonMs);
    expect(pool.totalCount).toBe(1);
  });

  it('fails a query of the pool, and delays those that wait behind it', async () => {
    const pool = open();
    await pool.query('SELECT 1');
    way.strand();
    const answers = await Promise.allSettled([pool.query('SELECT 1'), pool.query('SELECT 2 AS n')]);
    expect(answers).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }]);
  });

  it('fails a transaction of entities', async () => {
    const url = way.urlOf(database.url);
    const parts = { url, schema: 'public', entities: [], migrations: [], poolSize: 1, answerTimeoutMs: 500 };
    const source = await new DataSource(dataSourceOptions(parts)).initialize();
    try {
      const transaction = source.transaction(async (manager) => {
        await manager.query('SELECT 1');
        way.strand();
        await manager.query('SELECT 1');
      });
      await expect(transaction).rejects.toThrow(/has not responded/);
      expect(await source.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      await source.destroy();
    }
  });

  it("does not interrupt the server's work on one statement after the other", async () => {
    const pool = open({ answerTimeoutMs: 1_500 });
    await inTransaction(pool, async (tx) => {
      const slow = [1, 2, 3].map(() => tx.query('SELECT pg_sleep(1)'));
      expect((await Promise.all(slow)).map(({ rowCount }) => rowCount)).toEqual([1, 1, 1]);
    });
    expect((await open({ answerTimeoutMs: 0 }).query('SELECT pg_sleep(1)')).rowCount).toBe(1);
  });

  it('is left when it has become a standby, which responds but accepts no writes', async () => {
    const pool = open();
    await pool.query('CREATE TABLE IF NOT EXISTS notes (note text)');
    await pool.query('SET default_transaction_read_only = on');
    const write = () => inTransaction(pool, (tx) => tx.query(`INSERT INTO notes VALUES ('x')`));
    const error: unknown = await write().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: '25006' });
    expect(isPostgresAway(error)).toBe(true);
    expect((await write()).rowCount).toBe(1);
  });

  it('is left when it has become a standby that is only read: it does not say its timeline', async () => {
    const pool = open();
    const sessionOf = async (db: Queryable): Promise<unknown> =>
      (await db.query('SELECT pg_backend_pid() AS session')).rows[0].session;
    let session: unknown;
    const read = inTransaction(pool, async (tx) => {
      session = await sessionOf(tx);
      await tx.query(`DO $$ BEGIN RAISE 'recovery is in progress' USING ERRCODE = '55000'; END $$`);
    });
    await expect(read).rejects.toMatchObject({ code: '55000' });
    expect(await sessionOf(queryable(pool))).not.toBe(session);
  });

  it('releases the locks of its client: an abandoned transaction ends', async () => {
    const pool = open({ settings: { idle_in_transaction_session_timeout: '500' } });
    await pool.query('CREATE TABLE IF NOT EXISTS notes (note text)');
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE notes');
    way.strand();
    await inTransaction(open({ url: database.url, answerTimeoutMs: soonMs }), (tx) => tx.query('LOCK TABLE notes'));
    client.release(true);
  });

  onLinux('is asked whether it is there, and asks, as the sockets and the session say', async () => {
    const pool = open({ url: database.url });
    const client = await pool.connect();
    const { rows } = await client.query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings
       WHERE name ~ '^tcp_' OR name = ANY ($1) ORDER BY name`,
      [['client_connection_check_interval', 'idle_in_transaction_session_timeout', 'statement_timeout']],
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      client_connection_check_interval: '5000',
      idle_in_transaction_session_timeout: '20000',
      statement_timeout: '20000',
      tcp_keepalives_count: '3',
      tcp_keepalives_idle: '5',
      tcp_keepalives_interval: '5',
      tcp_user_timeout: '20000',
    });
    const { localPort = 0, remotePort = 0 } = client.connection.stream as Socket;
    for (const end of [
      { localPort, remotePort },
      { localPort: remotePort, remotePort: localPort },
    ])
      expect(await keepAliveOf(end)).toBeLessThanOrEqual(5.1);
    client.release();
  });
});

describe('a session that holds a lock', () => {
  let database: FreshDatabase;
  let way: BlackHole;
  let pool: Pool;
  let other: Pool;

  beforeAll(async () => {
    database = await freshDatabase();
    way = await BlackHole.before(database.url);
    pool = createPool({ url: way.urlOf(database.url), size: 4, service: 'spec' }, logger, new Registry());
    other = createPool({ url: database.url, size: 4, service: 'spec' }, logger, new Registry());
  });
  afterAll(async () => {
    await Promise.all([pool.end(), other.end()]);
    await way.close();
    await database.drop();
  });

  async function hold(from: Pool): Promise<HeldSession> {
    const client = await from.connect();
    const times = { heartbeatMs: 100, idleTimeoutMs: 500, answerTimeoutMs: 300 };
    return HeldSession.hold(client, { ...times, logger, close: () => client.release(true) });
  }

  const tryLock = async (session: HeldSession, key: number): Promise<boolean> =>
    (await session.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [key])).rows[0].taken;

  it('keeps it while it lives, even when idle', async () => {
    const [holder, follower] = [await hold(pool), await hold(other)];
    expect(await tryLock(holder, 1)).toBe(true);
    await sleep(1_500);
    expect(await tryLock(follower, 1)).toBe(false);
    expect(holder.lost.aborted).toBe(false);
    holder.release();
    for (const endMs = Date.now() + soonMs; !(await tryLock(follower, 1)); await sleep(20))
      expect(Date.now()).toBeLessThan(endMs);
    follower.release();
  });

  it('loses it soon after its network path is gone, and notices', async () => {
    const [holder, follower] = [await hold(pool), await hold(other)];
    expect(await tryLock(holder, 2)).toBe(true);
    way.strand();
    for (const endMs = Date.now() + soonMs; !(await tryLock(follower, 2)); await sleep(20))
      expect(Date.now()).toBeLessThan(endMs);
    for (const endMs = Date.now() + soonMs; !holder.lost.aborted; await sleep(20))
      expect(Date.now()).toBeLessThan(endMs);
    await expect(holder.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    follower.release();
  });

  it('loses it when the server ends the session', async () => {
    const holder = await hold(other);
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await other.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
    for (const endMs = Date.now() + soonMs; !holder.lost.aborted; await sleep(20))
      expect(Date.now()).toBeLessThan(endMs);
  });
});
