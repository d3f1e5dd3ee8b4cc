import { createServer, Server } from 'node:net';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FastRedis } from '@podium/runtime/redis';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { onlyGeneration } from '../../test/marks';
import { migrations, schema } from '../migrations';
import { voidMarks } from '../operations/void-marks';
import { EventIdentity, identityOf } from './event-identity';
import { EventMarks } from './event-marks';
import { MarkGeneration } from './mark-generation';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });

function identity(platform: string, id: string, name = 'deposit'): EventIdentity {
  return identityOf({ platform, platformUserId: 'p-1', id, name, createdAt: 0, attributes: [] });
}

describe('EventMarks', () => {
  const platform = freshName('acme');
  let redis: FastRedis;
  let registry: Registry;
  let marks: EventMarks;

  beforeAll(async () => {
    registry = new Registry();
    // Long timeouts, so that a busy machine does not fail the test.
    redis = new FastRedis({ url: localStack().redisUrl, commandTimeoutMs: 10_000 }, logger, registry);
    await redis.start();
    marks = new EventMarks(redis, { lifetimeS: 60, generation: onlyGeneration }, registry);
  });
  afterAll(() => redis.stop());

  it('returns marks in the order of the request, and retains the first content', async () => {
    const first = identity(platform, 'e-1');
    await marks.mark([first, identity(platform, 'e-2')]);
    await marks.mark([identity(platform, 'e-1', 'bet')]);
    const found = await marks.find([identity(platform, 'e-3'), first]);
    expect(found).toEqual([null, first.content]);
  });

  it('separates equal ids of two platforms, also where platform and id concatenate equally', async () => {
    await marks.mark([identity(`${platform}a`, 'b:c')]);
    expect(await marks.find([identity(`${platform}ab`, ':c'), identity(platform, 'ab:c')])).toEqual([null, null]);
  });

  it('expires after the configured time', async () => {
    const short = new EventMarks(redis, { lifetimeS: 1, generation: onlyGeneration }, new Registry());
    await short.mark([identity(platform, 'short')]);
    expect(await marks.find([identity(platform, 'short')])).not.toEqual([null]);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await marks.find([identity(platform, 'short')])).toEqual([null]);
  });

  it('handles a frame of the largest size in one call', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => identity(platform, `many-${index}`));
    await marks.mark(many);
    expect(await marks.find(many)).toEqual(many.map(({ content }) => content));
  });
});

describe('EventMarks whose marks operators void', () => {
  const platform = freshName('acme');
  const silent = createLog({ service: 'test', instance: 'test', level: 'silent' });
  let redis: FastRedis;
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, silent, new Registry());
    redis = new FastRedis({ url: localStack().redisUrl, commandTimeoutMs: 10_000 }, silent, new Registry());
    await redis.start();
  });
  afterAll(async () => {
    await redis.stop();
    await pool.end();
    await database.drop();
  });

  /** The marks as one instance of ingestion has them. */
  const instance = (): EventMarks =>
    new EventMarks(redis, { lifetimeS: 60, generation: new MarkGeneration(queryable(pool)) }, new Registry());

  it('finds none of them from then on, in any instance, and those that were set since', async () => {
    const [one, other] = [instance(), instance()];
    const [early, late] = [identity(platform, 'early'), identity(platform, 'late')];
    for (const marks of [one, other]) expect(await marks.find([early])).toEqual([null]);
    await one.mark([early]);
    expect(await other.find([early, late])).toEqual([early.content, null]);

    await inTransaction(pool, (tx) => voidMarks(tx, 'ann'));
    expect(await one.find([early])).toEqual([null]);
    await one.mark([early, late]);
    // It has not heard of the new generation, and writes a mark of the former one.
    await other.mark([late]);
    expect(await other.find([late, early])).toEqual([late.content, early.content]);
    expect(await instance().find([early])).toEqual([early.content]);
  });

  it('are void again in a database that is restored to an earlier state', async () => {
    const event = identity(platform, 'restored');
    const first = await inTransaction(pool, (tx) => voidMarks(tx, 'ann'));
    await instance().find([event]);
    const marks = instance();
    await marks.find([event]);
    await marks.mark([event]);
    const second = await inTransaction(pool, (tx) => voidMarks(tx, 'ann'));
    expect(second).not.toBe(first);
    await pool.query('DELETE FROM ingestion.mark_generation');
    expect(await inTransaction(pool, (tx) => voidMarks(tx, 'ann'))).not.toBe(first);
    expect(await marks.find([event])).toEqual([null]);
  });

  it('does not trust a mark while Postgres does not tell which marks count', async () => {
    const event = identity(platform, 'unsure');
    let isAway = false;
    const answer = queryable(pool);
    const generation = new MarkGeneration({
      query: (text, values) => (isAway ? Promise.reject(new Error('away')) : answer.query(text, values)),
    });
    const marks = new EventMarks(redis, { lifetimeS: 60, generation }, new Registry());
    expect(await marks.find([event])).toEqual([null]);
    await marks.mark([event]);
    expect(await marks.find([event])).toEqual([event.content]);
    isAway = true;
    expect(await marks.find([event])).toBeUndefined();
    expect(await marks.find([identity(platform, 'unknown')])).toEqual([null]);
  });
});

describe('EventMarks without a response from Redis', () => {
  let silent: Server;
  let redis: FastRedis;
  beforeAll(async () => {
    // Accepts connections and never responds, which is worse than refusing them.
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    redis = new FastRedis({ url: `redis://127.0.0.1:${port}` }, logger, new Registry());
    void redis.start();
  });
  afterAll(async () => {
    await redis.stop();
    silent.close();
  });

  it('returns undefined soon, without throwing', async () => {
    const marks = new EventMarks(redis, { lifetimeS: 60, generation: onlyGeneration }, new Registry());
    const start = performance.now();
    expect(await marks.find([identity('acme', 'e-1')])).toBeUndefined();
    await marks.mark([identity('acme', 'e-1')]);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
