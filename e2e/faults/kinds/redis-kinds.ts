import { Redis as RedisClient } from 'ioredis';
import { FaultContext } from '../fault-context';
import { FaultKind } from './fault-kind';

/** Redis answers, but refuses to write. */
export function redisKinds(): FaultKind[] {
  return [
    {
      name: 'redis-read-only',
      target: 'Redis',
      breaks: 'for 5 to 10 s Redis is a replica, which refuses writes (READONLY)',
      begin: async (context, random) => {
        // Nothing listens at that port, so that it keeps its data.
        await command(context, (redis) => redis.replicaof('127.0.0.1', 1));
        const end = async (): Promise<void> => command(context, (redis) => redis.replicaof('NO', 'ONE'));
        return { hit: 'Redis', lastsMs: random.between(5_000, 10_000), end };
      },
    },
    {
      name: 'redis-memory-full',
      target: 'Redis',
      breaks: 'for 5 to 10 s Redis has no memory for writes and evicts nothing (OOM)',
      begin: async (context, random) => {
        const limit = (bytes: string) => (redis: RedisClient) =>
          redis.config('SET', 'maxmemory', bytes, 'maxmemory-policy', 'noeviction');
        await command(context, limit('1'));
        return {
          hit: 'Redis',
          lastsMs: random.between(5_000, 10_000),
          end: () => command(context, limit('0')),
        };
      },
    },
  ];
}

async function command({ servers }: FaultContext, run: (redis: RedisClient) => Promise<unknown>): Promise<void> {
  const client = new RedisClient(servers.redis.url);
  await run(client).finally(() => client.disconnect());
}
