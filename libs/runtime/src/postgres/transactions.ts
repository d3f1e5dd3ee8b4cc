import type { Pool, PoolClient } from 'pg';
import { queryable } from './pool';
import { Queryable } from './queryable';
import { isContention } from './refusals';

/** A connection that is one caller's alone, so that its temporary tables outlive a transaction. */
export interface OwnSession {
  /** Statements outside of a transaction: while none is open, this session keeps no removed row from vacuum. */
  readonly db: Queryable;
  /** Runs one transaction of this session, as `inTransaction` does; `snapshot` lets all its statements see one state. */
  inTransaction<T>(work: (tx: Queryable) => Promise<T>, reads?: 'snapshot'): Promise<T>;
}

/**
 * Runs one transaction and retries it on deadlocks and serialization failures (40P01, 40001), at most five times: these are
 * not caused by the data.
 */
export async function inTransaction<T>(pool: Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return retried(async () => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await once(client, 'BEGIN', work, (failure) => (broken = failure));
    } finally {
      client.release(broken);
    }
  });
}

/** Runs work with a connection of its own, which is closed at the end, and its temporary tables with it. */
export async function inOwnSession<T>(pool: Pool, work: (session: OwnSession) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work({
      db: queryable(client),
      inTransaction: (ofTransaction, reads) =>
        retried(() =>
          once(client, reads === 'snapshot' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN', ofTransaction),
        ),
    });
  } finally {
    client.release(true);
  }
}

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts >= 5 || !isContention(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** attempts * (0.5 + Math.random())));
    }
  }
}

async function once<T>(
  client: PoolClient,
  begin: string,
  work: (tx: Queryable) => Promise<T>,
  onBroken: (failure: Error) => void = () => undefined,
): Promise<T> {
  try {
    await client.query(begin);
    const result = await work(queryable(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  }
}
