import fc from 'fast-check';
import { localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Pool, PoolOptions, createPool } from './pool';
import { preparedBatches } from './prepared-batches';

describe('prepared statements in batches', () => {
  const pools: Pool[] = [];

  afterAll(() => Promise.all(pools.map((pool) => pool.end())));

  function open(options: Partial<PoolOptions> = {}): Pool {
    const parts = { url: localStack().databaseUrl, size: 2, service: 'spec', ...options };
    const pool = createPool(parts, pino({ level: 'silent' }), new Registry());
    pools.push(pool);
    return pool;
  }

  it('return what single queries return, however many are sent at once', async () => {
    const pool = open();
    const db = preparedBatches(pool, 10);
    const texts = [
      'SELECT $1::int AS number, $2::text[] AS texts, $3::bigint AS big, NULL AS nothing',
      'SELECT n AS number, $2::text[] AS texts, $3::bigint::text FROM generate_series(1, $1::int) AS n',
      'SELECT true AS yes, $1::int + 1 AS next, to_json($2::text[]) AS json, $3::bigint AS big',
      'SELECT FROM generate_series(1, $1::int) WHERE $2::text[] IS NOT NULL AND $3::bigint IS NOT NULL',
    ];
    const text = fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.replaceAll('\0', ''));
    const call = fc.record({
      text: fc.constantFrom(...texts),
      values: fc.tuple(fc.integer({ min: 0, max: 30 }), fc.array(text, { maxLength: 4 }), fc.maxSafeInteger()),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40 }), async (calls) => {
        const results = await Promise.all(calls.map(({ text, values }) => db.query(text, values)));
        for (const [index, { text, values }] of calls.entries()) {
          const { rows, rowCount } = await pool.query(text, values);
          expect(results[index]).toEqual({ rows, rowCount });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('use one connection for eight statements of one turn', async () => {
    const pool = open({ size: 5 });
    const db = preparedBatches(pool, 10);
    const pids = async (count: number): Promise<number> => {
      const calls = Array.from({ length: count }, () => db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
      return new Set((await Promise.all(calls)).map(({ rows }) => rows[0].pid)).size;
    };
    expect(await pids(8)).toBe(1);
    expect(await pids(9)).toBe(2);
    expect(pool.totalCount).toBe(2);
  });

  it('fail alone: at the first use, at later ones, and by a time limit', async () => {
    const db = preparedBatches(open({ size: 1, statementTimeoutMs: 200 }), 10);
    const divide = (by: number) => db.query<{ result: number }>('SELECT 12 / $1::int AS result', [by]);
    const outcomes = async (calls: Promise<{ rows: object[] }>[]): Promise<unknown[]> =>
      (await Promise.allSettled(calls)).map((each) =>
        each.status === 'fulfilled' ? each.value.rows[0] : (each.reason as { code: string }).code,
      );
    const expected = ['22012', { result: 4 }, { result: 3 }, '22012', '57014', { result: 2 }, '42P01'];
    for (let turn = 0; turn < 3; turn++)
      expect(
        await outcomes([
          ...[0, 3, 4, 0].map(divide),
          db.query('SELECT pg_sleep(5)'),
          divide(6),
          db.query('SELECT FROM missing'),
        ]),
      ).toEqual(expected);
  });

  it('fail together when their connection is lost, and later ones succeed', async () => {
    const pool = open({ size: 1 });
    const db = preparedBatches(pool, 10);
    const lost = ['SELECT 1 AS one', 'SELECT pg_terminate_backend(pg_backend_pid())', 'SELECT 2 AS two'];
    const outcomes = await Promise.allSettled(lost.map((text) => db.query(text)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('fail when there is no server, and when there are too many texts', async () => {
    const away = preparedBatches(open({ url: 'postgres://nobody@127.0.0.1:1/none' }), 10);
    await expect(away.query('SELECT 1')).rejects.toThrow();
    const few = preparedBatches(open(), 2);
    for (const text of ['SELECT 1', 'SELECT 2', 'SELECT 1']) await few.query(text);
    await expect(few.query('SELECT 3')).rejects.toThrow('more than 2 statements');
  });

  it('have a bounded wait for a server that does not respond', async () => {
    const db = preparedBatches(open({ answerTimeoutMs: 100, statementTimeoutMs: 0 }), 10);
    await expect(db.query('SELECT pg_sleep(3)')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });
});
