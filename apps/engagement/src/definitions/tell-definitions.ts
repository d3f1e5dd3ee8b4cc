import { topics } from '@podium/messages';
import { OutboxTimelineStore, appendOutbox, isTopicPublished } from '@podium/runtime/outbox';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';
import { definitionRecord } from './definition-record';
import { lockNextUntold, lockUntold, markTold, readDefinitionData } from './definition-records.store';

const timeline = new OutboxTimelineStore('engagement');

/**
 * Publishes definitions that this transaction has changed, after their entries in the audit trail; unchanged ones are not. While
 * a relay of the release before leads, they wait for `tellWaitingDefinitions`. Refused after a failover, until lost changes are
 * restored: otherwise two versions would get one number.
 */
export async function tellDefinitions(tx: Queryable, definitionIds: readonly string[]): Promise<void> {
  await timeline.require(tx);
  if (await isPublished(tx)) await tell(tx, await lockUntold(tx, definitionIds));
}

/**
 * Publishes at most `limit` definitions that were changed by anything else than the operators' API: by the release before, which
 * has no such topic, by a migration or by a restore. Returns how many. Instances share the work.
 */
export async function tellWaitingDefinitions(pool: Pool, limit: number): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const ids = (await isPublished(tx)) ? await lockNextUntold(tx, limit) : [];
    await tell(tx, ids);
    return ids.length;
  });
}

function isPublished(tx: Queryable): Promise<boolean> {
  return isTopicPublished(tx, 'engagement', topics.definitions);
}

async function tell(tx: Queryable, definitionIds: readonly string[]): Promise<void> {
  if (definitionIds.length === 0) return;
  const definitions = await readDefinitionData(tx, definitionIds);
  const revisions = await appendOutbox(tx, 'engagement', definitions.map(definitionRecord));
  await markTold(
    tx,
    definitions.map(({ definition_id: definitionId }, at) => ({ definitionId, revision: revisions[at] })),
  );
}
