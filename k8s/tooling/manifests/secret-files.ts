import { Manifest } from '../generators/yaml-file';
import { Container, Workload } from './workload';

/** A secret's file in a container. */
export interface SecretFile {
  readonly secret: string;
  /** Absolute. */
  readonly path: string;
}

/**
 * Files whose checksums a container's command stores before it starts the process, and which its liveness probe compares;
 * none if only one of the two does so.
 */
export function filesReadAtStart({ command = [], livenessProbe }: Container): string[] {
  const [, files, list] = /^sha256sum ((?:\/\S+ )+)> (\/\S+) &&/.exec(command.at(-1) ?? '') ?? [];
  const isCompared = livenessProbe?.exec?.command.at(-1)?.startsWith(`sha256sum --check --status ${list} &&`) === true;
  return isCompared ? files.trim().split(' ') : [];
}

/** The files that a container has of certificates and external secrets: all of a secret that a process reads itself. */
export function secretFilesOf(
  { spec }: Workload,
  { volumeMounts = [] }: Container,
  objects: readonly Manifest[],
): SecretFile[] {
  return volumeMounts.flatMap(({ name, mountPath }) => {
    const secret = spec.template.spec.volumes?.find((volume) => volume.name === name)?.secret;
    if (!secret) return [];
    const { secretName, items } = secret;
    return objects.flatMap((object) =>
      keysOf(object, secretName).flatMap((key) => {
        const file = items === undefined ? key : items.find((item) => item.key === key)?.path;
        return file === undefined ? [] : { secret: secretName, path: `${mountPath}/${file}` };
      }),
    );
  });
}

/** Keys whose values change when the object that makes a secret renews it; the private key changes with its certificate. */
function keysOf({ kind, spec }: Manifest, secretName: string): string[] {
  if (kind === 'Certificate') return (spec as { secretName: string }).secretName === secretName ? ['tls.crt'] : [];
  if (kind !== 'ExternalSecret') return [];
  const { target } = spec as { target: { name: string; template: { data: Readonly<Record<string, string>> } } };
  return target.name === secretName ? Object.keys(target.template.data) : [];
}
