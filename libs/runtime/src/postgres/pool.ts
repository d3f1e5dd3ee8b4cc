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

/**
 * Runs one transaction and retries it on deadlocks and serialization failures (40P01, 40001), at most five times: these are
 * not caused by the data.
 */
export async function inTransaction<T>(pool: Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(pool, work);
    } catch (error) {
      if (attempt >= 5 || !isContention(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** attempt * (0.5 + Math.random())));
    }
  }
}

/** A deadlock or serialization failure: the same work may succeed when retried. */
export function isContention(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code === '40P01' || code === '40001';
}

/**
 * Postgres refuses the data itself (SQLSTATE classes 22 and 23, and 54000 for a row or index entry that is too large): a
 * retry would fail the same way.
 */
export function isDataError(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code !== undefined && (code.startsWith('22') || code.startsWith('23') || code === '54000');
}

/** The name of the unique or check constraint that refused a row, if one did. */
export function violatedConstraint(error: unknown): string | undefined {
  return sqlStateOf(error)?.startsWith('23') ? (error as { constraint?: string }).constraint : undefined;
}

async function once<T>(pool: Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(queryable(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}

function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

const int8Oid = 20;

/** The parser of a type's values, in the text format by default. */
export function parserOf(oid: number, format?: string): unknown {
  if (oid === int8Oid && format !== 'binary') return Number;
  return types.getTypeParser(oid, format as 'text');
}
