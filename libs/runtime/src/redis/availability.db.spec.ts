import { setTimeout as sleep } from 'node:timers/promises';
import { BlackHole, localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { FastRedis } from './redis';

const silent = pino({ level: 'silent' });

describe('whether Redis answers', () => {
  let way: BlackHole;
  let redis: FastRedis;
  let registry: Registry;

  beforeEach(async () => {
    way = await BlackHole.before(localStack().redisUrl);
    registry = new Registry();
    redis = new FastRedis({ url: way.urlOf(localStack().redisUrl) }, silent, registry);
    await redis.start();
    await waitFor(0);
  });
  afterEach(async () => {
    await redis.stop();
    await way.close();
  });

  const away = async (): Promise<number> => (await registry.getSingleMetric('redis_away')!.get()).values[0].value;

  async function waitFor(state: number): Promise<void> {
    for (const endMs = Date.now() + 10_000; (await away()) !== state; await sleep(20))
      expect(Date.now()).toBeLessThan(endMs);
  }

  async function fail(commands: number, pauseMs: number): Promise<void> {
    for (let command = 0; command < commands; command++, await sleep(pauseMs))
      await expect(redis.run((client) => client.ping())).rejects.toThrow();
  }

  it('shows in the metric with one command a second, which are too few to open the breaker', async () => {
    way.stall();
    for (let second = 0; second < 3; second++) {
      await fail(1, 1_000);
      expect(await away()).toBe(1);
    }
  });

  it.each([
    ['one command', 1],
    ['a burst', 20],
  ])('shows again without another command after %s failed', async (_, commands) => {
    way.stall();
    await fail(commands, 0);
    await sleep(1_500);
    expect(await away()).toBe(1);
    way.resume();
    await waitFor(0);
  });

  it('shows without any command when the connection is lost', async () => {
    way.redirect('redis://127.0.0.1:1');
    way.cut();
    await waitFor(1);
    way.redirect(localStack().redisUrl);
    await waitFor(0);
  });
});
