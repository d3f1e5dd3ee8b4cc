import { Redis } from 'ioredis';
import CircuitBreaker from 'opossum';
import { Counter, Gauge, Registry } from 'prom-client';
import { Live } from '../config';
import { Logger } from '../log';
import { authorityOf } from './authority';
import { Availability } from './availability';
import { showCertificateEnd } from './shown-certificate';

export type { Redis } from 'ioredis';

/** Redis did not execute a command in time. Callers continue without it, because it is never the only source of truth. */
export class RedisAwayError extends Error {}

/** A connection whose command has no response for this time is closed, milliseconds. */
const socketTimeoutMs = 1_000;

/** Idle time before TCP keep-alive probes begin, milliseconds. */
const keepAliveMs = 5_000;

/** Redis client: every command ends within the timeout, nothing queues during an outage, and a breaker spares callers the wait. */
export class FastRedis {
  private readonly redis: Redis;
  private readonly breaker: CircuitBreaker<[(redis: Redis) => Promise<unknown>], unknown>;
  private readonly availability: Availability;

  constructor(
    private readonly options: {
      readonly url: string | Live<string>;
      /** The authority of a server with TLS, from `REDIS_CA_FILE`; without it, or empty, the public ones are trusted. */
      readonly caFile?: string;
      readonly commandTimeoutMs?: number;
    },
    logger: Logger,
    registry: Registry,
  ) {
    const timeoutMs = options.commandTimeoutMs ?? 100;
    const { url, caFile = '' } = options;
    const address = typeof url === 'string' ? url : url.current;
    this.redis = new Redis(address, {
      tls: caFile !== '' && address.startsWith('rediss:') ? authorityOf(caFile, logger) : undefined,
      commandTimeout: timeoutMs,
      connectTimeout: 1000,
      socketTimeout: socketTimeoutMs,
      disconnectTimeout: 500,
      keepAlive: keepAliveMs,
      // A server that has become a replica still responds; its host name now leads to the new primary.
      reconnectOnError: (error) => error.message.includes('READONLY'),
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => {
        this.takeUser();
        return Math.min(50 * times, 500);
      },
      lazyConnect: true,
    });
    this.breaker = new CircuitBreaker((run: (redis: Redis) => Promise<unknown>) => run(this.redis), {
      timeout: false,
      errorThresholdPercentage: 50,
      volumeThreshold: 5,
      rollingCountTimeout: 2000,
      resetTimeout: 300,
    });
    this.availability = new Availability(this.redis, this.breaker, () => this.run((redis) => redis.ping()));
    this.log(logger);
    showCertificateEnd(this.redis, registry);
    const failures = new Counter({
      name: 'redis_failures_total',
      help: 'Commands not done in time',
      registers: [registry],
    });
    this.breaker.on('failure', () => failures.inc());
    const { availability } = this;
    new Gauge({
      name: 'redis_away',
      help: '1 without a connection to Redis, and from a command that failed until a command or a ping succeeds',
      registers: [registry],
      collect() {
        this.set(Number(availability.isAway()));
      },
    });
  }

  /** Connects; continues without Redis when it is unavailable and keeps trying in the background. */
  async start(): Promise<void> {
    await this.redis.connect().catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.breaker.shutdown();
    this.availability.endPings();
    this.redis.disconnect();
  }

  /** Whether Redis does not answer now, with traffic and without. */
  isAway(): boolean {
    return this.availability.isAway();
  }

  /** Runs commands; throws `RedisAwayError` for every failure. */
  async run<T>(commands: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      return (await this.breaker.fire(commands)) as T;
    } catch (error) {
      throw new RedisAwayError('Redis is unavailable', { cause: error });
    }
  }

  /** The current user and password, for the next connection. */
  private takeUser(): void {
    const { url } = this.options;
    if (typeof url === 'string') return;
    const { username, password } = new URL(url.current);
    this.redis.options.username = decodeURIComponent(username) || undefined;
    this.redis.options.password = decodeURIComponent(password) || undefined;
  }

  private log(logger: Logger): void {
    let away = false;
    this.redis.on('error', (error: Error) => {
      if (!away) logger.warn({ err: error.message }, 'Redis is unavailable; continuing without it');
      away = true;
    });
    this.redis.on('ready', () => {
      if (away) logger.info('Redis is available again');
      away = false;
    });
  }
}
