import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { changeHistory } from '../../test/change-history';
import { migrations, schema } from '../migrations';
import { holdLiveSet } from '../table-sets/live-table-set.store';
import { otherSet } from '../table-sets/table-set';
import { copyLines, listingPieces } from './copy-lines';
import { beginRebuild } from './rebuilds.store';
import { TableCopy } from './table-copy.store';

/** Bytes of each staging table of the session. */
const sizes = `SELECT pg_relation_size('stage_' || piece)::int AS bytes FROM generate_series(0, ${listingPieces.length - 1}) AS piece ORDER BY piece`;

describe('a load of listings', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, new Registry());
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  }, 60_000);

  it('frees the disk of each staging table before it writes the next one', async () => {
    const begun = await inTransaction(pool, async (tx) => beginRebuild(tx, otherSet(await holdLiveSet(tx)), 'copy'));
    const client = await pool.connect();
    const connecting = jest.spyOn(pool, 'connect').mockImplementationOnce(() => Promise.resolve(client));
    const copy = await TableCopy.open(pool, { ...begun, holds: () => Promise.resolve() }, 'listings');
    connecting.mockRestore();
    const newest = new Map(changeHistory(7, 20).map((change) => [change.key, change]));
    await copy.write(copyLines([...newest.values()]).listings);

    /** Before each write of a staged part: the staging tables that have rows. */
    const staged: number[][] = [];
    const query = client.query.bind(client) as (text: string) => Promise<{ rows: { bytes: number }[] }>;
    jest.spyOn(client, 'query').mockImplementation((async (text: string, ...values: []) => {
      if (text.startsWith('INSERT INTO')) {
        const { rows } = await query(sizes);
        staged.push(rows.flatMap(({ bytes }, piece) => (bytes > 0 ? [piece] : [])));
      }
      return query(text, ...values);
    }) as typeof client.query);
    const count = await copy.finish();

    const [filled] = staged;
    expect([count > 0, filled.length > 5, staged.length]).toEqual([true, true, listingPieces.length]);
    expect(staged).toEqual(listingPieces.map((_range, next) => filled.filter((piece) => piece >= next)));
    const { rows } = await pool.query(`SELECT count(*)::int AS rows FROM ${begun.tables.listings}`);
    expect(rows).toEqual([{ rows: count }]);
  });
});
