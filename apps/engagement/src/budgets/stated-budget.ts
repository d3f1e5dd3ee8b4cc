import { Budget, TaskDefinition } from '../evaluation/definition';

/** The budget that the newest published version of a task states, for all awards that are issued from now on. */
export function statedBudget({ versions }: TaskDefinition): Budget {
  return versions[versions.length - 1].body.budget ?? {};
}

/** The number of that version. */
export function newestVersion({ versions }: TaskDefinition): number {
  return versions[versions.length - 1].version;
}
