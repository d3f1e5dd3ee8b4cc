import { TaskFinding } from '../src/awards/task-finding';
import { TaskBody, TaskDefinition } from '../src/evaluation/definition';
import { LinkPeriod } from '../src/evaluation/history';
import { Occurrences, Owed } from '../src/evaluation/owed';
import { LockedUser } from '../src/users/users.store';

export const nowMs = Date.parse('2026-11-20T12:00:00Z');
export const nowS = nowMs / 1000;

const defaults: TaskBody = {
  goal: { count: { event: 'deposit', where: [] }, window: { task: true }, op: 'gte', value: '1' },
  repeat: { every: '1' },
  zone: 'UTC',
  reward: { type: 'points', amount: '1' },
  claw_back: 'none',
  max_per_event: 10,
};

/** A task of one version. */
export function taskOf(
  body: Partial<TaskBody> = {},
  {
    paused = false,
    endedAt = null,
    definitionId = '00000000-0000-4000-8000-000000000001',
  }: Partial<TaskDefinition> = {},
): TaskDefinition {
  return {
    ...{ kind: 'task', definitionId, platform: 'acme', organizerId: 'organizer-1', paused, endedAt, specs: {} },
    versions: [{ version: 1, generation: 1, inForceFrom: 0, body: { ...defaults, ...body } }],
  };
}

/** The task with a further version that changes these fields. */
export function nextVersion(task: TaskDefinition, changes: Partial<TaskBody>): TaskDefinition {
  const last = task.versions[task.versions.length - 1];
  const body = { ...last.body, ...changes };
  return { ...task, versions: [...task.versions, { ...last, version: last.version + 1, body }] };
}

/** One occurrence of `every`, or a range of them. */
export function every(first: number, last = first): Occurrences {
  return { kind: 'every', generation: 1, first, last };
}

export function one(occurrence: string): Occurrences {
  return { kind: 'one', occurrence };
}

/** Occurrences reached some seconds before now, decided by an event of the account. */
export function owedAgo(secondsAgo: number, occurrences: Occurrences, changes: Partial<Owed> = {}): Owed {
  const reachedAt = nowS - secondsAgo;
  const decidedBy = { id: `event-${secondsAgo}`, createdAt: reachedAt, account: 'account-1' };
  return {
    ...{ occurrences, reachedAt, version: 1, decidedBy, account: 'account-1' },
    reward: { type: 'points', amount: '1' },
    evidence: { values: { goal: '1' }, events: [decidedBy] },
    ...changes,
  };
}

/** A finding of everything since ten days ago. */
export function findingOf(
  task: TaskDefinition,
  owed: readonly Owed[],
  { user = userOf(1), finalTo = nowS - 10 * 86_400, links = [] }: FindingParts = {},
): TaskFinding {
  return { user, task, owed, finalTo, links };
}

interface FindingParts {
  readonly user?: LockedUser;
  readonly finalTo?: number;
  readonly links?: readonly LinkPeriod[];
}

export function userOf(userRef: number): LockedUser {
  return { userRef, platform: 'acme', userId: `user-${userRef}` };
}
