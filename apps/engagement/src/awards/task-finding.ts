import { TaskBody, TaskDefinition, newestBody } from '../evaluation/definition';
import { LinkPeriod } from '../evaluation/history';
import { Occurrences, Owed } from '../evaluation/owed';
import { LockedUser } from '../users/users.store';
import { Cause } from './cause';

/** What a task owes a user, as the evaluation found it; at most one per user and task. */
export interface TaskFinding {
  readonly user: LockedUser;
  readonly task: TaskDefinition;
  /** Every occurrence first reached in [finalTo, now], ordered by `reachedAt`. */
  readonly owed: readonly Owed[];
  /** Unix seconds: occurrences first reached before it are final: no new one is found, and none is reversed. */
  readonly finalTo: number;
  /** Occurrences of `every` that events of before `finalTo` have passed, also such that arrived late. */
  readonly finalSteps?: Occurrences;
  /** The user's links, ordered by `linkedAt`. */
  readonly links: readonly LinkPeriod[];
  /** Unix seconds up to which `links` are complete; left out where nothing waits for them. */
  readonly linksPassedS?: number;
  readonly cause?: Cause;
}

/** A task of a locked user. */
export type TaskOfUser = Pick<TaskFinding, 'user' | 'task' | 'cause'>;

/** The most occurrences of a user that are issued or held: of the newest version, for all instants. */
export function capOf(task: TaskDefinition): number {
  const { repeat, max_per_user = Infinity } = newestBody(task);
  return 'once' in repeat ? Math.min(1, max_per_user) : max_per_user;
}

/** The body of a version; undefined for one that the task no longer lists. */
export function bodyOf(task: TaskDefinition, version: number): TaskBody | undefined {
  return task.versions.find((each) => each.version === version)?.body;
}
