import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow, topics } from '@podium/messages';
import { errorMessage } from '@podium/runtime/errors';
import { Kafka } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { HeldSession, Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { holdLiveSet, readLiveSet } from '../table-sets/live-table-set.store';
import { otherSet } from '../table-sets/table-set';
import { RebuildInterruptedError } from './interrupted-rebuilds.store';
import {
  Rebuild,
  RebuildSource,
  askServer,
  beginRebuild,
  finishRebuild,
  releaseRebuildLock,
  takeRebuildLock,
} from './rebuilds.store';

/** Servers and settings of a rebuild. */
export interface RebuildDependencies {
  /** At least `connectionsOfRebuild` connections, without a query timeout: sorts and indexes of whole tables take long. */
  readonly pool: Pool;
  readonly kafka: Kafka;
  readonly logger: Logger;
  readonly registry: Registry;
  /** The topic of changes; specs use another one. */
  readonly row?: ChangesRow;
  /**
   * How long a set that was live stays unchanged, milliseconds: reads that began before the swap may still use it.
   * Default 10,000.
   */
  readonly graceMs?: number;
}

/** The topic of changes, or one like it. */
export type ChangesRow = TopicRow<(typeof topics.competitionChanges)['events'][number]>;

/** Maximum number of connections that a rebuild uses at once. */
export const connectionsOfRebuild = 8;

/** Another rebuild is running. */
export class RebuildRunningError extends Error {
  constructor() {
    super('a rebuild is already running');
  }
}

/**
 * Runs `work` as the only rebuild, with exclusive use of the set that is not live, which is empty. A failure leaves the
 * live set unchanged; the next rebuild starts over. Rejects with `RebuildRunningError`, or with the error of `work`.
 */
export async function runRebuild<T>(
  dependencies: RebuildDependencies,
  source: RebuildSource,
  work: (rebuild: Rebuild) => Promise<T>,
): Promise<T> {
  const { pool, logger } = dependencies;
  if (pool.options.max < connectionsOfRebuild)
    throw new Error(`a rebuild needs a pool of ${connectionsOfRebuild} connections, not ${pool.options.max}`);
  const client = await pool.connect();
  // Another rebuild may supersede one that lost its session; the next write of this one then rejects.
  const session = await HeldSession.hold(client, { logger, close: () => client.release(true) });
  try {
    if (!(await takeRebuildLock(session))) throw new RebuildRunningError();
    await waitForGrace(dependencies);
    const begun = await inTransaction(pool, async (tx) => beginRebuild(tx, otherSet(await holdLiveSet(tx)), source));
    const rebuild = { ...begun, holds: () => checkSession(session) };
    try {
      return await work(rebuild);
    } catch (error) {
      await finishRebuild(queryable(pool), rebuild, errorMessage(error)).catch((failure: unknown) =>
        logger.warn({ err: failure }, 'could not record that the rebuild failed'),
      );
      throw error;
    } finally {
      await releaseRebuildLock(session).catch(() => undefined);
    }
  } finally {
    session.release();
  }
}

/** A failover ends all sessions, and the new server may lack transactions that the old one had committed. */
async function checkSession(session: HeldSession): Promise<void> {
  await askServer(session).catch((error: unknown) => {
    throw new RebuildInterruptedError(error);
  });
}

async function waitForGrace({ pool, logger, graceMs = 10_000 }: RebuildDependencies): Promise<void> {
  const { swappedAtMs, nowMs } = await readLiveSet(queryable(pool));
  const waitMs = swappedAtMs + graceMs - nowMs;
  if (waitMs <= 0) return;
  logger.info({ wait_ms: waitMs }, 'waiting for the last reads of the table set that was live until recently');
  await sleep(Math.min(waitMs, graceMs));
}
