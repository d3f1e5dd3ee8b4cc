import { BlackHole } from '@podium/testing';
import { freePort } from '../../tools/stack/ports';
import { ClientListener } from '../../tools/stack/kafka';
import { AppName, apps } from '../../tools/stack/services';
import { WholeStack, WholeStackOptions } from '../../tools/stack/whole-stack';
import { SkewedClocks } from './clocks/skewed-clocks';
import { Crashes } from './crashes';
import { FaultContext } from './fault-context';
import { ForeignWriters } from './foreign-writers';
import { startAgain } from './start-again';

/** Two of each service that faults hit. */
const instances: Partial<Record<AppName, number>> = { gateway: 2, ingestion: 2, engagement: 2, linkage: 2 };

/** What has to be there before a stack is started that faults can hit: ways to its servers, and clocks that can be set. */
export class FaultSurroundings {
  private readonly toServers: Partial<Record<'postgres' | 'redis', BlackHole>> = {};

  private constructor(
    private readonly crashes: Crashes,
    private readonly clocks: SkewedClocks,
    private readonly toBrokers: readonly BlackHole[],
    private readonly listeners: readonly ClientListener[],
  ) {}

  static async open(brokers: 1 | 3, say: (line: string) => void): Promise<FaultSurroundings> {
    const ways: BlackHole[] = [];
    const listeners: ClientListener[] = [];
    for (let number = 1; number <= brokers; number++) {
      const port = await freePort();
      const way = await BlackHole.before({ host: '127.0.0.1', port });
      ways.push(way);
      listeners.push({ port, advertisedPort: way.port });
    }
    return new FaultSurroundings(new Crashes(say), await SkewedClocks.open(), ways, listeners);
  }

  /** With these the stack is to be started. */
  get stackOptions(): Partial<WholeStackOptions> {
    return {
      instances,
      env: Object.fromEntries(apps.map((app) => [app, this.clocks.environment])),
      seed: false,
      kafkaBrokers: this.toBrokers.length as 1 | 3,
      kafkaClientListeners: this.listeners,
      // Eleven processes that start at once on a small machine may be too slow for each other.
      begin: startAgain,
      onCrash: this.crashes.note,
      serviceAddresses: async (servers) => {
        const postgres = (this.toServers.postgres = await BlackHole.before(servers.database_url));
        const redis = (this.toServers.redis = await BlackHole.before(servers.redis_url));
        return {
          database_url: postgres.urlOf(servers.database_url),
          redis_url: redis.urlOf(servers.redis_url),
          kafka_brokers: this.toBrokers.map(({ port }) => `127.0.0.1:${port}`).join(','),
        };
      },
    };
  }

  /** The stack that was started with these, ready for faults. */
  around(stack: WholeStack): FaultContext {
    const { postgres, redis, kafka } = stack.infrastructure;
    const ways = this.toServers;
    if (!redis || !postgres || !kafka || !ways.postgres || !ways.redis)
      throw new Error('faults need servers of their own: unset DATABASE_URL and the like');
    this.crashes.watch(stack);
    const servers = { postgres, redis, kafka };
    return {
      stack,
      servers,
      network: { postgres: ways.postgres, redis: ways.redis, kafka: this.toBrokers },
      clocks: this.clocks,
      crashes: this.crashes,
      foreignWriters: new ForeignWriters(servers),
      startedMs: Date.now(),
    };
  }

  /** To be called when the stack has stopped. */
  async close(): Promise<void> {
    const ways = [...this.toBrokers, ...Object.values(this.toServers)];
    await Promise.all([...ways.map((way) => way.close()), this.clocks.close()]);
  }
}
