import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FastRedis } from '@podium/runtime/redis';
import { OwnRedis } from '@podium/testing/own-redis';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { LocalShare, RateLimiter, perSecond } from '../../apps/gateway/test/limits';
import { EventIdentity, EventMarks, identityOf, onlyGeneration } from '../../apps/ingestion/test/marks';
import { secretTemplates } from './generators/secrets';
import { ServiceName } from './service-needs';

const logger = pino({ level: 'silent' });

/** Small enough that marks fill it within seconds. */
const maxmemory = '4mb';

describe('Redis whose memory is full of marks, with the settings of the production deployment', () => {
  const servers = new Map<string, OwnRedis>();
  const clients: FastRedis[] = [];

  afterAll(async () => {
    for (const client of clients) await client.stop();
    for (const server of servers.values()) await server.stop();
  });

  /** A client of the server that a service has in production: services of one address get one server here too. */
  async function redisOf(service: ServiceName): Promise<FastRedis> {
    const address = Object.entries(secretTemplates(service)).find(([field]) => field.endsWith('REDIS_URL'))?.[1] ?? '';
    const host = /@([a-z-]+):6379/.exec(address)?.[1] ?? '';
    const server = servers.get(host) ?? (await OwnRedis.start({ maxmemory, 'maxmemory-policy': policyOf(host) }));
    servers.set(host, server);
    const client = new FastRedis({ url: server.url, commandTimeoutMs: 10_000 }, logger, new Registry());
    clients.push(client);
    await client.start();
    return client;
  }

  it('still limits rates, accepts new marks and evicts the oldest', async () => {
    const limiter = new RateLimiter(await redisOf('gateway'), new LocalShare(() => 1), 'gateway:rate');
    const marks = new EventMarks(
      await redisOf('ingestion'),
      { lifetimeS: 3_600, generation: onlyGeneration },
      new Registry(),
    );
    for (let batch = 0; batch < 10; batch++) await marks.mark(identities(batch));
    // Redis counts the age of a key in whole seconds: keys of one second are all equally old.
    await sleep(2_000);
    for (let batch = 10; batch < 100; batch++) await marks.mark(identities(batch));

    const isKept = (mark: unknown): boolean => mark !== null;
    const newest = (await marks.find(identities(99)))?.filter(isKept).length ?? 0;
    const oldest = (await marks.find(identities(0)))?.filter(isKept).length ?? 0;
    for (let caller = 0; caller < 50; caller++) await limiter.take(`caller-${caller}`, perSecond(40));

    expect(limiter.isLocal()).toBe(false);
    // Redis evicts the oldest of a few keys that it draws, not of all.
    expect(newest).toBeGreaterThan(400);
    expect(oldest).toBeLessThan(100);
  }, 120_000);

  it('for limits refuses new keys and evicts no rate', async () => {
    await redisOf('gateway');
    const [server] = servers.values();
    const redis = new Redis(server.url);
    try {
      await redis.set('gateway:rate:kept', '1');
      const fill = async (): Promise<void> => {
        for (let key = 0; key < 1_000; key++) await redis.set(`filler:${key}`, 'x'.repeat(16_384));
      };
      await expect(fill()).rejects.toThrow(/OOM/);
      expect(await redis.get('gateway:rate:kept')).toBe('1');
    } finally {
      redis.disconnect();
    }
  }, 60_000);
});

function policyOf(host: string): string {
  const file = path.resolve(__dirname, `../../k8s/components/redis/${host}.conf`);
  return /^maxmemory-policy (\S+)$/m.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? '';
}

function identities(batch: number): EventIdentity[] {
  const event = { platform: 'acme', platformUserId: 'p-1', name: 'deposit', createdAt: 0, attributes: [] };
  return Array.from({ length: 500 }, (_, index) => identityOf({ ...event, id: `${batch}-${index}` }));
}
