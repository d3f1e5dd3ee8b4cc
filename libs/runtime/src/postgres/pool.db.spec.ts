import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { Registry } from '../metrics';
import { Pool, createPool, inTransaction, queryable } from './pool';

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
