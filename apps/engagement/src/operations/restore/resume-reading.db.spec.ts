import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import * as engagement from '../../migrations';
import { ReplayPartition, insertReplay, listReplays, readPositions } from '../replay/replays.store';
import { OtherTopicError, ResumeOrder, resumeReading } from './resume-reading';

const topic = 'events';
const order = { topic, orderedBy: 'spec' };

describe('reading of events after a restore', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase(engagement);
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, service: 'test', size: 2 }, logger, new Registry());
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE engagement.positions, engagement.replay_partitions, engagement.replays');
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  it('continues at the restored positions and counts what the topic no longer has; a repeat only moves the ends', async () => {
    await given([200n, 5n]);
    const bounds = [bound(0n, 300n), bound(15n, 20n), bound(0n, 10n)];
    const first = await resume({ bounds });
    expect(first).toEqual({ partitions: [part(0, 200n, 300n), part(1, 5n, 20n), part(2, 0n, 10n)], gone: 10 });
    await resume({ bounds: [bound(0n, 310n), ...bounds.slice(1)] });
    expect(await positions()).toEqual(new Map([...[200n, 5n].entries()]));
    expect(await unfinished()).toEqual([{ kind: 'rebuild', remaining: 110 + 15 + 10 }]);
  });

  it.each([
    ['ends before a position', [bound(0n, 199n)]],
    ['lacks a partition', []],
  ])('refuses a topic that %s, and names the option for a new one', async (_what, bounds) => {
    await given([200n]);
    const refused = resume({ bounds });
    await expect(refused).rejects.toThrow(OtherTopicError);
    await expect(refused).rejects.toThrow('--events-topic-is-new');
    expect(await unfinished()).toEqual([]);
  });

  it('begins a new topic at its first event, also when it ends behind the former positions', async () => {
    await given([200n, 200n, 200n]);
    const bounds = [bound(0n, 300n), bound(4n, 50n), bound(0n, 0n)];
    const resumed = await resume({ bounds, isNewTopic: true });
    expect(resumed).toEqual({ partitions: [part(0, 0n, 300n), part(1, 0n, 50n), part(2, 0n, 0n)], gone: 4 });
    expect(await positions()).toEqual(new Map([0n, 0n, 0n].entries()));
    expect(await unfinished()).toEqual([{ kind: 'rebuild', remaining: 350 }]);
  });

  it('sets back positions of partitions that a new topic lacks', async () => {
    await given([200n, 200n]);
    await resume({ bounds: [bound(0n, 30n)], isNewTopic: true });
    expect(await positions()).toEqual(new Map([0n, 0n].entries()));
    await expect(resume({ bounds: [bound(0n, 30n)] })).resolves.toMatchObject({ gone: 0 });
  });

  it('does not wait for the ends of a former topic', async () => {
    await given([200n]);
    const partitions = [part(0, 100n, 1_000n)];
    for (const kind of ['reread', 'rebuild'] as const)
      await inTransaction(pool, (tx) => insertReplay(tx, { ...order, kind, partitions }));
    await resume({ bounds: [bound(0n, 300n)], isNewTopic: true });
    expect(await unfinished()).toEqual([{ kind: 'rebuild', remaining: 300 }]);
  });

  /** Stores the next offset of each partition. */
  async function given(next: readonly bigint[]): Promise<void> {
    for (const [partition, offset] of next.entries())
      await pool.query('INSERT INTO engagement.positions (topic, partition, next_offset) VALUES ($1, $2, $3)', [
        ...[topic, partition, String(offset)],
      ]);
  }

  function resume(more: Pick<ResumeOrder, 'bounds' | 'isNewTopic'>) {
    return inTransaction(pool, (tx) => resumeReading(tx, { ...order, ...more }));
  }

  function positions(): Promise<Map<number, bigint>> {
    return readPositions(queryable(pool), topic);
  }

  async function unfinished(): Promise<{ kind: string; remaining: number }[]> {
    const replays = await listReplays(queryable(pool), 10);
    return replays.flatMap(({ kind, remaining, finishedAt }) => (finishedAt ? [] : [{ kind, remaining }]));
  }
});

function bound(low: bigint, high: bigint) {
  return { low, high };
}

function part(partition: number, fromOffset: bigint, untilOffset: bigint): ReplayPartition {
  return { partition, fromOffset, untilOffset };
}
