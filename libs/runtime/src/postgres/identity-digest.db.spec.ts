import { identityDigest } from '@podium/messages';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import * as fc from 'fast-check';
import { Pool } from 'pg';
import { identityDigestFunctionSql } from './identity-digest';

describe('identity_digest of a schema', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase();
    pool = new Pool({ connectionString: database.url, max: 1 });
    await pool.query(identityDigestFunctionSql('public'));
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('computes the same digests as the TypeScript code', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed());
    const pairs = fc.sample(fc.tuple(text, text), 300);
    pairs.push(['a:b', 'c'], ['a', 'b:c'], ['', ''], ['ключ', '🙂']);
    const { rows } = await pool.query<{ digest: string }>(
      `SELECT identity_digest(scope, name) AS digest
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (scope, name, place) ORDER BY place`,
      [pairs.map(([scope]) => scope), pairs.map(([, name]) => name)],
    );
    expect(rows.map(({ digest }) => digest.replaceAll('-', ''))).toEqual(
      pairs.map(([scope, name]) => identityDigest(scope, name).toString('hex')),
    );
  });
});
