import { Queryable, failureKindOf, inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { lockFreeUsers } from '../inbox/users.store';
import { DefinitionSet } from '../progress/live-definitions';
import { Matter, Settlement, settle } from '../settle';
import { deleteDueOfNobody, readDue, readDueUsers } from './due-times.store';
import { UsersAside } from './users-aside';

/** What one round brought. */
export interface DueRound extends Settlement {
  /** Definitions that were looked at for a user. */
  readonly settled: number;
  /** Users for whom something was due. */
  readonly users: number;
}

/**
 * Looks at what is due for at most so many users, who have waited longest, in one transaction: users whom another transaction
 * holds are left to the next round, so that instances share the work. Definitions that are paused or ended are not asked for.
 * A user whom rounds of nobody else cannot settle goes aside.
 */
export async function settleDue(parts: ApplyParts, mostUsers: number, aside = new UsersAside()): Promise<DueRound> {
  let asked: readonly number[] = [];
  try {
    return await inTransaction(parts.pool, async (tx) => {
      asked = [];
      const nowS = Math.floor(parts.now() / 1000);
      const definitions = await parts.definitions.current(tx);
      asked = await readDueUsers(tx, activeIds(definitions), { nowS, mostUsers, aside: aside.list() });
      return settleUsers(tx, asked, definitions, parts.now());
    });
  } catch (error) {
    if (asked.length !== 1 || failureKindOf(error) === 'outage' || !aside.failedAlone(asked[0])) throw error;
    throw new Error(`what is due for the user with the row ${asked[0]} cannot be settled; the user waits aside`, {
      cause: error,
    });
  }
}

async function settleUsers(
  tx: Queryable,
  userRefs: readonly number[],
  definitions: DefinitionSet,
  nowMs: number,
): Promise<DueRound> {
  if (userRefs.length === 0) return { settled: 0, users: 0, awards: [], changes: [] };
  const users = await lockFreeUsers(tx, userRefs);
  if (users.length < userRefs.length) await deleteDueOfNobody(tx, userRefs);
  const byRef = new Map(users.map((user) => [user.userRef, user]));
  const due = await readDue(tx, [...byRef.keys()], Math.floor(nowMs / 1000));
  const matters = due.flatMap(({ userRef, definitionId, reason }): Matter[] => {
    const definition = definitions.byId.get(definitionId);
    return definition && !definition.paused ? [{ user: byRef.get(userRef)!, definition, reason }] : [];
  });
  return { settled: matters.length, users: userRefs.length, ...(await settle(tx, matters, nowMs)) };
}

/** Definitions that are published and not paused. */
export function activeIds(definitions: DefinitionSet): string[] {
  return [...definitions.byId.values()].filter(({ paused }) => !paused).map(({ definitionId }) => definitionId);
}
