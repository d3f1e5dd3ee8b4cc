import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../applying/apply-parts';
import { wantedBy } from '../applying/matters';
import { Matter, Settlement, nothingSettled, settle } from '../applying/settle';
import {
  dropHistories,
  readUnmarkedNames,
  readUsersWithUnmarked,
  takeUnmarkedEvents,
} from '../history/histories.store';
import { LoadedHistories } from '../history/loaded-histories';
import { DefinitionSet } from '../progress/definition-set';
import { lockFreeUsers } from '../users/users.store';
import { UsersAside, inRoundOfUsers } from './users-aside';

/** The result of one round. */
export interface TakenRound extends Settlement {
  readonly users: number;
}

/**
 * Takes the events that the release before applied into the histories of at most `mostUsers` users, and evaluates the
 * definitions that name them. Users locked by another transaction wait for the next round. A user for whom that fails
 * repeatedly in a round of its own is set aside, with events and histories as they are.
 */
export async function takeUnmarked(
  parts: ApplyParts,
  mostUsers: number,
  aside = new UsersAside(),
): Promise<TakenRound> {
  return inRoundOfUsers(aside, (begin) =>
    inTransaction(parts.pool, async (tx) => {
      begin([]);
      const definitions = await parts.definitions.currentForSlowWork(tx);
      const waiting = definitions.isRebuilding ? [] : await readUsersWithUnmarked(tx, mostUsers, aside.list());
      begin(waiting);
      return takeUsers(tx, parts, definitions, waiting);
    }),
  );
}

async function takeUsers(
  tx: Queryable,
  parts: ApplyParts,
  definitions: DefinitionSet,
  waiting: readonly number[],
): Promise<TakenRound> {
  if (waiting.length === 0) return { users: 0, ...nothingSettled };
  const users = await lockFreeUsers(tx, waiting);
  const byRef = new Map(users.map((user) => [user.userRef, user]));
  const keys = await readUnmarkedNames(tx, [...byRef.keys()]);
  const definitionsOf = ({ userRef, name }: (typeof keys)[number]) =>
    definitions.forEvent(byRef.get(userRef)!.platform, name).all;
  const matters = new Map<string, Matter>();
  for (const key of keys)
    for (const definition of definitionsOf(key))
      matters.set(`${key.userRef}/${definition.definitionId}`, {
        user: byRef.get(key.userRef)!,
        definition,
        reason: 'definition',
      });
  const isPartial = ({ userRef }: (typeof keys)[number]): boolean =>
    definitions.isPartial(byRef.get(userRef)!.platform);
  const unnamed = keys.filter((key) => definitionsOf(key).length === 0);
  const histories = new LoadedHistories(definitions);
  await histories.load(tx, [
    ...wantedBy([...matters.values()]),
    ...unnamed
      .filter(isPartial)
      .map(({ userRef, name }) => ({ user: byRef.get(userRef)!, names: [name], storedOnly: true })),
  ]);
  for (const { userRef, event } of await takeUnmarkedEvents(tx, keys))
    if (histories.isLoaded(userRef, event.name)) histories.add(userRef, event);
  await dropHistories(
    tx,
    unnamed.filter((key) => !isPartial(key)),
  );
  const settlement = await settle(tx, [...matters.values()], {
    ...{ definitions, histories, nowMs: parts.now() },
    linksPassedS: parts.linkProgress?.passedS(),
    isDivisible: users.length > 1,
  });
  await histories.write(tx);
  return { users: users.length, ...settlement };
}
