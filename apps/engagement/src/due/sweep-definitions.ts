import { inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../applying/apply-parts';
import { makeHeldDue } from '../awards/unissued.store';
import { DefinitionSet, LiveDefinition } from '../progress/definition-set';
import { moveSweep, readFinishedSweeps, takeSweep } from './definition-sweeps.store';
import { countSweptDue, makeDueForUsers } from '../progress/due-times.store';
import { activeIds } from './settle-due';
import { UsersAside } from './users-aside';

/** So many times the users of one transaction may be waiting for their evaluation. */
const pagesAhead = 5;

/**
 * Makes newly published versions due for users who existed before them, at most `mostUsers` per version, and what a pause held
 * for users once it has ended. The due task then evaluates them. A version for which many users still wait gets no more of
 * them, so that its backfill is never far ahead of the evaluation; users who are set aside do not count. A paused one gets none. Returns the number of users; 0 when
 * no user is left, or all versions wait.
 */
export async function sweepDefinitions(
  parts: ApplyParts,
  mostUsers: number,
  aside = new UsersAside(),
): Promise<number> {
  const waiting = await inTransaction(parts.pool, async (tx) => {
    const { byId } = await parts.definitions.current(tx);
    const concerned = [...byId.values()];
    const finished = await readFinishedSweeps(tx, concerned);
    return concerned.filter(({ definitionId, version }) => !finished.has(`${definitionId}/${version}`));
  });
  let swept = await resumeHeld(parts, mostUsers);
  for (const definition of waiting) swept += await sweepPart(parts, definition, mostUsers, aside.list());
  return swept;
}

/** What a pause held is due once the pause has ended. */
async function resumeHeld(parts: ApplyParts, limit: number): Promise<number> {
  return inTransaction(parts.pool, async (tx) => {
    const { byId, isRebuilding } = await parts.definitions.currentForSlowWork(tx);
    const active = [...byId.values()].filter(({ kind, paused }) => kind === 'task' && !paused && !isRebuilding);
    const ids = active.map(({ definitionId }) => definitionId);
    return makeHeldDue(tx, ids, { nowS: Math.floor(parts.now() / 1000), limit });
  });
}

/** Runs under the lock of the epoch: otherwise a due time of a user who is being erased would stay. */
async function sweepPart(
  parts: ApplyParts,
  definition: LiveDefinition,
  limit: number,
  aside: readonly number[],
): Promise<number> {
  return inTransaction(parts.pool, async (tx) => {
    const definitions = await parts.definitions.currentForSlowWork(tx);
    const sweep = await takeSweep(tx, definition);
    if (!sweep) return 0;
    const concerned = concernedBy(definition, definitions);
    const evaluated = new Set(activeIds(definitions));
    const most = limit * pagesAhead;
    const waiting = await countSweptDue(
      tx,
      concerned.filter((id) => evaluated.has(id)),
      { most, aside },
    );
    if (waiting >= most) return 0;
    const page = { afterUserRef: sweep.afterUserRef, limit, nowS: Math.floor(parts.now() / 1000) };
    const { users, last } = await makeDueForUsers(tx, definition.platform, concerned, page);
    await moveSweep(tx, definition, { users, last });
    return users;
  });
}

/**
 * A version of a segment also changes the definitions that depend on it. A segment that ended while it was paused is never
 * evaluated itself: its due times would stay.
 */
function concernedBy(
  { definitionId, platform, paused, definition: { kind, endedAt } }: LiveDefinition,
  definitions: DefinitionSet,
): string[] {
  const own = kind === 'segment' && paused && endedAt !== null ? [] : [definitionId];
  const dependent = definitions.ofPlatform(platform).filter(({ dependsOn }) => dependsOn.has(definitionId));
  return [...own, ...dependent.map((each) => each.definitionId)];
}
