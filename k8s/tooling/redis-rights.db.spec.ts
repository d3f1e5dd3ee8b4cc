import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FastRedis } from '@podium/runtime/redis';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { InstanceCount, LocalShare, OneAtATime, RateLimiter } from '../../apps/gateway/test/limits';
import { EventMarks, identityOf, onlyGeneration } from '../../apps/ingestion/test/marks';
import { StackFolders, openFolders, removeStack } from '../../tools/stack/folders';
import { freePort } from '../../tools/stack/ports';
import { findRedisServer } from '../../tools/stack/redis-program';
import { ServerProcess } from '../../tools/stack/server-process';
import { redisAclFile, redisUser } from './generators/secrets';
import { RedisServer, ServiceName, redisServers, services } from './service-needs';

const logger = pino({ level: 'silent' });
const passwordOf = (service: ServiceName): string => `password of ${service}`;

describe('the users of Redis, on a real server with the ACL file', () => {
  const servers = new Map<
    RedisServer,
    { readonly folders: StackFolders; readonly port: number; process: ServerProcess }
  >();
  const clients: { stop(): unknown }[] = [];

  beforeAll(() => Promise.all(redisServers.map(startServer)), 120_000);

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.stop()));
    for (const { process, folders } of servers.values()) {
      await process.stop(10_000);
      removeStack(folders);
    }
  });

  async function startServer(name: RedisServer): Promise<void> {
    const folders = openFolders(`redis-rights-${randomBytes(4).toString('hex')}`);
    const port = await freePort();
    const users = path.join(folders.data, 'users.acl');
    const hashOf = (service: ServiceName): string => createHash('sha256').update(passwordOf(service)).digest('hex');
    fs.writeFileSync(users, redisAclFile(name, hashOf));
    const { command, env } = await findRedisServer(folders);
    const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--aclfile', users];
    const logPath = path.join(folders.logs, 'redis.log');
    const server = new ServerProcess({ name: `redis-${name}`, command, args, env, logPath });
    servers.set(name, { folders, port, process: server });
    server.spawn();
    await server.waitUntil(async () => fs.readFileSync(logPath, 'utf8').includes('Ready to accept'), 30_000);
  }

  const serverOf = (service: ServiceName): RedisServer => {
    const server = services.find(({ name }) => name === service)?.redis?.server;
    if (!server) throw new Error(`${service} has no Redis`);
    return server;
  };
  const urlOf = (service: ServiceName, server = serverOf(service)): string =>
    `redis://${redisUser(service)}:${encodeURIComponent(passwordOf(service))}@127.0.0.1:${servers.get(server)?.port}/0`;

  async function fastRedis(service: ServiceName): Promise<FastRedis> {
    // Long timeouts, because a busy machine must not fail the test.
    const redis = new FastRedis({ url: urlOf(service), commandTimeoutMs: 10_000 }, logger, new Registry());
    clients.push(redis);
    await redis.start();
    return redis;
  }

  function plainRedis(url: string): Redis {
    const redis = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
    redis.on('error', () => undefined);
    clients.push({ stop: () => redis.disconnect() });
    return redis;
  }

  it('lets the gateway limit rates and count instances', async () => {
    const redis = await fastRedis('gateway');
    const limiter = new RateLimiter(redis, new LocalShare(() => 1), 'gateway:rate');
    expect((await limiter.take('acme', { intervalUs: 25_000, burst: 40 })).allowed).toBe(true);
    expect(limiter.isLocal()).toBe(false);
    const counts = ['gateway-1', 'gateway-2'].map(
      (instance) => new InstanceCount(redis, { instance, minInstances: 1 }),
    );
    for (const count of counts) await count.start();
    expect(counts[1].instances()).toBe(2);
    await Promise.all(counts.map((count) => count.stop()));
  });

  it('lets the gateway give back the turn of a platform that asks which events are missing', async () => {
    const redis = await fastRedis('gateway');
    const turns = new OneAtATime(redis, { instance: 'gateway-1', namespace: 'gateway:reconcile', longestMs: 60_000 });
    const end = await turns.take('acme');
    end?.();
    const reader = plainRedis(urlOf('gateway'));
    const kept = (): Promise<(string | null)[]> => reader.mget('gateway:reconcile:acme');
    for (let times = 0; times < 100 && (await kept())[0] !== null; times++) await sleep(20);
    expect(await kept()).toEqual([null]);
    expect(await turns.take('acme')).toBeDefined();
    expect(redis.isAway()).toBe(false);
  });

  it('lets ingestion find and set marks', async () => {
    const marks = new EventMarks(
      await fastRedis('ingestion'),
      { lifetimeS: 60, generation: onlyGeneration },
      new Registry(),
    );
    const event = { platform: 'acme', platformUserId: 'p-1', id: 'e-1', name: 'deposit', createdAt: 0, attributes: [] };
    const identity = identityOf(event);
    await marks.mark([identity]);
    expect(await marks.find([identity])).toEqual([identity.content]);
  });

  it.each<[ServiceName, string[]]>([
    ['gateway', ['get', 'gateway:rate:acme']],
    ['gateway', ['mget', 'event:1']],
    ['gateway', ['set', 'event:1', 'x']],
    ['ingestion', ['set', 'gateway:instances', 'x']],
    ['ingestion', ['eval', "return redis.call('DEL', KEYS[1])", '1', 'event:1']],
    ['ingestion', ['flushall']],
    ['ingestion', ['keys', '*']],
    ['ingestion', ['config', 'get', '*']],
    ['ingestion', ['acl', 'list']],
  ])('refuses %s the command %j', async (service, [command, ...args]) => {
    await expect(plainRedis(urlOf(service)).call(command, ...args)).rejects.toThrow(/NOPERM|ACL failure|can't run/);
  });

  it('refuses a connection without a user', async () => {
    for (const { port } of servers.values())
      await expect(plainRedis(`redis://127.0.0.1:${port}/0`).call('ping')).rejects.toThrow(/NOAUTH/);
    await expect(plainRedis(urlOf('gateway', 'marks')).call('ping')).rejects.toThrow();
    await expect(plainRedis(urlOf('ingestion', 'limits')).call('ping')).rejects.toThrow();
    await expect(plainRedis(urlOf('gateway').replace('of', 'not')).call('ping')).rejects.toThrow();
  });
});
