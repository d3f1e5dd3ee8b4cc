import { inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { lockFreeUsers } from '../inbox/users.store';
import { DefinitionSet } from '../progress/live-definitions';
import { Matter, Settlement, settle } from '../settle';
import { readDue, readDueUsers } from './due-times.store';

/** What one round brought. */
export interface DueRound extends Settlement {
  /** Definitions that were looked at for a user. */
  readonly settled: number;
}

/**
 * Looks at what is due, a bounded part of it, in one transaction: users whom another transaction holds are left to the next
 * round, so that instances share the work. Definitions that are paused or ended are not asked for.
 */
export async function settleDue(parts: ApplyParts, limitPerDefinition: number): Promise<DueRound> {
  return inTransaction(parts.pool, async (tx) => {
    const nowMs = parts.now();
    const nowS = Math.floor(nowMs / 1000);
    const definitions = await parts.definitions.current(tx);
    const userRefs = await readDueUsers(tx, activeIds(definitions), nowS, limitPerDefinition);
    if (userRefs.length === 0) return { settled: 0, awards: [], changes: [] };
    const users = await lockFreeUsers(tx, userRefs);
    const byRef = new Map(users.map((user) => [user.userRef, user]));
    const due = await readDue(tx, [...byRef.keys()], nowS);
    const matters = due.flatMap(({ userRef, definitionId, reason }): Matter[] => {
      const definition = definitions.byId.get(definitionId);
      return definition && !definition.paused ? [{ user: byRef.get(userRef)!, definition, reason }] : [];
    });
    return { settled: matters.length, ...(await settle(tx, matters, nowMs)) };
  });
}

/** Definitions that are published and not paused. */
export function activeIds(definitions: DefinitionSet): string[] {
  return [...definitions.byId.values()].filter(({ paused }) => !paused).map(({ definitionId }) => definitionId);
}
