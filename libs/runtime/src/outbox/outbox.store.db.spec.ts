import { freshDatabase, FreshDatabase } from '@podium/testing';
import { Pool } from 'pg';
import { queryable } from '../postgres';
import { outboxTableSql, OutboxStore } from './outbox.store';

describe('a page of the outbox', () => {
  const store = new OutboxStore('linkage');
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase();
    pool = new Pool({ connectionString: database.url });
    await pool.query('CREATE SCHEMA linkage');
    await pool.query(outboxTableSql('linkage'));
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  beforeEach(() => pool.query('TRUNCATE linkage.outbox RESTART IDENTITY'));

  /** Rows with so much data; null is a tombstone. */
  async function append(...mebibytes: (number | null)[]): Promise<void> {
    await pool.query(
      `INSERT INTO linkage.outbox (topic, key, type, schema_version, data)
       SELECT 'links', position, CASE WHEN size IS NOT NULL THEN 'link' END, CASE WHEN size IS NOT NULL THEN 1 END,
              repeat('x', size * 1024 * 1024)
       FROM unnest($1::integer[]) WITH ORDINALITY AS given (size, position) ORDER BY position`,
      [mebibytes],
    );
  }

  const page = async (limit: number, ...keys: string[]): Promise<number[]> => {
    const aside = { keys: keys.map((key) => ({ topic: 'links', key })), topics: [] };
    return (await store.page(queryable(pool), limit, aside)).map(({ id }) => id);
  };

  it('has as many of the oldest rows as asked for', async () => {
    await append(null, 0, null, 0);
    expect(await page(3)).toEqual([1, 2, 3]);
  });

  it('ends before its data has much more than 4 MiB, whatever number of rows is asked for', async () => {
    await append(1, 1, null, 1, 1, 1, 1);
    expect(await page(500)).toEqual([1, 2, 3, 4, 5]);
  });

  it('does not count rows that are left out', async () => {
    await append(5, 1, 1);
    expect(await page(500, '1')).toEqual([2, 3]);
  });

  it('has one row at least, however large', async () => {
    await append(20, 0);
    expect(await page(500)).toEqual([1]);
  });
});
