import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { localStack } from '@podium/testing';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { FastRedis, RedisAwayError } from './redis';

const silent = pino({ level: 'silent' });
/** On a busy machine an answer can take longer than the default time of a command. */
const commandTimeoutMs = 5_000;

describe('FastRedis', () => {
  it('runs commands on a real server', async () => {
    const redis = new FastRedis({ url: localStack().redisUrl, commandTimeoutMs }, silent, new Registry());
    await redis.start();
    await redis.run((client) => client.set('fast-redis:spec', 'x', 'PX', 60_000));
    await expect(redis.run((client) => client.get('fast-redis:spec'))).resolves.toBe('x');
    await redis.stop();
  });

  it('reconnects with the current password', async () => {
    const admin = new Redis(localStack().redisUrl);
    const user = `rotating-${randomBytes(6).toString('hex')}`;
    const urlWith = (password: string): string => {
      const address = new URL(localStack().redisUrl);
      address.username = user;
      address.password = password;
      return address.href;
    };
    await admin.call('ACL', 'SETUSER', user, 'on', '>first', '~*', '+@all');
    const url = { current: urlWith('first') };
    const redis = new FastRedis({ url, commandTimeoutMs }, silent, new Registry());
    try {
      await redis.start();
      await redis.run((client) => client.ping());
      await admin.call('ACL', 'SETUSER', user, 'resetpass', '>second');
      url.current = urlWith('second');
      await admin.call('CLIENT', 'KILL', 'USER', user);
      const deadline = Date.now() + 10_000;
      for (let answer = ''; answer !== 'PONG' && Date.now() < deadline; await sleep(50))
        answer = await redis.run((client) => client.ping()).catch(() => '');
      await expect(redis.run((client) => client.ping())).resolves.toBe('PONG');
    } finally {
      await redis.stop();
      await admin.call('ACL', 'DELUSER', user);
      admin.disconnect();
    }
  });

  it('throws RedisAwayError immediately where there is no server, and does not queue', async () => {
    const redis = new FastRedis({ url: 'redis://127.0.0.1:1' }, silent, new Registry());
    await redis.start();
    const begin = Date.now();
    for (let i = 0; i < 20; i++)
      await expect(redis.run((client) => client.ping())).rejects.toBeInstanceOf(RedisAwayError);
    expect(Date.now() - begin).toBeLessThan(2000);
    await redis.stop();
  });
});
