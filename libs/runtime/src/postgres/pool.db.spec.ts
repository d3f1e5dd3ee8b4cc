import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { AddressInfo, Socket, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { Registry } from '../metrics';
import { dataSourceOptions } from './data-source';
import { Pool, createPool, queryable } from './pool';
import { inTransaction } from './transactions';

describe('a pool over a server that restarts', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase();
    const options = { url: database.url, size: 2, service: 'test' };
    pool = createPool(options, pino({ level: 'silent' }), new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('fails a transaction whose connection broke between two statements, and nothing else', async () => {
    const db = queryable(pool);
    const transaction = inTransaction(pool, async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await db.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
      await sleep(200);
      await tx.query('SELECT 1');
    });
    await expect(transaction).rejects.toThrow();
    expect((await db.query('SELECT 1')).rowCount).toBe(1);
  });
});

describe('a transaction of which a failed statement was ignored', () => {
  const ignored = /rolled the transaction back/;
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase();
    const options = { url: database.url, size: 1, service: 'test' };
    pool = createPool(options, pino({ level: 'silent' }), new Registry());
    await pool.query('CREATE TABLE kept (id int PRIMARY KEY)');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('is not taken for committed', async () => {
    const transaction = inTransaction(pool, async (tx) => {
      await tx.query('INSERT INTO kept VALUES (1)');
      await tx.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(transaction).rejects.toThrow(ignored);
    expect((await pool.query('SELECT FROM kept')).rowCount).toBe(0);
    await inTransaction(pool, (tx) => tx.query('INSERT INTO kept VALUES (2)'));
    expect((await pool.query('SELECT FROM kept')).rowCount).toBe(1);
  });

  it('is not taken for committed by a callback either', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 / 0').catch(() => undefined);
    const error = await new Promise((resolve) => client.query('COMMIT', resolve));
    client.release();
    expect(error).toMatchObject({ message: expect.stringMatching(ignored) as string });
  });

  it('of entities is not taken for committed', async () => {
    const options = dataSourceOptions({ url: database.url, schema: 'public', entities: [], migrations: [] });
    const entities = await new DataSource(options).initialize();
    const transaction = entities.transaction((manager) => manager.query('SELECT 1 / 0').catch(() => undefined));
    await expect(transaction).rejects.toThrow(ignored);
    await entities.destroy();
  });
});

describe('a pool whose password changes', () => {
  it('uses the current password for new connections, and keeps the open ones', async () => {
    const database = await freshDatabase();
    const admin = createPool(
      { url: database.url, size: 1, service: 'test' },
      pino({ level: 'silent' }),
      new Registry(),
    );
    const role = `rotating_${randomBytes(6).toString('hex')}`;
    const urlWith = (password: string): string => {
      const url = new URL(database.url);
      url.username = role;
      url.password = password;
      return url.href;
    };
    const url = { current: urlWith('first') };
    const pool = createPool({ url, size: 2, service: 'test' }, pino({ level: 'silent' }), new Registry());
    const entities = new DataSource(dataSourceOptions({ url, schema: 'public', entities: [], migrations: [] }));
    try {
      await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'first'`);
      const held = await pool.connect();
      await admin.query(`ALTER ROLE ${role} PASSWORD 'second'`);
      await expect(pool.query('SELECT 1')).rejects.toThrow(/password/);
      await held.query('SELECT 1');
      url.current = urlWith('second');
      expect((await pool.query('SELECT 1')).rowCount).toBe(1);
      held.release();
      url.current = urlWith('wrong');
      await expect(entities.initialize()).rejects.toThrow(/password/);
      url.current = urlWith('second');
      await entities.initialize();
      expect(await entities.query('SELECT current_user::text AS name')).toEqual([{ name: role }]);
    } finally {
      await pool.end();
      if (entities.isInitialized) await entities.destroy();
      await admin.query(`DROP ROLE IF EXISTS ${role}`);
      await admin.end();
      await database.drop();
    }
  });
});

describe('the pools of a service', () => {
  let database: FreshDatabase;
  const registry = new Registry();
  const pools: Pool[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  });

  function open(name: string, own: { statementTimeoutMs?: number; settings?: Record<string, string> }): Pool {
    const options = { url: database.url, size: 1, service: 'test', name, ...own };
    const pool = createPool(options, pino({ level: 'silent' }), registry);
    pools.push(pool);
    return pool;
  }

  it('have separate settings, time limits and metrics', async () => {
    // Also on a busy machine, the other statements end in this time.
    const reads = open('reads', { statementTimeoutMs: 1_000, settings: { enable_seqscan: 'off', jit: 'off' } });
    const changes = open('changes', {});
    const setting = async (pool: Pool, name: string) => {
      const { rows } = await pool.query<{ value: string }>('SELECT current_setting($1) AS value', [name]);
      return rows[0].value;
    };
    expect([await setting(reads, 'enable_seqscan'), await setting(reads, 'jit')]).toEqual(['off', 'off']);
    expect([await setting(changes, 'enable_seqscan'), await setting(changes, 'statement_timeout')]).toEqual([
      'on',
      '20s',
    ]);
    await expect(reads.query('SELECT pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
    await reads.query('SELECT 1');
    const figures = await registry.metrics();
    for (const name of ['reads', 'changes'])
      expect(figures).toContain(`postgres_pool_connections{pool="${name}",state="idle"} 1`);
  });
});

describe('the start of a session', () => {
  it('sends no start-up options that a pooler refuses or drops: a statement applies the settings', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/database`;
    const options = { url, size: 1, service: 'test', statementTimeoutMs: 2_000, settings: { jit: 'off' } };
    const pool = createPool(options, pino({ level: 'silent' }), new Registry());
    const connecting = pool.connect().catch(() => undefined);
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [message] = (await once(socket, 'data')) as [Buffer];
    // Length and protocol version, then names and values, each terminated by NUL.
    const texts = message.subarray(8).toString().split('\0');
    const names = texts.filter((text, at) => at % 2 === 0 && text !== '');
    expect(names.sort()).toEqual(['application_name', 'client_encoding', 'database', 'user']);
    socket.destroy();
    await connecting;
    await pool.end();
    server.close();
  });
});
