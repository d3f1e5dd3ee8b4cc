import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlackHole, freshName, keepAliveOf, localStack } from '@podium/testing';
import { OwnRedis } from '@podium/testing/own-redis';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { FastRedis, RedisAwayError } from './redis';

const logger = pino({ level: 'silent' });
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('Redis whose node has vanished without closing its connections', () => {
  let way: BlackHole;
  let redis: FastRedis;

  beforeEach(async () => {
    way = await BlackHole.before(localStack().redisUrl);
    redis = new FastRedis({ url: way.urlOf(localStack().redisUrl) }, logger, new Registry());
    await redis.start();
    await pingUntilAnswered(redis);
  });
  afterEach(async () => {
    await redis.stop();
    await way.close();
  });

  it('is reached again over another connection', async () => {
    way.strand();
    const startedMs = performance.now();
    await expect(redis.run((client) => client.ping())).rejects.toBeInstanceOf(RedisAwayError);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    await pingUntilAnswered(redis);
  });

  it('is reached again after its network was down for a while', async () => {
    way.stall();
    for (const endMs = Date.now() + 3_000; Date.now() < endMs; await sleep(50))
      await expect(redis.run((client) => client.ping())).rejects.toBeInstanceOf(RedisAwayError);
    way.resume();
    await pingUntilAnswered(redis);
  });

  onLinux('is asked whether it is there', async () => {
    const { localPort = 0, remotePort = 0 } = await redis.run(async (client) => {
      const { stream } = client as unknown as { stream: Socket };
      return { localPort: stream.localPort, remotePort: stream.remotePort };
    });
    expect(await keepAliveOf({ localPort, remotePort })).toBeLessThanOrEqual(5.1);
  });
});

describe('Redis that has become a replica', () => {
  it('is left for the server that its host name leads to now', async () => {
    const primary = localStack().redisUrl;
    const { hostname, port } = new URL(primary);
    const demoted = await OwnRedis.start({ replicaof: `${hostname} ${port}`, 'replica-serve-stale-data': 'yes' });
    const way = await BlackHole.before(demoted.url);
    const redis = new FastRedis({ url: way.urlOf(primary), commandTimeoutMs: 5_000 }, logger, new Registry());
    try {
      await redis.start();
      await pingUntilAnswered(redis);
      const key = freshName('replica');
      const write = () => redis.run((client) => client.eval(`return redis.call('SET', KEYS[1], '1', 'PX', 9)`, 1, key));
      way.redirect(primary);
      await expect(write()).rejects.toMatchObject({
        cause: { message: expect.stringContaining('READONLY') as string },
      });
      for (const endMs = Date.now() + 10_000; (await write().catch(() => '')) !== 'OK'; await sleep(50))
        expect(Date.now()).toBeLessThan(endMs);
    } finally {
      await redis.stop();
      await way.close();
      await demoted.stop();
    }
  });
});

async function pingUntilAnswered(redis: FastRedis): Promise<void> {
  for (const endMs = Date.now() + 10_000; ; await sleep(50)) {
    const answer = await redis.run((client) => client.ping()).catch((error: Error) => error.message);
    if (answer === 'PONG') return;
    if (Date.now() > endMs) throw new Error(`no answer within 10 s: ${answer}`);
  }
}
