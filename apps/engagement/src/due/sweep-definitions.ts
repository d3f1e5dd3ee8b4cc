import { inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../applying/apply-parts';
import { CompiledDefinition } from '../evaluation/compiled-definition';
import { moveSweep, readFinishedSweeps, takeSweep } from './definition-sweeps.store';
import { makeDueForUsers } from '../progress/due-times.store';

/**
 * Makes newly published versions due for users who existed before them, at most `mostUsers` per version. The due task then
 * evaluates them. Returns the number of users; 0 when no user is left.
 */
export async function sweepDefinitions(parts: ApplyParts, mostUsers: number): Promise<number> {
  const waiting = await inTransaction(parts.pool, async (tx) => {
    const { byId } = await parts.definitions.current(tx);
    const concerned = [...byId.values()].filter(concernsPresentUsers);
    const finished = await readFinishedSweeps(tx, concerned);
    return concerned.filter(({ definitionId, version }) => !finished.has(`${definitionId}/${version}`));
  });
  let swept = 0;
  for (const definition of waiting) swept += await sweepPart(parts, definition, mostUsers);
  return swept;
}

/** Runs under the lock of the epoch: otherwise a due time of a user who is being erased would stay. */
async function sweepPart(parts: ApplyParts, definition: CompiledDefinition, limit: number): Promise<number> {
  return inTransaction(parts.pool, async (tx) => {
    await parts.definitions.current(tx);
    const sweep = await takeSweep(tx, definition);
    if (!sweep) return 0;
    const nowS = Math.floor(parts.now() / 1000);
    const { users, last } = await makeDueForUsers(tx, definition, { afterUserRef: sweep.afterUserRef, limit, nowS });
    await moveSweep(tx, definition, last);
    return users;
  });
}

/** The first version of a task has no state of any user; a segment may hold for users without events. */
function concernsPresentUsers(definition: CompiledDefinition): boolean {
  return definition.kind === 'segment' || definition.version > 1;
}
