import { topics } from '@podium/messages';
import { isTopicPublished } from '@podium/runtime/outbox';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { LiveDefinitions } from '../progress/live-definitions';
import { makeStaleDue } from './told-progress.store';

/**
 * Lets the progress of at most `limit` users be evaluated and told whose changes could not be told, because a relay of the
 * release before led. Returns how many users. Instances share the work.
 */
export async function tellStaleProgress(
  parts: { readonly pool: Pool; readonly definitions: LiveDefinitions; readonly now: () => number },
  limit: number,
): Promise<number> {
  return inTransaction(parts.pool, async (tx) => {
    // Under the lock of the epoch: otherwise a due time of a user who is being erased would stay.
    const { byId, isRebuilding } = await parts.definitions.current(tx);
    if (isRebuilding || !(await isTopicPublished(tx, 'engagement', topics.taskProgress))) return 0;
    const tasks = [...byId.values()].filter(({ kind }) => kind === 'task');
    return makeStaleDue(tx, tasks, { limit, nowS: Math.floor(parts.now() / 1000) });
  });
}
