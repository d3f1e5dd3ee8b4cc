import { blocksOf, inlineCodeOf } from './operations-page';

/** Changes a Deployment's template as the manager `kubectl`. */
const undo = /\bkubectl\b.*\brollout undo\b/;

/** A roll-back by the tag alone. */
const tagAlone = /\bset (?:the|its) former tag\b/i;

const right = 'apply the manifests of the former release';

/**
 * How a page rolls back, if that fails. After `rollout undo`, image and ConfigMap names of the template are kubectl's, so that the
 * apply of the next release ends with a conflict and leaves the Deployment as it is. The former tag in the manifests of a release
 * starts the former images with settings and secrets that they may not know.
 */
export function rollbackProblems(text: string): string[] {
  const commands = [...blocksOf(text, 'sh').join('\n').replaceAll('\\\n', ' ').split('\n'), ...inlineCodeOf(text)];
  return [
    ...commands
      .filter((command) => undo.test(command))
      .map((command) => `an apply after "${command.trim()}" conflicts: ${right}`),
    ...(tagAlone.test(text.replace(/\s+/g, ' '))
      ? [`the former release may not start with other manifests: ${right}`]
      : []),
  ];
}
