import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { migrations } from '../migrations';
import { applyToLiveSet } from '../projection/live-projector';
import { readTableSetVersion } from './table-set-version.queries';
import { schema, tablesOf } from './table-set';

describe('the version of a table set', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 1, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const version = (): Promise<string> => readTableSetVersion(queryable(pool), tablesOf('a'));
  const moveTo = (nextOffset: bigint) =>
    applyToLiveSet(pool, { topic: 'changes', partition: 0, position: 'any', nextOffset, changes: [] });

  it('stays the same while nothing changes', async () => {
    await moveTo(5n);
    expect(await version()).toBe(await version());
  });

  it('never comes back, also when a topic that was created again is read up to the former position', async () => {
    const versions: string[] = [];
    for (const position of [5n, 2n, 5n, 2n, 5n]) {
      await moveTo(position);
      versions.push(await version());
    }
    expect(new Set(versions).size).toBe(versions.length);
  });
});
