import { localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createPool } from './pool';
import { inTransaction } from './transactions';

const logger = pino({ level: 'silent' });

async function value(registry: Registry, line: string): Promise<number> {
  const found = (await registry.metrics()).split('\n').find((row) => row.startsWith(`${line} `));
  return Number(found?.split(' ').at(-1) ?? NaN);
}

describe('metrics of a pool', () => {
  it('record how long callers wait for a connection, by every way to request one', async () => {
    const registry = new Registry();
    const pool = createPool({ url: localStack().databaseUrl, size: 1, service: 'spec', name: 'one' }, logger, registry);
    try {
      const client = await pool.connect();
      const waiting = pool.query('SELECT 1');
      await new Promise((resolve) => setTimeout(resolve, 120));
      client.release();
      await waiting;
      await inTransaction(pool, (tx) => tx.query('SELECT 1'));
      expect(await value(registry, 'postgres_pool_wait_seconds_count{pool="one"}')).toBe(3);
      expect(await value(registry, 'postgres_pool_wait_seconds_sum{pool="one"}')).toBeGreaterThan(0.1);
      expect(await value(registry, 'postgres_pool_connect_failures_total{pool="one"}')).toBe(0);
    } finally {
      await pool.end();
    }
  });

  it('count callers that got none', async () => {
    const registry = new Registry();
    const pool = createPool({ url: 'postgres://nobody@127.0.0.1:1/none', size: 1, service: 'spec' }, logger, registry);
    await expect(pool.query('SELECT 1')).rejects.toThrow();
    await expect(inTransaction(pool, (tx) => tx.query('SELECT 1'))).rejects.toThrow();
    expect(await value(registry, 'postgres_pool_connect_failures_total{pool="main"}')).toBe(2);
    expect(await value(registry, 'postgres_pool_wait_seconds_count{pool="main"}')).toBe(0);
    await pool.end();
  });
});
