import { FreshDatabase, freshDatabase } from '@podium/testing';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { Registry } from '../metrics';
import { CopyInto, copyLine } from './copy-into';
import { Pool, createPool } from './pool';

describe('copying rows into a table', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase();
    pool = createPool({ url: database.url, size: 2, service: 'test' }, pino({ level: 'silent' }), new Registry());
    await pool.query('CREATE TABLE rows (a text, b text, place int PRIMARY KEY)');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('copies any text unchanged', async () => {
    const text = fc.option(
      fc.oneof(
        fc.string({ unit: 'binary' }).filter((some) => !some.includes('\0') && some.isWellFormed()),
        fc.constantFrom('', '\\N', '\\.', 'a\tb\nc\r\\', '\u0001', '\\\\x41', '\b\f\v', '\u{1F600}'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1 }), async (rows) => {
        await pool.query('TRUNCATE rows');
        expect(await copy(rows.map((row, place) => copyLine([...row, place])))).toBe(rows.length);
        const { rows: stored } = await pool.query<{ a: string; b: string }>('SELECT a, b FROM rows ORDER BY place');
        expect(stored.map(({ a, b }) => [a, b])).toEqual(rows);
      }),
    );
  });

  it('copies more than the buffers hold', async () => {
    await pool.query('TRUNCATE rows');
    const body = 'x'.repeat(100_000);
    const lines = Array.from({ length: 400 }, (_, place) => copyLine([body, null, place]));
    expect(await copy(lines)).toBe(400);
  });

  it("fails with the server's error, and leaves the client usable", async () => {
    await pool.query('TRUNCATE rows');
    const body = 'x'.repeat(100_000);
    const lines = Array.from({ length: 400 }, () => copyLine([body, null, 1]));
    await expect(copy(lines)).rejects.toMatchObject({ code: '23505' });
    await expect(copy([copyLine(['a', 'b', 1])])).resolves.toBe(1);
  });

  it('leaves nothing behind when it is aborted', async () => {
    await pool.query('TRUNCATE rows');
    const client = await pool.connect();
    const target = new CopyInto(client, 'rows (a, b, place)');
    await target.write(copyLine(['a', 'b', 1]));
    await target.abort(new Error('no more'));
    expect((await client.query('SELECT FROM rows')).rowCount).toBe(0);
    client.release();
  });

  async function copy(lines: readonly string[]): Promise<number> {
    const client = await pool.connect();
    try {
      const target = new CopyInto(client, 'rows (a, b, place)');
      for (const line of lines) await target.write(line);
      return await target.end();
    } finally {
      client.release();
    }
  }
});
