import type { TaskDefinition } from '../src/evaluation/definition';

/** The newest version of a task alone, as it is published with other dates. */
export function taskOnDates(task: TaskDefinition, from: number, to: number): TaskDefinition {
  const newest = task.versions[task.versions.length - 1];
  return {
    ...task,
    paused: false,
    endedAt: null,
    versions: [
      { version: 1, generation: 1, inForceFrom: from, body: { ...newest.body, starts_at: from, ends_at: to } },
    ],
  };
}
