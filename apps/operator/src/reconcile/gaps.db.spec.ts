import { BatchPlace } from '@podium/runtime/consumers';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { topics } from '@podium/messages';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { migrations, schema } from '../../../engagement/src/migrations';
import { ApplyParts, LiveDefinitions, applyBatch, sourceOf } from '../../../engagement/test/applying-events';
import * as ingestion from '../../../ingestion/src/migrations';
import { MarkGeneration } from '../../../ingestion/test/marks';
import { runPodium } from '../podium';

describe('podium reconcile', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations }, ingestion);
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('lists what was never read, once, and closes it with the name of the operator', async () => {
    const marks = new MarkGeneration(queryable(pool));
    const before = await marks.inForce();
    expect(await podium('gaps', '--json')).toEqual({ code: 0, rows: [], err: '' });
    await pass({ position: 5n, nextOffset: 21n }, { firstOffset: 20n });
    await pass({ position: 21n, nextOffset: 30n }, { firstOffset: 21n, isUnread: true });
    await pass({ position: 30n, nextOffset: 31n }, { firstOffset: 30n });
    const { rows } = await podium('gaps', '--json');
    expect(rows).toEqual([
      expect.objectContaining({ gap: 2, cause: 'undecodable', from_offset: 21, until_offset: 30, closed_at: null }),
      expect.objectContaining({ gap: 1, cause: 'expired', from_offset: 5, until_offset: 20, closed_at: null }),
    ]);
    expect(await podium('gaps', '--max', '1', '--json')).toEqual({
      ...{ code: 0, rows: [rows[0]] },
      err: 'There are more: --max sets how many are shown.\n',
    });
    expect(await podium('gaps', '--max', '2', '--json')).toEqual({ code: 0, rows, err: '' });
    expect(await podium('close-gap', '1', '--by', 'ann', '--json')).toEqual({
      ...{ code: 0, rows: { gap: 1, closed_by: 'ann' }, err: '' },
    });
    // The events of the gap have marks, which would make ingestion drop them when they are sent again.
    const after = await marks.inForce();
    expect(after).not.toBe(before);
    expect((await podium('close-gap', '1')).code).not.toBe(0);
    expect(await marks.inForce()).toBe(after);
    expect((await podium('gaps', '--json')).rows[1]).toEqual(
      expect.objectContaining({ gap: 1, closed_by: 'ann', closed_at: expect.any(String) as unknown }),
    );
  });

  async function pass(
    place: Pick<BatchPlace, 'nextOffset'> & { position: bigint },
    unapplied: { firstOffset: bigint; isUnread?: boolean },
  ): Promise<void> {
    const [topic, partition] = [topics.userEvents.name, 0];
    await queryable(pool).query(
      `INSERT INTO engagement.positions (topic, partition, next_offset) VALUES ($1, $2, $3)
       ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset`,
      [topic, partition, String(place.position)],
    );
    await applyBatch(new ApplyParts(pool, new LiveDefinitions(sourceOf([]))), {
      ...{ topic, partition, ...place, events: [] },
      unapplied: { deadDigests: [], isUnread: false, ...unapplied },
    });
  }

  async function podium(...args: string[]): Promise<{ code: number; rows: Record<string, unknown>[]; err: string }> {
    let [out, err] = ['', ''];
    const code = await runPodium(['reconcile', ...args], {
      env: { DATABASE_URL: database.url },
      readStdin: async () => '',
      out: (text) => void (out += text),
      err: (text) => void (err += text),
    });
    return { code, rows: args.includes('--json') ? (JSON.parse(out) as Record<string, unknown>[]) : [], err };
  }
});
