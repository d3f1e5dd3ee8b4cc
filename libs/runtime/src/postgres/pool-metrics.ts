import { Pool, PoolClient } from 'pg';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of all pools of a process. */
interface PoolMetrics {
  readonly pools: Map<string, Pool>;
  readonly waitSeconds: Histogram<'pool'>;
  readonly connectFailures: Counter<'pool'>;
}

const metricsOf = new WeakMap<Registry, PoolMetrics>();

/** Exports a pool's connections, the wait of its callers for one, and how often none was available. */
export function registerPoolMetrics(pool: Pool, name: string, registry: Registry): void {
  let metrics = metricsOf.get(registry);
  if (!metrics) metricsOf.set(registry, (metrics = register(registry)));
  metrics.pools.set(name, pool);
  metrics.connectFailures.inc({ pool: name }, 0);
  metrics.waitSeconds.zero({ pool: name });
  timeConnects(pool, metrics.waitSeconds.labels(name), metrics.connectFailures.labels(name));
}

function register(registry: Registry): PoolMetrics {
  const registers = [registry];
  const pools = new Map<string, Pool>();
  new Gauge({
    name: 'postgres_pool_connections',
    help: 'Connections by pool and state',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [label, { idleCount, totalCount, waitingCount }] of pools) {
        this.set({ pool: label, state: 'idle' }, idleCount);
        this.set({ pool: label, state: 'used' }, totalCount - idleCount);
        this.set({ pool: label, state: 'waiting' }, waitingCount);
      }
    },
  });
  return {
    pools,
    waitSeconds: new Histogram({
      name: 'postgres_pool_wait_seconds',
      help: 'Time until a caller has a connection, a new one or one that another gave back',
      labelNames: ['pool'],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 3],
      registers,
    }),
    connectFailures: new Counter({
      name: 'postgres_pool_connect_failures_total',
      help: 'Callers that got no connection: the server is away, or all were in use for too long',
      labelNames: ['pool'],
      registers,
    }),
  };
}

type Connected = (error: Error | undefined, client?: PoolClient, done?: (release?: unknown) => void) => void;

/** Every request for a connection calls `connect`, also the pool's own `query`. */
function timeConnects(pool: Pool, waitSeconds: Histogram.Internal<'pool'>, failures: Counter.Internal): void {
  const connect = pool.connect.bind(pool) as (callback: Connected) => void;
  const timed = (callback: Connected): void => {
    const startedMs = performance.now();
    connect((error, client, done) => {
      if (error) failures.inc();
      else waitSeconds.observe((performance.now() - startedMs) / 1000);
      callback(error, client, done);
    });
  };
  const promised = (): Promise<PoolClient> =>
    new Promise((resolve, reject) => timed((error, client) => (error ? reject(error) : resolve(client!))));
  pool.connect = ((callback?: Connected) => (callback ? timed(callback) : promised())) as Pool['connect'];
}
