import { Manifest } from '../generators/yaml-file';
import { filesReadAtStart, secretFilesOf } from '../manifests/secret-files';
import { Workload } from '../manifests/workload';
import { blocksOf } from './operations-page';

/**
 * Restarts on the page on rotations that could load a former secret: of a process that reads external secrets at its
 * start, before a command that refreshes each of them from the store and one that waits until the Secret has the new value.
 */
export function rotationProblems(page: string, objects: readonly Manifest[]): string[] {
  const commands = commandsOf(page);
  return commands.flatMap((command, at) => {
    const earlier = commands.slice(0, at);
    return restartedBy(command).flatMap((deployment) =>
      secretsReadAtStart(deployment, objects).flatMap((secret) => {
        const place = `the restart of ${deployment} reads Secret ${secret}`;
        const named = new RegExp(`\\s${secret}\\s`);
        const refresh = earlier.findLastIndex(
          (each) => /annotate externalsecret .*force-sync=/.test(each) && named.test(each),
        );
        if (refresh < 0) return [`${place}, which no earlier command refreshes by force-sync`];
        const isAwaited = earlier.slice(refresh + 1).some((each) => each.startsWith('until ') && named.test(each));
        return isAwaited ? [] : [`${place}: no command between force-sync and the restart waits for its new value`];
      }),
    );
  });
}

/** All commands in the order of the page, those in its prose included. */
function commandsOf(page: string): string[] {
  // A command in prose becomes a block at its place.
  const text = page.replaceAll(/`(kubectl [^`\n]+)`/g, '\n```sh\n$1\n```\n');
  return blocksOf(text, 'sh').flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
}

function restartedBy(command: string): string[] {
  return command.includes('rollout restart')
    ? [...command.matchAll(/deployment\/([\w-]+)/g)].map(([, deployment]) => deployment)
    : [];
}

function secretsReadAtStart(deployment: string, objects: readonly Manifest[]): string[] {
  const external = objects.flatMap(({ kind, metadata }) => (kind === 'ExternalSecret' ? metadata.name : []));
  return objects
    .filter((object): object is Workload => object.kind === 'Deployment' && object.metadata.name === deployment)
    .flatMap((workload) =>
      workload.spec.template.spec.containers.flatMap((container) => {
        const read = filesReadAtStart(container);
        return secretFilesOf(workload, container, objects)
          .filter(({ secret, path }) => external.includes(secret) && read.includes(path))
          .map(({ secret }) => secret);
      }),
    );
}
