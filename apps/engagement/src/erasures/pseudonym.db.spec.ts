import { AwardTables } from '../../test/award-tables';
import { pseudonymOf } from './pseudonym';

it('gives the name that the database gives, for ids of any text', async () => {
  const tables = await AwardTables.create();
  const ids = ['user-1', '', ' ', 'a:b', "o'brien", 'Jānis', '😀', '\ud83d', '1'.repeat(255)];
  const { rows } = await tables.pool.query<{ name: string }>(
    `SELECT engagement.pseudonym('acme', id) AS name FROM unnest($1::text[]) WITH ORDINALITY AS given (id, at) ORDER BY at`,
    [ids],
  );
  await tables.drop();
  expect(ids.map((id) => pseudonymOf('acme', id))).toEqual(rows.map(({ name }) => name));
});
