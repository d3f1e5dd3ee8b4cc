import { randomBytes } from 'node:crypto';
import * as path from 'node:path';
import { Redis } from 'ioredis';
import { StackFolders, openFolders, removeStack } from '../../../tools/stack/folders';
import { freePort } from '../../../tools/stack/ports';
import { findRedisServer } from '../../../tools/stack/redis-program';
import { ServerProcess } from '../../../tools/stack/server-process';

/** A real, empty Redis server for one test, for settings that would break other tests. */
export class OwnRedis {
  private constructor(
    readonly url: string,
    private readonly process: ServerProcess,
    private readonly folders: StackFolders,
  ) {}

  /** Starts it with settings as in redis.conf, such as `maxmemory`. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<OwnRedis> {
    const name = `redis-${randomBytes(4).toString('hex')}`;
    const folders = openFolders(name);
    const port = await freePort();
    const { command, env } = await findRedisServer(folders);
    const all = { port: `${port}`, bind: '127.0.0.1', dir: folders.data, save: '', ...settings };
    const args = Object.entries(all).flatMap(([setting, value]) => [`--${setting}`, value]);
    const server = new ServerProcess({ name, command, args, env, logPath: path.join(folders.logs, 'redis.log') });
    server.spawn();
    const url = `redis://127.0.0.1:${port}/0`;
    await server.waitUntil(() => isThere(url), 30_000);
    return new OwnRedis(url, server, folders);
  }

  /** Sends a signal, such as SIGSTOP, which pauses it. */
  signal(signal: NodeJS.Signals): void {
    this.process.signal(signal);
  }

  async stop(): Promise<void> {
    this.signal('SIGCONT');
    await this.process.stop(10_000);
    removeStack(this.folders);
  }
}

/** A refusal counts as a response too: the server may require a user. */
async function isThere(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return true;
  } catch (error) {
    return String(error).includes('NOAUTH');
  } finally {
    redis.disconnect();
  }
}
