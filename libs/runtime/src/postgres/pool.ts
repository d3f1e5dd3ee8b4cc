import { Pool, PoolClient, types } from 'pg';
import { Registry } from 'prom-client';
import { Logger } from '../log';
import { presentUrl } from './address';
import { withBinaryArrays } from './binary-arrays';
import { registerPoolMetrics } from './pool-metrics';
import { Queryable } from './queryable';
import { SessionOptions, sessionOptions } from './session-options';

export type { Pool, PoolClient } from 'pg';

/** A pool's server and bounds. */
export interface PoolOptions extends SessionOptions {
  /** Maximum number of connections. */
  readonly size: number;
  readonly service: string;
  /** Label of the pool in the service's metrics; default main. */
  readonly name?: string;
}

/** Creates a pool; int8 columns are read as numbers (all ids stay below 2^53), numeric as exact text. */
export function createPool(options: PoolOptions, logger: Logger, registry: Registry): Pool {
  const pool = new Pool({
    ...sessionOptions(options),
    connectionString: presentUrl(options.url),
    max: options.size,
    application_name: options.service,
    idleTimeoutMillis: 30_000,
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  });
  // The pool reports errors of idle connections only. If one in use breaks between two statements, as in a server restart,
  // only its own listeners are called; without one the error would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a Postgres connection broke'));
  });
  pool.on('error', () => undefined);
  registerPoolMetrics(pool, options.name ?? 'main', registry);
  return pool;
}

/** Adapts a pool or client to the interface of stores. */
export function queryable(client: Pool | PoolClient): Queryable {
  return {
    query: async (text, values) =>
      client.query(text, values === undefined ? undefined : withBinaryArrays(text, values)),
  };
}

const int8Oid = 20;

/** The parser of a type's values, in the text format by default. */
export function parserOf(oid: number, format?: string): unknown {
  if (oid === int8Oid && format !== 'binary') return Number;
  return types.getTypeParser(oid, format as 'text');
}
