import { localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { FastRedis, RedisAwayError } from './redis';

const silent = pino({ level: 'silent' });

describe('FastRedis', () => {
  it('runs commands on a real server', async () => {
    const redis = new FastRedis({ url: localStack().redisUrl }, silent, new Registry());
    await redis.start();
    await redis.run((client) => client.set('fast-redis:spec', 'x', 'PX', 1000));
    await expect(redis.run((client) => client.get('fast-redis:spec'))).resolves.toBe('x');
    await redis.stop();
  });

  it('answers RedisAwayError at once where there is no server, and does not queue', async () => {
    const redis = new FastRedis({ url: 'redis://127.0.0.1:1' }, silent, new Registry());
    await redis.start();
    const begin = Date.now();
    for (let i = 0; i < 20; i++)
      await expect(redis.run((client) => client.ping())).rejects.toBeInstanceOf(RedisAwayError);
    expect(Date.now() - begin).toBeLessThan(2000);
    await redis.stop();
  });
});
