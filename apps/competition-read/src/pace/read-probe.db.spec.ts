import { setTimeout as sleep } from 'node:timers/promises';
import { PeriodicTask } from '@podium/runtime/app';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, Queryable, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { migrations, schema } from '../migrations';
import { LiveTableSet } from '../table-sets/live-table-set';
import { deleteOldReports, readReportedReads, reportReads } from './read-latencies.store';
import { ReadProbe, probeEveryMs } from './read-probe';

describe('reports of reads', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let db: Queryable;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
    db = queryable(pool);
  }, 60_000);
  beforeEach(() => pool.query(`DELETE FROM ${schema}.read_latencies`));
  afterAll(async () => {
    await pool.end();
    await database.drop();
  }, 60_000);

  it('are empty while no instance serves reads', async () => {
    expect(await readReportedReads(db)).toEqual({ instances: 0, slowdown: null });
  });

  it('have the largest slowdown of all instances, each with its newest report', async () => {
    await reportReads(db, 'reads-1', 5);
    await reportReads(db, 'reads-1', 1.25);
    await reportReads(db, 'reads-2', undefined);
    expect(await readReportedReads(db)).toEqual({ instances: 2, slowdown: 1.25 });
    await reportReads(db, 'reads-2', 2.5);
    expect(await readReportedReads(db)).toEqual({ instances: 2, slowdown: 2.5 });
  });

  it('do not count after two seconds, and are deleted after an hour', async () => {
    const age = (interval: string) =>
      pool.query(`UPDATE ${schema}.read_latencies SET measured_at = now() - $1::interval`, [interval]);
    await reportReads(db, 'reads-1', 5);
    await age('2.1 seconds');
    expect(await readReportedReads(db)).toEqual({ instances: 0, slowdown: null });
    await deleteOldReports(db);
    expect(await count()).toBe(1);
    await age('61 minutes');
    await deleteOldReports(db);
    expect(await count()).toBe(0);
  });

  it('come from an instance while it serves reads, and end with them', async () => {
    const liveSet = new LiveTableSet(db);
    await liveSet.refresh();
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    const probe = new ReadProbe({ db, reports: db, liveSet, instance: 'reads-1', logger });
    const probing = new PeriodicTask({ name: 'probe', everyMs: probeEveryMs, run: () => probe.run(), logger });
    probing.start();
    try {
      await sleep(200);
      expect(await count()).toBe(0);
      while ((await readReportedReads(db)).instances === 0) {
        probe.noteRead();
        await sleep(50);
      }
      expect(await readReportedReads(db)).toMatchObject({ instances: 1 });
      while ((await readReportedReads(db)).instances === 1) await sleep(50);
      expect(await readReportedReads(db)).toEqual({ instances: 0, slowdown: null });
    } finally {
      await probing.stop();
    }
  });

  async function count(): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int FROM ${schema}.read_latencies`);
    return rows[0].count;
  }
});
