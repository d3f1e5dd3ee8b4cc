import { capOf } from '../awards/task-finding';
import { StoredGroup } from './stored-groups.queries';
import { TrialSubject, tasksOf } from './trial';

/** The most stored events of the users of one step, so that its memory is bounded. */
const eventsAtOnce = 20_000;

/** The most awards of the users of one step, as far as the cap of each bounds them. */
const awardsAtOnce = 200_000;

/** A user of a task without a cap has at most one award per day of the dates, which lie in six months. */
const awardsWithoutCap = 400;

/** Users that are evaluated before other work of the process has its turn. */
const usersPerTurn = 20;

/** The first users whose stored events fit into memory together; at least one, whose number of events is capped. */
export function firstThatFit<User extends { readonly userRef: number }>(
  users: readonly User[],
  groups: readonly StoredGroup[],
): readonly User[] {
  const eventsOf = new Map<number, number>();
  for (const { userRef, events } of groups) eventsOf.set(userRef, (eventsOf.get(userRef) ?? 0) + events);
  let room = eventsAtOnce;
  const tooMany = users.findIndex(({ userRef }, index) => {
    room -= eventsOf.get(userRef) ?? 0;
    return index > 0 && room < 0;
  });
  return tooMany === -1 ? users : users.slice(0, tooMany);
}

/** The most users of one step, so that the awards of all of them fit into memory; at least one. */
export function usersWithRoom(subject: TrialSubject): number {
  const caps = tasksOf(subject).map(({ task }) => capOf(task));
  const most = Math.max(awardsWithoutCap, ...caps.filter(Number.isFinite));
  return Math.max(1, Math.floor(awardsAtOnce / most));
}

/** Computes something for each user and lets other work of the process have its turn in between. */
export async function inTurns<User, Result>(
  users: readonly User[],
  compute: (user: User) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, user] of users.entries()) {
    if (index % usersPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    results.push(compute(user));
  }
  return results;
}
