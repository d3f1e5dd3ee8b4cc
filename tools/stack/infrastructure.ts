import { StackFailure } from './failure';
import { StackFolders } from './folders';
import { ClientListener, KafkaCluster } from './kafka';
import { PortPlan } from './ports';
import { Postgres } from './postgres';
import { Progress } from './progress';
import { Redis } from './redis';
import { openSecrets, StackSecrets } from './secrets';

/** Addresses of the three parts, in the shape of `.stack/infra.json`; brokers are comma-separated. */
export interface StackAddresses {
  readonly database_url: string;
  readonly redis_url: string;
  readonly kafka_brokers: string;
}

/** Options of the infrastructure's start. */
export interface InfrastructureOptions {
  readonly folders: StackFolders;
  readonly ports: PortPlan;
  readonly progress: Progress;
  readonly kafkaBrokers?: 1 | 3;
  /** Second listeners of the brokers, in their order; none by default. */
  readonly kafkaClientListeners?: readonly ClientListener[];
  /** Settings of Postgres beside, or in place of, those of the local stack. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
  /** Called when a part ends unexpectedly after its start. */
  readonly onCrash?: (failure: StackFailure) => void;
  /** Variables that replace parts by running servers; this process's environment by default. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** The parts that are started here, because no address in the environment replaces them. */
export function ownParts(environment: NodeJS.ProcessEnv): ('Postgres' | 'Redis' | 'Kafka')[] {
  const { DATABASE_URL, REDIS_URL, KAFKA_BROKERS } = environment;
  return (['Postgres', 'Redis', 'Kafka'] as const).filter(
    (part) => !{ Postgres: DATABASE_URL, Redis: REDIS_URL, Kafka: KAFKA_BROKERS }[part],
  );
}

/** Postgres, Redis and Kafka of one stack; a part is undefined when an address in the environment replaces it. */
export class Infrastructure {
  private constructor(
    readonly folders: StackFolders,
    readonly secrets: StackSecrets,
    readonly postgres: Postgres | undefined,
    readonly redis: Redis | undefined,
    readonly kafka: KafkaCluster | undefined,
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Starts the three parts at the same time; when one fails, the others are stopped before the failure is thrown. */
  static async start(options: InfrastructureOptions): Promise<Infrastructure> {
    const { folders, ports, progress, onCrash, postgresSettings: more, environment = process.env } = options;
    const secrets = openSecrets(folders);
    const stops: (() => Promise<unknown>)[] = [];
    const started = <P extends { start(): Promise<void>; stop(): Promise<unknown> }>(part: P): Promise<P> => {
      stops.push(() => part.stop());
      return part.start().then(() => part);
    };
    const launch = <P>(name: string, address: string | undefined, work: () => Promise<P>): Promise<P | undefined> => {
      if (!address) return progress.step(name, work);
      progress.say(`${name}: the one in the environment`);
      return Promise.resolve(undefined);
    };
    const { DATABASE_URL, REDIS_URL, KAFKA_BROKERS } = environment;
    const results = await Promise.allSettled([
      launch('Postgres', DATABASE_URL, async () =>
        started(await Postgres.open(folders, await ports('Postgres'), secrets.postgresPassword, { onCrash, more })),
      ),
      launch('Redis', REDIS_URL, async () => started(await Redis.open(folders, await ports('Redis'), onCrash))),
      launch('Kafka', KAFKA_BROKERS, async () =>
        started(
          await KafkaCluster.open(folders, ports, options.kafkaBrokers ?? 1, onCrash, options.kafkaClientListeners),
        ),
      ),
    ]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      await Promise.all(stops.map((stop) => stop()));
      throw failed.reason;
    }
    const [postgres, redis, kafka] = results.map((r) => (r.status === 'fulfilled' ? r.value : undefined));
    return new Infrastructure(
      folders,
      secrets,
      postgres as Postgres,
      redis as Redis,
      kafka as KafkaCluster,
      environment,
    );
  }

  /** Addresses of the three parts, started here or given by the environment. */
  get addresses(): StackAddresses {
    return {
      database_url: this.postgres?.url ?? this.environment.DATABASE_URL ?? '',
      redis_url: this.redis?.url ?? this.environment.REDIS_URL ?? '',
      kafka_brokers: this.kafka?.addresses ?? this.environment.KAFKA_BROKERS ?? '',
    };
  }

  /** Stops Kafka, Redis and Postgres, none of which needs another; returns the names of those that had to be killed. */
  async stop(): Promise<string[]> {
    const stopped = await Promise.all(
      Object.entries({ Kafka: this.kafka, Redis: this.redis, Postgres: this.postgres }).map(
        async ([name, part]): Promise<string[]> => (!part || (await part.stop()) ? [] : [name]),
      ),
    );
    return stopped.flat();
  }
}
