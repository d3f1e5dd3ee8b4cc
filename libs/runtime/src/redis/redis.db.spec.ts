import { X509Certificate, randomBytes } from 'node:crypto';
import { AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { CertificateAuthority } from '@podium/simulated-partner/http/certificates';
import { localStack } from '@podium/testing';
import { Redis } from 'ioredis';
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
    const redis = new FastRedis({ url }, silent, new Registry());
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

  it('exports when the certificate ends that the server shows: 0 without TLS, another one after its renewal', async () => {
    const authority = new CertificateAuthority();
    const [former, renewed] = [3, 90].map((days) => authority.issue({ altName: 'IP:127.0.0.1', days }));
    const { hostname, port } = new URL(localStack().redisUrl);
    const encrypted = createServer(former, (socket) => {
      const onward = connect(Number(port), hostname);
      for (const end of [socket, onward])
        end.on('error', () => undefined).on('close', () => [socket, onward].forEach((each) => each.destroy()));
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => encrypted.listen(0, '127.0.0.1', resolve));
    const registry = new Registry();
    const shown = async (): Promise<number | undefined> =>
      (await registry.getSingleMetric('redis_certificate_expiry_timestamp_seconds')!.get()).values[0]?.value;
    const endOf = ({ cert }: { cert: string }): number => Date.parse(new X509Certificate(cert).validTo) / 1_000;
    const redis = new FastRedis(
      { url: `rediss://127.0.0.1:${(encrypted.address() as AddressInfo).port}` },
      silent,
      registry,
    );
    try {
      expect(await shown()).toBe(0);
      // In a deployment the whole process trusts the authority.
      await redis.run(async ({ options }) => void (options.tls = { ca: authority.cert }));
      await redis.start();
      expect(await shown()).toBe(endOf(former));
      encrypted.setSecureContext(renewed);
      await redis.run(async (client) => client.disconnect(true));
      for (const endMs = Date.now() + 5_000; (await shown()) !== endOf(renewed); await sleep(20))
        expect(Date.now()).toBeLessThan(endMs);
    } finally {
      await redis.stop();
      await new Promise((resolve) => encrypted.close(resolve));
      authority.remove();
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
