import { Queryable } from '@podium/runtime/postgres';
import { markTold } from '../../definitions/definition-records.store';
import { acceptTaskDays } from '../../definitions/engine-pauses.store';
import { moveEpoch } from '../../definitions/epoch.store';
import { restartSweeps } from '../../definitions/restart-sweeps.store';
import {
  PublishedDefinition,
  addMissingAudit,
  lockToldDefinitions,
  noteTaken,
  readDifferingVersions,
  restateSweepPauses,
  restateTotals,
  writeVersions,
} from './restored-definitions.store';

/** The effect of published definitions on the tables. */
export interface TakenDefinitions {
  /** Definitions that the database did not have. */
  readonly added: number;
  /** Definitions that were changed since. */
  readonly changed: number;
  /** Published versions that the database has with another content, as `<id> version <version>`: they stay as they are. */
  readonly contradictions: readonly string[];
}

/**
 * Takes published definitions that are newer than those of the database, with all versions, raised budgets, pauses of backfills and
 * missing entries of the audit trail; an older record changes nothing. Running instances learn of it by the epoch, and all users are evaluated again.
 * To be called before anything that locks users.
 */
export async function takeDefinitions(
  tx: Queryable,
  published: readonly PublishedDefinition[],
  by: string,
): Promise<TakenDefinitions> {
  if (published.length === 0) return { added: 0, changed: 0, contradictions: [] };
  await moveEpoch(tx);
  const newest = newestById(published);
  const known = await lockToldDefinitions(tx, [...newest.keys()]);
  const newer = [...newest].flatMap(([id, each]) => (each.revision > known.get(id)!.revision ? [each] : []));
  const differing = await readDifferingVersions(tx, newer);
  const refused = new Set(differing.map(({ id }) => id));
  const taken = newer.flatMap((each) => {
    const id = each.data.definition_id;
    return refused.has(id) ? [] : [{ ...each, id, isNew: !known.get(id)!.exists }];
  });
  const ids = taken.map(({ id }) => id);
  await writeVersions(tx, taken);
  await restateTotals(tx, taken);
  await restartSweeps(tx, ids);
  await restateSweepPauses(tx, taken);
  const entries = await addMissingAudit(tx, taken);
  // The other half of a lost resume: without it the engine pauses the task again for the same days.
  const resumed = entries.filter(({ action }) => action === 'task.resumed');
  for (const id of new Set(resumed.map(({ definitionId }) => definitionId))) await acceptTaskDays(tx, id);
  await noteTaken(tx, taken, by);
  await markTold(
    tx,
    taken.map(({ id: definitionId, revision }) => ({ definitionId, revision })),
  );
  const added = taken.filter(({ isNew }) => isNew).length;
  return { added, changed: taken.length - added, contradictions: differing.map(({ name }) => name) };
}

function newestById(published: readonly PublishedDefinition[]): Map<string, PublishedDefinition> {
  const newest = new Map<string, PublishedDefinition>();
  for (const each of published) {
    const known = newest.get(each.data.definition_id);
    if (!known || known.revision < each.revision) newest.set(each.data.definition_id, each);
  }
  return newest;
}
