import { Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { endTaskOver, readTasksOver } from './closed-tasks.store';
import { appendAudit } from './definition-audit.store';
import { engineOperator, lockDefinition } from './engine-pauses.store';
import { holdSlowWork, moveEpoch } from './epoch.store';
import { knownAfterEndS } from './published-definitions.store';

/**
 * Ends tasks that closed so long ago that no event of before their close can still be applied, each with an entry in the audit
 * trail. Nothing of them is evaluated any more then, and their state goes. Returns how many it ended.
 */
export async function endClosedTasks(pool: Pool, nowMs: number): Promise<number> {
  const untilS = Math.floor(nowMs / 1000) - knownAfterEndS;
  let ended = 0;
  for (const definitionId of await readTasksOver(queryable(pool), untilS))
    if (await endOne(pool, definitionId, untilS)) ended++;
  return ended;
}

function endOne(pool: Pool, definitionId: string, untilS: number): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    await lockDefinition(tx, definitionId);
    await holdSlowWork(tx);
    const task = await endTaskOver(tx, definitionId, untilS);
    if (task === null) return false;
    const { organizerId, endedAt, ...details } = task;
    await appendAudit(tx, {
      ...{ operatorId: engineOperator, organizerId, action: 'task.ended', definitionId },
      details: { ...details, ended_at: endedAt },
    });
    await moveEpoch(tx);
    return true;
  });
}
