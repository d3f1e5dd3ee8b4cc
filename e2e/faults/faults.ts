import { Redis as RedisClient } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppName } from '../../tools/stack/services';
import { ServiceHandle } from '../../tools/stack/running-services';
import { WholeStack } from '../../tools/stack/whole-stack';
import { SeededRandom } from '../support/seeded-random';
import { moveLeaders } from './move-leaders';

/** Something that breaks and is whole again when `strike` resolves. */
export interface Fault {
  readonly name: string;
  /** Resolves with what exactly was hit. */
  strike(random: SeededRandom): Promise<string>;
}

/** Faults of an app's instances: one is killed at a random moment, or stands still for longer than its group waits for it. */
export function serviceFaults(stack: WholeStack, app: AppName): Fault[] {
  const kill: Fault = {
    name: `kill -9 ${app}`,
    strike: async (random) => {
      const instance = random.pick(stack.services.of(app));
      await instance.kill();
      await sleep(random.between(200, 2_000));
      await startAgain(instance);
      return instance.name;
    },
  };
  const pauseIt: Fault = {
    name: `pause ${app}`,
    strike: (random) => pause(random.pick(stack.services.of(app)), random.between(11_000, 14_000)),
  };
  return app === 'engagement' || app === 'ingestion' ? [kill, pauseIt] : [kill];
}

/** Faults of the servers below the services. */
export function serverFaults(stack: WholeStack): Fault[] {
  const { redis, postgres, kafka } = stack.infrastructure;
  if (!redis || !postgres || !kafka)
    throw new Error('faults need servers of their own: unset DATABASE_URL and the like');
  const faults: Fault[] = [
    { name: 'Redis FLUSHALL', strike: () => flush(redis.url) },
    {
      name: 'Redis stopped',
      strike: async (random) => {
        await redis.stop();
        await sleep(random.between(1_000, 4_000));
        await redis.start();
        return 'Redis';
      },
    },
    ...(['SIGINT', 'SIGQUIT'] as const).map((signal) => ({
      name: `Postgres restarted (${signal === 'SIGINT' ? 'fast' : 'immediate'})`,
      strike: async () => {
        await postgres.stop(signal);
        await postgres.restart();
        return 'Postgres';
      },
    })),
    {
      name: 'broker restarted (SIGTERM)',
      strike: async (random) => {
        const broker = random.pick(kafka.brokers);
        await broker.restart();
        return `broker ${broker.id}`;
      },
    },
    {
      name: 'broker killed (kill -9)',
      strike: async (random) => {
        const broker = random.pick(kafka.brokers);
        await broker.kill();
        await broker.start();
        return `broker ${broker.id}`;
      },
    },
  ];
  if (kafka.brokers.length > 1)
    faults.push({ name: 'leaders moved', strike: () => moveLeaders(kafka.addresses, 'ingestion.user-events.v1') });
  return faults;
}

/** As an orchestrator does: a service that ends because what it needs is still away is started again. */
export async function startAgain(instance: ServiceHandle): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      return await instance.start();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await instance.kill();
      await sleep(500);
    }
  }
}

/** The instance stands still, as in a long garbage collection, and then goes on as if nothing had been. */
async function pause(instance: ServiceHandle, forMs: number): Promise<string> {
  const { pid } = instance;
  if (pid === undefined) throw new Error(`${instance.name} does not run`);
  process.kill(pid, 'SIGSTOP');
  await sleep(forMs);
  process.kill(pid, 'SIGCONT');
  return `${instance.name} for ${(forMs / 1000).toFixed(1)} s`;
}

async function flush(url: string): Promise<string> {
  const client = new RedisClient(url);
  try {
    await client.flushall();
  } finally {
    client.disconnect();
  }
  return 'Redis';
}
