import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../applying/apply-parts';
import { lockFreeUsers } from '../users/users.store';
import { DefinitionSet, LiveDefinition } from '../progress/definition-set';
import { settleMatters } from '../applying/matters';
import { Matter, Settlement, nothingSettled } from '../applying/settle';
import { deleteOrphanedDueTimes, readDue, readDueUsers } from '../progress/due-times.store';
import { DueUsers } from './due-users';
import { UsersAside, inRoundOfUsers } from './users-aside';

/** Users who are found due at once, in rounds; few, because what falls due meanwhile waits for them. */
const roundsFound = 10;
const mostFound = 500;

/** The result of one round. */
export interface DueRound extends Settlement {
  /** Number of evaluated pairs of user and definition. */
  readonly settled: number;
  /** Number of users with a due definition. */
  readonly users: number;
}

/**
 * Evaluates the due definitions of at most `mostUsers` users in one transaction, longest waiting first. Users locked by
 * another transaction wait for a later round, so that instances share the work. `dueUsers` has those who are found due and
 * left for the next rounds.
 * A paused segment waits until it is resumed, for good if it ends before; a paused task is evaluated and holds what it reaches;
 * another ended definition is evaluated while the engine knows it, for `knownAfterEndS` or longer. Tasks wait until the view of
 * links has passed the due time.
 * A user whose evaluation fails repeatedly in a round of its own is set aside.
 */
export async function settleDue(
  parts: ApplyParts,
  mostUsers: number,
  aside = new UsersAside(),
  dueUsers = new DueUsers(),
): Promise<DueRound> {
  const round = (begin: (userRefs: readonly number[]) => void): Promise<DueRound> =>
    inTransaction(parts.pool, async (tx) => {
      begin([]);
      const nowS = Math.floor(parts.now() / 1000);
      const definitions = await parts.definitions.currentForSlowWork(tx);
      // Before an evaluation reads them.
      const linksPassedS = parts.linkProgress?.passedS() ?? Infinity;
      const due = activeIds(definitions).map((definitionId) => ({
        definitionId,
        untilS: definitions.byId.get(definitionId)?.kind === 'task' ? Math.min(nowS, linksPassedS) : nowS,
      }));
      if (dueUsers.isEmpty)
        dueUsers.found(
          await readDueUsers(tx, due, { mostUsers: Math.min(mostFound, mostUsers * roundsFound), aside: aside.list() }),
          nowS,
        );
      const asked = dueUsers.take(mostUsers);
      begin(asked);
      return settleUsers(tx, asked, definitions, { nowMs: parts.now(), linksPassedS });
    });
  try {
    return await inRoundOfUsers(aside, round);
  } catch (error) {
    dueUsers.clear();
    throw error;
  }
}

async function settleUsers(
  tx: Queryable,
  userRefs: readonly number[],
  definitions: DefinitionSet,
  { nowMs, linksPassedS }: { nowMs: number; linksPassedS: number },
): Promise<DueRound> {
  if (userRefs.length === 0) return { settled: 0, users: 0, ...nothingSettled };
  const users = await lockFreeUsers(tx, userRefs);
  if (users.length < userRefs.length) await deleteOrphanedDueTimes(tx, userRefs);
  const byRef = new Map(users.map((user) => [user.userRef, user]));
  const due = await readDue(tx, [...byRef.keys()], Math.floor(nowMs / 1000));
  const matters = due.flatMap(({ userRef, definitionId, reason }): Matter[] => {
    const definition = definitions.byId.get(definitionId);
    return definition && isEvaluated(definition) ? [{ user: byRef.get(userRef)!, definition, reason }] : [];
  });
  const settlement = await settleMatters(tx, matters, {
    ...{ definitions, nowMs, linksPassedS },
    isDivisible: users.length > 1,
  });
  return { settled: matters.length, users: userRefs.length, ...settlement };
}

/** Definitions whose due times are evaluated: a paused segment waits, a paused task holds what it reaches. */
export function activeIds(definitions: DefinitionSet): string[] {
  if (definitions.isRebuilding) return [];
  return [...definitions.byId.values()].filter(isEvaluated).map(({ definitionId }) => definitionId);
}

function isEvaluated({ kind, paused }: LiveDefinition): boolean {
  return kind === 'task' || !paused;
}
