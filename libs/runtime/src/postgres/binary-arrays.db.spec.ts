import fc from 'fast-check';
import { localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { withBinaryArrays } from './binary-arrays';
import { Pool, createPool, queryable } from './pool';

const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<(T | null)[]> =>
  fc.array(fc.option(value), { maxLength: 60 });
/** Postgres stores every character but U+0000. */
const texts = fc.string({ unit: 'binary', maxLength: 60 }).map((value) => value.replaceAll('\0', ''));

const kinds: readonly [cast: string, values: fc.Arbitrary<readonly unknown[]>][] = [
  ['text', nullable(texts)],
  ['jsonb', nullable(fc.json().filter((value) => !value.includes('\\u0000')))],
  ['bytea', nullable(fc.uint8Array().map((value) => Buffer.from(value)))],
  ['bigint', nullable(fc.maxSafeInteger())],
  ['int', nullable(fc.integer())],
  ['integer', nullable(fc.integer())],
  ['uuid', nullable(fc.uuid())],
  ['boolean', nullable(fc.boolean())],
  ['timestamptz', nullable(fc.constantFrom('2026-11-01T00:00:00Z', 'infinity'))],
];

describe('arrays in the binary form', () => {
  let pool: Pool;

  beforeAll(() => {
    const options = { url: localStack().databaseUrl, size: 1, service: 'spec' };
    pool = createPool(options, pino({ level: 'silent' }), new Registry());
  });
  afterAll(() => pool.end());

  it.each(kinds)('of %s are what the server reads from the text form', async (cast, values) => {
    const statement = `SELECT $1::${cast}[]::text AS given, cardinality($1::${cast}[]) AS length`;
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const binary = await queryable(pool).query(statement, [given]);
        const { rows } = await pool.query(statement, [given]);
        expect(binary.rows).toEqual(rows);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['SELECT $1::text[]', ['a'], true],
    ['SELECT $1::text[], cardinality($1::text[])', ['a'], true],
    ['SELECT $1::text[], $1', ['a'], false],
    ['SELECT FROM links WHERE id = ANY ($1) AND $1::text[] IS NOT NULL', ['a'], false],
    ['SELECT $1::text[], $1::jsonb', ['a'], false],
    ['SELECT $1::numeric[]', ['1.5'], false],
    ['SELECT $1', ['a'], false],
    ['SELECT $1::int[]', [2 ** 31], false],
    ['SELECT $1::bigint[]', ['1'], false],
    ['SELECT $1::uuid[]', ['no uuid'], false],
    ['SELECT $1::text[]', [['nested']], false],
  ])('%s with %j: %s', (statement, value, isBinary) => {
    const [given] = withBinaryArrays(statement, [value]);
    expect(Buffer.isBuffer(given)).toBe(isBinary);
    if (!isBinary) expect(given).toBe(value);
  });

  it('have no type but that of the use that the server parses first', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    const statement = `SELECT cardinality($1::text[]) AS length
      FROM (VALUES ('${id}'::uuid)) AS given (id) JOIN (VALUES (1)) AS other (one) ON given.id = ANY ($1)`;
    const { rows } = await queryable(pool).query(statement, [[id]]);
    expect(rows).toEqual([{ length: 1 }]);
  });

  it('leave it to the server to refuse an element', async () => {
    const db = queryable(pool);
    await expect(db.query('SELECT $1::uuid[]', [['no uuid']])).rejects.toMatchObject({ code: '22P02' });
    await expect(db.query('SELECT $1::int[]', [[2 ** 31]])).rejects.toMatchObject({ code: '22003' });
    await expect(db.query('SELECT $1::text[]', [['a\0b']])).rejects.toMatchObject({ code: '22021' });
  });
});
