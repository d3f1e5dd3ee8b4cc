import { randomUUID } from 'node:crypto';
import { topics } from '@podium/messages';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { pino } from 'pino';
import { migrations, schema } from '../migrations';
import { ErasureWatcher } from './erasure-watcher';

describe('ErasureWatcher', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = pino({ level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'spec' }, logger, new Registry());
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('completes an erasure although many older ones wait for a paused partition', async () => {
    // Every group has read everything but partition 0 of the links.
    const ends = async (topic: string) => Array.from({ length: topic === topics.links.name ? 12 : 1 }, () => 10n);
    const committed = async (_group: string, topic: string) =>
      (await ends(topic)).map((end, partition) => (topic === topics.links.name && partition === 0 ? 3n : end));
    const watcher = new ErasureWatcher(queryable(pool), { knownEnds: ends, committed }, new Registry());
    await pool.query(
      `INSERT INTO linkage.erasures
         (erasure_id, subject, user_digests, erased_at, requested_by, links, link_partitions, outbox_ids)
       SELECT gen_random_uuid(), gen_random_uuid(), '{}', to_timestamp(1700000000), 'spec', 1, '{0}', '{}'
       FROM generate_series(1, 450)`,
    );
    const last = randomUUID();
    await pool.query(
      `INSERT INTO linkage.erasures
         (erasure_id, subject, user_digests, erased_at, requested_by, links, link_partitions, outbox_ids)
       VALUES ($1, gen_random_uuid(), '{}', to_timestamp(1700000001), 'spec', 1, '{1}', '{}')`,
      [last],
    );
    await watcher.run();
    const complete = await pool.query<{ id: string }>(
      `SELECT erasure_id AS id FROM linkage.erasures WHERE completed_at IS NOT NULL`,
    );
    expect(complete.rows).toEqual([{ id: last }]);

    // What the others have passed is stored once.
    const versions = `SELECT DISTINCT xmin::text, passed ? 'engagement.erasures' AS passed FROM linkage.erasures WHERE completed_at IS NULL ORDER BY 1`;
    const { rows } = await pool.query<{ passed: boolean }>(versions);
    expect(new Set(rows.map(({ passed }) => passed))).toEqual(new Set([true]));
    await watcher.run();
    expect((await pool.query(versions)).rows).toEqual(rows);
  });
});
