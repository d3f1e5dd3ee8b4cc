import { BlackHole } from '@podium/testing';
import { freePort } from '../../tools/stack/ports';
import { ClientListener } from '../../tools/stack/kafka';
import { AppName, apps } from '../../tools/stack/services';
import { WholeStack, WholeStackOptions } from '../../tools/stack/whole-stack';
import { SkewedClocks } from './clocks/skewed-clocks';
import { Crashes } from './service-crashes';
import { FaultContext } from './fault-context';
import { ForeignWriters } from './foreign-writers';
import { restartUntilReady } from './restart-until-ready';

/** Two instances of each service that faults hit. */
const instances: Partial<Record<AppName, number>> = { gateway: 2, ingestion: 2, engagement: 2, linkage: 2 };

/** Proxies to servers and adjustable clocks, which must exist before a stack under faults is started. */
export class FaultEnvironment {
  private readonly toServers: Partial<Record<'postgres' | 'redis', BlackHole>> = {};

  private constructor(
    private readonly crashes: Crashes,
    private readonly clocks: SkewedClocks,
    private readonly toBrokers: readonly BlackHole[],
    private readonly listeners: readonly ClientListener[],
  ) {}

  static async open(brokers: 1 | 3, say: (line: string) => void): Promise<FaultEnvironment> {
    const proxies: BlackHole[] = [];
    const listeners: ClientListener[] = [];
    for (let number = 1; number <= brokers; number++) {
      const port = await freePort();
      const proxy = await BlackHole.before({ host: '127.0.0.1', port });
      proxies.push(proxy);
      listeners.push({ port, advertisedPort: proxy.port });
    }
    return new FaultEnvironment(new Crashes(say), await SkewedClocks.open(), proxies, listeners);
  }

  /** Options with which the stack must be started. */
  get stackOptions(): Partial<WholeStackOptions> {
    return {
      instances,
      env: {
        ...Object.fromEntries(apps.map((app) => [app, this.clocks.environment])),
        // One user changes their link as long as the run lasts.
        linkage: { ...this.clocks.environment, LINK_CHANGES_PER_DAY: '100000' },
      },
      seed: false,
      kafkaBrokers: this.toBrokers.length as 1 | 3,
      kafkaClientListeners: this.listeners,
      // Eleven processes that start at once on a small machine may exceed their start timeouts.
      begin: restartUntilReady,
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

  /** The context of faults for a stack that was started with these options. */
  around(stack: WholeStack): FaultContext {
    const { postgres, redis, kafka } = stack.infrastructure;
    const proxies = this.toServers;
    if (!redis || !postgres || !kafka || !proxies.postgres || !proxies.redis)
      throw new Error('faults need dedicated servers: unset DATABASE_URL, REDIS_URL and KAFKA_BROKERS');
    this.crashes.watch(stack);
    const servers = { postgres, redis, kafka };
    return {
      stack,
      servers,
      network: { postgres: proxies.postgres, redis: proxies.redis, kafka: this.toBrokers },
      clocks: this.clocks,
      crashes: this.crashes,
      foreignWriters: new ForeignWriters(servers),
      startedMs: Date.now(),
    };
  }

  /** Call this when the stack has stopped. */
  async close(): Promise<void> {
    const proxies = [...this.toBrokers, ...Object.values(this.toServers)];
    await Promise.all([...proxies.map((proxy) => proxy.close()), this.clocks.close()]);
  }
}
