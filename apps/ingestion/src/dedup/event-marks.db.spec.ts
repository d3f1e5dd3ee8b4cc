import { createServer, Server } from 'node:net';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { FastRedis } from '@podium/runtime/redis';
import { freshName, localStack } from '@podium/testing';
import { EventIdentity, identityOf } from './event-identity';
import { EventMarks } from './event-marks';

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
    marks = new EventMarks(redis, { lifetimeS: 60 }, registry);
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
    const short = new EventMarks(redis, { lifetimeS: 1 }, new Registry());
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
    const marks = new EventMarks(redis, { lifetimeS: 60 }, new Registry());
    const start = performance.now();
    expect(await marks.find([identity('acme', 'e-1')])).toBeUndefined();
    await marks.mark([identity('acme', 'e-1')]);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
