import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow, topics } from '@podium/messages';
import { errorMessage } from '@podium/runtime/errors';
import { Kafka } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { HeldSession, Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { holdLiveSet, readLiveSet } from '../projection/live-set.store';
import { otherSet } from '../projection/table-set';
import {
  Rebuild,
  RebuildInterruptedError,
  RebuildSource,
  beginRebuild,
  finishRebuild,
  releaseRebuildLock,
  takeRebuildLock,
} from './rebuilds.store';

/** What a rebuild works with. */
export interface RebuildParts {
  /** At least `connectionsOfRebuild` connections, without a bound on answers: sorts and indexes of whole tables take long. */
  readonly pool: Pool;
  readonly kafka: Kafka;
  readonly logger: Logger;
  readonly registry: Registry;
  /** The topic of changes; another one in specs. */
  readonly row?: ChangesRow;
  /**
   * How long a set that was live is left as it is, milliseconds: readers that looked up which set is live may still be
   * at it. Default 10,000.
   */
  readonly graceMs?: number;
}

/** The topic of changes, or one like it. */
export type ChangesRow = TopicRow<(typeof topics.competitionChanges)['events'][number]>;

/** Most connections that a rebuild has at once. */
export const connectionsOfRebuild = 8;

/** Somebody else rebuilds at the moment. */
export class RebuildRunningError extends Error {
  constructor() {
    super('a rebuild is running already');
  }
}

/**
 * Runs `work` as the one rebuild: it has the set that is not live for itself, empty. Whatever happens to it leaves the live
 * set as it is; the next rebuild starts over. Rejects with `RebuildRunningError`, or with what `work` rejects with.
 */
export async function runRebuild<T>(
  parts: RebuildParts,
  source: RebuildSource,
  work: (rebuild: Rebuild) => Promise<T>,
): Promise<T> {
  const { pool, logger } = parts;
  if (pool.options.max < connectionsOfRebuild)
    throw new Error(`a rebuild needs a pool of ${connectionsOfRebuild} connections, not ${pool.options.max}`);
  const client = await pool.connect();
  // A rebuild whose session is lost may be superseded, which it notices at its next step.
  const session = await HeldSession.hold(client, { logger, close: () => client.release(true) });
  try {
    if (!(await takeRebuildLock(session))) throw new RebuildRunningError();
    await waitForGrace(parts);
    const begun = await inTransaction(pool, async (tx) => beginRebuild(tx, otherSet(await holdLiveSet(tx)), source));
    const rebuild = { ...begun, holds: () => askSession(session) };
    try {
      return await work(rebuild);
    } catch (error) {
      await finishRebuild(queryable(pool), rebuild, errorMessage(error)).catch((failure: unknown) =>
        logger.warn({ err: failure }, 'the end of a rebuild could not be noted'),
      );
      throw error;
    } finally {
      await releaseRebuildLock(session).catch(() => undefined);
    }
  } finally {
    session.release();
  }
}

/** A server that fails over ends all sessions, and a standby that lags may lack what this one had committed. */
async function askSession(session: HeldSession): Promise<void> {
  await session.query('SELECT 1').catch((error: unknown) => {
    throw new RebuildInterruptedError(error);
  });
}

async function waitForGrace({ pool, logger, graceMs = 10_000 }: RebuildParts): Promise<void> {
  const { swappedAtMs, nowMs } = await readLiveSet(queryable(pool));
  const waitMs = swappedAtMs + graceMs - nowMs;
  if (waitMs <= 0) return;
  logger.info({ wait_ms: waitMs }, 'the other set was live a moment ago: waiting for its last readers');
  await sleep(Math.min(waitMs, graceMs));
}
