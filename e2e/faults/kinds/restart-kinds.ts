import { Redis as RedisClient } from 'ioredis';
import { AppName } from '../../../tools/stack/services';
import { moveLeaders } from '../move-leaders';
import { restartUntilReady } from '../restart-until-ready';
import { BegunFault, FaultKind } from './fault-kind';

/** Processes that end and are restarted on their own data, Redis losing its data, and moved partition leaders. */
export function restartKinds(): FaultKind[] {
  return [
    ...(['gateway', 'ingestion', 'linkage', 'engagement'] as const).map(killOf),
    {
      name: 'projector-killed',
      target: 'competition-read',
      breaks: 'competition data arrives, its projector is killed at once (SIGKILL) and restarted after 0.2 to 2 s',
      begin: async ({ stack, foreignWriters }, random) => {
        const projector = stack.services.first('competition-read-projector');
        const documents = await foreignWriters.writeDocuments('none');
        await projector.kill();
        return {
          hit: `${projector.name} with ${documents.length} documents`,
          lastsMs: random.between(200, 2_000),
          end: () => restartUntilReady(projector),
          isRecovered: () => foreignWriters.areApplied({ answers: [], documents }),
        };
      },
    },
    {
      name: 'redis-flushed',
      target: 'Redis',
      breaks: 'Redis loses all data (FLUSHALL)',
      inShortRun: true,
      begin: async ({ servers: { redis } }) => {
        const client = new RedisClient(redis.url);
        await client.flushall().finally(() => client.disconnect());
        return { hit: 'Redis', lastsMs: 0, end: () => Promise.resolve() };
      },
    },
    {
      name: 'redis-stopped',
      target: 'Redis',
      breaks: 'Redis is stopped for 1 to 4 s and then restarted',
      inShortRun: true,
      begin: async ({ servers: { redis } }, random) => {
        await redis.stop();
        return { hit: 'Redis', lastsMs: random.between(1_000, 4_000), end: () => restartUntilReady(redis) };
      },
    },
    ...(['fast', 'immediate'] as const).map(postgresRestart),
    ...(['stopped', 'killed'] as const).map(brokerRestart),
    {
      name: 'brokers-killed',
      target: 'Kafka',
      breaks: 'all brokers are killed at once (SIGKILL) and restarted after 2 to 6 s',
      begin: async ({ servers: { kafka } }, random) => {
        await Promise.all(kafka.brokers.map((broker) => broker.kill()));
        const end = async (): Promise<void> => void (await Promise.all(kafka.brokers.map(restartUntilReady)));
        return { hit: 'all brokers', lastsMs: random.between(2_000, 6_000), end };
      },
    },
    {
      name: 'leaders-moved',
      target: 'Kafka',
      breaks: 'every partition of accepted events gets another leader, and the old leader becomes a follower',
      inShortRun: true,
      impossible: ({ servers }) => (servers.kafka.brokers.length === 1 ? 'one broker leads everything' : undefined),
      begin: async ({ servers: { kafka } }) => {
        const hit = await moveLeaders(kafka.addresses, 'ingestion.user-events.v1');
        return { hit, lastsMs: 0, end: () => Promise.resolve() };
      },
    },
  ];
}

function killOf(app: AppName & FaultKind['target']): FaultKind {
  return {
    name: `${app}-killed`,
    target: app,
    breaks: `one instance of ${app} is killed (SIGKILL) and restarted after 0.2 to 2 s`,
    inShortRun: true,
    begin: async ({ stack }, random) => {
      const instance = random.pick(stack.services.of(app));
      await instance.kill();
      return { hit: instance.name, lastsMs: random.between(200, 2_000), end: () => restartUntilReady(instance) };
    },
  };
}

function postgresRestart(how: 'fast' | 'immediate'): FaultKind {
  return {
    name: `postgres-restarted-${how}`,
    target: 'Postgres',
    breaks:
      how === 'fast'
        ? 'Postgres ends its sessions, writes a checkpoint and is restarted'
        : 'Postgres ends without a checkpoint (SIGQUIT), is restarted and recovers',
    inShortRun: true,
    begin: async ({ servers: { postgres } }): Promise<BegunFault> => {
      await postgres.stop(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      return { hit: 'Postgres', lastsMs: 0, end: () => postgres.restart() };
    },
  };
}

function brokerRestart(how: 'stopped' | 'killed'): FaultKind {
  return {
    name: `broker-${how}`,
    target: 'Kafka',
    breaks:
      how === 'stopped'
        ? 'one broker hands its partitions over, ends and is restarted'
        : 'one broker is killed (SIGKILL) and restarted',
    inShortRun: true,
    begin: async ({ servers: { kafka } }, random): Promise<BegunFault> => {
      const broker = random.pick(kafka.brokers);
      await (how === 'stopped' ? broker.stop() : broker.kill());
      return { hit: `broker ${broker.id}`, lastsMs: 0, end: () => restartUntilReady(broker) };
    },
  };
}
