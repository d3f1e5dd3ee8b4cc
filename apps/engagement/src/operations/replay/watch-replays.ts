import { Logger } from '@podium/runtime/log';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';
import { moveEpoch } from '../../definitions/epoch.store';
import { ReplayFence } from './replay-fence';
import { finishReplays, isReplayDue } from './replays.store';

/** A consumer that can restart from the stored positions. */
export interface RestartableConsumer {
  /** Ends the current batches, runs `between`, and continues. */
  restart(between: () => Promise<void>): Promise<void>;
}

/** Dependencies of `watchReplays`. */
export interface ReplayWatch {
  readonly pool: Pool;
  readonly db: Queryable;
  readonly fence: ReplayFence;
  readonly consumer: RestartableConsumer;
  readonly logger: Logger;
}

/**
 * Checks for replays once: restarts the consumer at the positions of a new one, and finishes those that have reached their end.
 * At the end of a rebuild the epoch moves, so that definitions are evaluated on all events.
 */
export async function watchReplays({ pool, db, fence, consumer, logger }: ReplayWatch): Promise<0> {
  if (await fence.isStale(db)) {
    logger.info('a replay has begun: reading continues from its positions');
    await consumer.restart(() => fence.arm(db));
  }
  if (!(await isReplayDue(db))) return 0;
  const finished = await inTransaction(pool, async (tx) => {
    await moveEpoch(tx);
    return finishReplays(tx);
  });
  if (finished.length > 0) logger.info({ replays: finished }, 'a replay is finished: its events are applied');
  return 0;
}
