import type { TaskDefinition } from '../../src/evaluation/definition';
import type { World } from './world';

/** The most occurrences that a user is issued and held together: what the newest version allows, and 1 of a task that pays once. */
export function capOf({ versions }: TaskDefinition): number {
  const { repeat, max_per_user } = versions[versions.length - 1].body;
  const allowed = max_per_user ?? Infinity;
  return 'once' in repeat && allowed > 1 ? 1 : allowed;
}

/** Receipts from then on do not count: the newest end, by date or by hand, plus the horizon. */
export function closesAt({ horizonS }: Pick<World, 'horizonS'>, task: TaskDefinition): number {
  const newestEnd = task.versions[task.versions.length - 1].body.ends_at ?? Infinity;
  return Math.min(newestEnd, task.endedAt ?? Infinity) + horizonS;
}
