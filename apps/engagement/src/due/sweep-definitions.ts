import { inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { CompiledDefinition } from '../evaluation/compiled-definition';
import { moveSweep, readFinishedSweeps, takeSweep } from './definition-sweeps.store';
import { makeDueForUsers } from './due-times.store';

/**
 * Brings newly published versions to the users who were there before them: a bounded part becomes due, the due worker does
 * the rest. Returns whether more users are waiting.
 */
export async function sweepDefinitions(parts: ApplyParts, limit: number): Promise<boolean> {
  const waiting = await inTransaction(parts.pool, async (tx) => {
    const { byId } = await parts.definitions.current(tx);
    const concerned = [...byId.values()].filter(concernsPresentUsers);
    const finished = await readFinishedSweeps(tx, concerned);
    return concerned.filter(({ definitionId, version }) => !finished.has(`${definitionId}/${version}`));
  });
  let more = false;
  for (const definition of waiting) more = (await sweepPart(parts, definition, limit)) || more;
  return more;
}

async function sweepPart(parts: ApplyParts, definition: CompiledDefinition, limit: number): Promise<boolean> {
  return inTransaction(parts.pool, async (tx) => {
    const sweep = await takeSweep(tx, definition);
    if (!sweep) return false;
    const nowS = Math.floor(parts.now() / 1000);
    const last = await makeDueForUsers(tx, definition, { afterUserRef: sweep.afterUserRef, limit, nowS });
    await moveSweep(tx, definition, last);
    return last !== null;
  });
}

/** A first version of a task has no state of anybody yet; a segment may hold for users without events. */
function concernsPresentUsers(definition: CompiledDefinition): boolean {
  return definition.kind === 'segment' || definition.version > 1;
}
