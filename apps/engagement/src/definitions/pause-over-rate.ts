import { Logger } from '@podium/runtime/log';
import { Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { appendAudit } from './definition-audit.store';
import {
  PausedTask,
  TaskOverRate,
  engineOperator,
  lockDefinition,
  pauseTask,
  readTasksOverRate,
} from './engine-pauses.store';
import { holdSlowWork, moveEpoch } from './epoch.store';

/**
 * Pauses tasks that have issued more awards of one UTC day of `reached_at` than they may, each with an entry in the audit trail and
 * a line in the log. What they reach from then on is held, and paid when an operator resumes them; of tasks that have ended, which
 * nobody can resume, it is never paid. Returns how many it paused.
 */
export async function pauseTasksOverRate(pool: Pool, logger: Logger): Promise<number> {
  let paused = 0;
  for (const task of await readTasksOverRate(queryable(pool))) {
    const found = await pauseOne(pool, task);
    if (found === null) continue;
    paused++;
    const { definitionId, day, awards, max_per_day } = task;
    logger.warn(
      { task_id: definitionId, version: found.version, day, awards, max_per_day },
      found.endedAt === null
        ? 'the engine has paused a task, because it awards more than it may; an operator decides whether to resume it'
        : 'the engine has paused a task that has ended, because it awards more than it may; what it reaches now is never paid',
    );
  }
  return paused;
}

function pauseOne(pool: Pool, { definitionId, ...because }: TaskOverRate): Promise<PausedTask | null> {
  return inTransaction(pool, async (tx) => {
    await lockDefinition(tx, definitionId);
    // Another instance may have paused it, or an operator paused or resumed it.
    const stillOver = (await readTasksOverRate(tx)).some((task) => task.definitionId === definitionId);
    if (!stillOver) return null;
    await holdSlowWork(tx);
    const task = await pauseTask(tx, definitionId, because);
    if (task === null) return null;
    const { organizerId, endedAt, ...details } = task;
    await appendAudit(tx, {
      ...{ operatorId: engineOperator, organizerId, action: 'task.paused', definitionId },
      details: { ...details, ...because, ...(endedAt === null ? {} : { ended_at: endedAt }) },
    });
    await moveEpoch(tx);
    return task;
  });
}
