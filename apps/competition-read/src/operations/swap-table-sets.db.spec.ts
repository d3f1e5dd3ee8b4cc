import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { migrations, schema } from '../migrations';
import { holdLiveSet, readLiveSet } from '../table-sets/live-table-set.store';
import { RebuildDependencies, connectionsOfRebuild, runRebuild } from './run-rebuild';
import { swapTableSets } from './swap-table-sets';
import { TopicFollower } from './topic-follower';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });

describe('a swap of table sets while Kafka does not respond', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: connectionsOfRebuild, service: 'test' }, logger, new Registry());
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  }, 60_000);

  it('is tried again later: writes to the live set are blocked for some seconds only', async () => {
    const parts = { pool, logger, registry: new Registry(), graceMs: 0 } as unknown as RebuildDependencies;
    let ask: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (ask = resolve));
    const withinTopic = () => {
      ask();
      return new Promise(() => undefined);
    };
    const silent = { withinTopic } as unknown as TopicFollower;
    const { live } = await readLiveSet(queryable(pool));
    await runRebuild(parts, 'topic', async (rebuild) => {
      const swapped = swapTableSets(parts, rebuild, silent, new Map());
      await isAsked;
      const heldAfterMs = await timed(() => inTransaction(pool, holdLiveSet));
      expect(heldAfterMs).toBeGreaterThan(1_000);
      expect(await swapped).toBe(false);
    });
    expect((await readLiveSet(queryable(pool))).live).toBe(live);
  }, 15_000);
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
