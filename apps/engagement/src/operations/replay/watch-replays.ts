import { Logger } from '@podium/runtime/log';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';
import { moveEpoch } from '../../definitions/epoch.store';
import { ReplayFence } from './replay-fence';
import { finishReplays, isReplayDue } from './replays.store';

/** A consumer that can begin anew with the positions that are stored then. */
export interface RestartableConsumer {
  /** Ends the batches in hand, runs `between`, and goes on. */
  restart(between: () => Promise<void>): Promise<void>;
}

/** What watching needs. */
export interface ReplayWatch {
  readonly pool: Pool;
  readonly db: Queryable;
  readonly fence: ReplayFence;
  readonly consumer: RestartableConsumer;
  readonly logger: Logger;
}

/**
 * One look for replays: goes to the positions of one that has begun, and ends those that are where the reading was before.
 * When a rebuild ends, definitions are evaluated again: what they are due for by then is what the whole of the events says.
 */
export async function watchReplays({ pool, db, fence, consumer, logger }: ReplayWatch): Promise<0> {
  if (await fence.isStale(db)) {
    logger.info('a replay has begun: reading goes on at its positions');
    await consumer.restart(() => fence.arm(db));
  }
  if (!(await isReplayDue(db))) return 0;
  const finished = await inTransaction(pool, async (tx) => {
    await moveEpoch(tx);
    return finishReplays(tx);
  });
  if (finished.length > 0) logger.info({ replays: finished }, 'the events of a replay are applied');
  return 0;
}
