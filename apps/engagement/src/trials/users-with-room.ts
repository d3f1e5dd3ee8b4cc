import { capOf } from '../awards/task-finding';
import { TrialSubject, tasksOf } from './trial';

/** The most awards of the users of one step, as far as the cap of each bounds them. */
const awardsAtOnce = 200_000;

/** A user of a task without a cap has at most one award per day of the dates, which lie in six months. */
const awardsWithoutCap = 400;

/** The most users of one step, so that the awards of all of them fit into memory; at least one. */
export function usersWithRoom(subject: TrialSubject): number {
  const caps = tasksOf(subject).map(({ task }) => capOf(task));
  const most = Math.max(awardsWithoutCap, ...caps.filter(Number.isFinite));
  return Math.max(1, Math.floor(awardsAtOnce / most));
}
