import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { sampleChange } from '../../test/sample';
import { migrations, schema } from '../migrations';
import { applyChanges } from './apply-changes';
import { checkProjectionVersion } from './check-projection-version';
import { holdLiveSet, readLiveSet } from '../table-sets/live-table-set.store';
import { projectionVersion } from './project';
import { ProjectionMetrics } from './projection-metrics';
import { readChange } from './read-change';
import { tablesOf } from '../table-sets/table-set';

describe('reports that a rebuild is due', () => {
  const registry = new Registry();
  const metrics = new ProjectionMetrics(registry);
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool(
      { url: database.url, size: 4, service: 'test', statementTimeoutMs: 1_000 },
      logger,
      new Registry(),
    );
    await pool.query(`UPDATE ${schema}.live_set SET projection_version = $1`, [projectionVersion - 1]);
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  }, 60_000);

  it('not while the tables are empty', async () => {
    expect(await check()).toEqual({ due: 0, warnings: 0 });
    expect((await readLiveSet(queryable(pool))).projectionVersion).toBe(projectionVersion);
  });

  it('when an older version built the tables', async () => {
    const read = readChange(sampleChange('hub'));
    if (!read.ok) throw new Error(read.reason);
    await inTransaction(pool, (tx) => applyChanges(tx, tablesOf('a'), [read.change]));
    expect(await check()).toEqual({ due: 0, warnings: 0 });
    await pool.query(`UPDATE ${schema}.live_set SET projection_version = $1`, [projectionVersion - 1]);
    expect(await check()).toEqual({ due: 1, warnings: 1 });
    await pool.query(`UPDATE ${schema}.live_set SET projection_version = $1`, [projectionVersion]);
    expect(await check()).toEqual({ due: 0, warnings: 0 });
  });

  it('when this release, rolled back, adds to tables of a newer version, and in the newer one once it is back', async () => {
    const newer = projectionVersion + 1;
    await pool.query(`UPDATE ${schema}.live_set SET projection_version = $1`, [newer]);
    expect(await check()).toEqual({ due: 1, warnings: 1 });
    expect(await check()).toEqual({ due: 1, warnings: 1 });
    const { projectionVersion: built } = await readLiveSet(queryable(pool));
    expect(built).not.toBe(newer);
    await pool.query(`UPDATE ${schema}.live_set SET projection_version = $1`, [projectionVersion]);
    expect(await check()).toEqual({ due: 0, warnings: 0 });
  });

  it('also while projectors go on adding to those tables', async () => {
    await pool.query(`UPDATE ${schema}.live_set SET projection_version = $1`, [projectionVersion + 1]);
    const [first, second] = [await pool.connect(), await pool.connect()];
    try {
      await first.query('BEGIN');
      await holdLiveSet(queryable(first));
      const checked = check();
      while ((await waitingForLocks()) < 1) await sleep(10);
      await second.query('BEGIN');
      const held = holdLiveSet(queryable(second));
      // It waits behind the check; if it does not, the check waits for it.
      await Promise.race([held, secondWaits()]);
      await first.query('COMMIT');
      expect(await checked).toEqual({ due: 1, warnings: 1 });
      await held;
    } finally {
      await Promise.all([first.query('ROLLBACK'), second.query('ROLLBACK')]);
      first.release();
      second.release();
    }
    expect((await readLiveSet(queryable(pool))).projectionVersion).toBe(0);
    await pool.query(`UPDATE ${schema}.live_set SET projection_version = $1`, [projectionVersion]);
  });

  it('once when the tables of a newer version are empty', async () => {
    const { live } = await readLiveSet(queryable(pool));
    await pool.query(`UPDATE ${schema}.live_set SET live = 'b', projection_version = $1`, [projectionVersion + 1]);
    expect(await check()).toEqual({ due: 1, warnings: 1 });
    expect(await check()).toEqual({ due: 0, warnings: 0 });
    await pool.query(`UPDATE ${schema}.live_set SET live = $1`, [live]);
  });

  it('while a bulk load has locked the tables of the other set, whichever is live', async () => {
    for (const [live, loaded] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const load = await pool.connect();
      try {
        await pool.query(`UPDATE ${schema}.live_set SET live = $1`, [live]);
        await load.query('BEGIN');
        await load.query(`TRUNCATE ${tablesOf(loaded).documents}`);
        expect([live, await check()]).toEqual([live, { due: 0, warnings: 0 }]);
      } finally {
        await load.query('ROLLBACK');
        load.release();
      }
    }
  });

  async function secondWaits(): Promise<void> {
    while ((await waitingForLocks()) < 2) await sleep(10);
  }

  async function waitingForLocks(): Promise<number> {
    const { rows } = await pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0].n;
  }

  async function check(): Promise<{ due: number; warnings: number }> {
    let warnings = 0;
    const logger = { warn: () => void warnings++ } as unknown as Logger;
    await checkProjectionVersion(pool, { logger, metrics });
    const [{ value }] = (await metrics.rebuildDue.get()).values;
    return { due: value, warnings };
  }
});
