import { blocksOf, inlineCodeOf } from './operations-page';

/** Changes a Deployment's template as the manager `kubectl`. */
const undo = /\bkubectl\b.*\brollout undo\b/;

/**
 * Commands of a page that roll back by `rollout undo`. Image and ConfigMap names of the template are then kubectl's, so that
 * the apply of the next release ends with a conflict and leaves the Deployment as it is.
 */
export function rollbackProblems(text: string): string[] {
  const commands = [...blocksOf(text, 'sh').join('\n').replaceAll('\\\n', ' ').split('\n'), ...inlineCodeOf(text)];
  return commands
    .filter((command) => undo.test(command))
    .map((command) => `an apply after "${command.trim()}" conflicts: set the former tag in release.yaml and apply`);
}
