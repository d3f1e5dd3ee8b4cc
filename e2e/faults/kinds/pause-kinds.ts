import { pauseTree } from '../process-tree';
import { FaultContext } from '../fault-context';
import { FaultKind, FaultTarget } from './fault-kind';

/** A process is paused (SIGSTOP) with open connections, as in a long garbage collection, and then continues. */
export function pauseKinds(): FaultKind[] {
  return [
    // Longer than the session timeout of a consumer group.
    ...(['ingestion', 'engagement'] as const).map((app) => instancePause(app, [11_000, 14_000])),
    instancePause('gateway', [8_000, 14_000]),
    // Longer than Postgres keeps the session of the leader of the outbox, and than a claim of a refresh.
    instancePause('linkage', [21_000, 26_000]),
    pauseOf('redis-paused', 'Redis', 'Redis', [4_000, 8_000], ({ servers: { redis } }) => ({
      name: 'Redis',
      pid: redis.pid,
    })),
    pauseOf('postgres-paused', 'Postgres', 'Postgres', [6_000, 12_000], ({ servers: { postgres } }) => ({
      name: 'Postgres',
      pid: postgres.pid,
    })),
    // Longer than the session timeout of a broker, so that other brokers take over its partitions.
    pauseOf('broker-paused', 'Kafka', 'one broker', [8_000, 14_000], ({ servers: { kafka } }, pick) => {
      const { id, pid } = pick(kafka.brokers);
      return { name: `broker ${id}`, pid };
    }),
  ];
}

function instancePause(
  app: 'gateway' | 'ingestion' | 'linkage' | 'engagement',
  lastsMs: readonly [number, number],
): FaultKind {
  return pauseOf(`${app}-paused`, app, `one instance of ${app}`, lastsMs, ({ stack }, pick) => {
    const { name, pid } = pick(stack.services.of(app));
    return { name, pid };
  });
}

function pauseOf(
  name: string,
  target: FaultTarget,
  what: string,
  [fromMs, toMs]: readonly [number, number],
  find: (context: FaultContext, pick: <T>(items: readonly T[]) => T) => { name: string; pid: number | undefined },
): FaultKind {
  return {
    name,
    target,
    breaks: `${what} is paused for ${fromMs / 1000} to ${toMs / 1000} s (SIGSTOP)`,
    inShortRun: target === 'ingestion' || target === 'engagement',
    begin: async (context, random) => {
      const { name: hit, pid } = find(context, (items) => random.pick(items));
      if (pid === undefined) throw new Error(`${hit} is not running`);
      const resume = await pauseTree(pid);
      return { hit, lastsMs: random.between(fromMs, toMs), end: () => Promise.resolve(resume()) };
    },
  };
}
