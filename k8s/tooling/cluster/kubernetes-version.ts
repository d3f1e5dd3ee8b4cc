import * as path from 'node:path';
import { StackFailure } from '../../../tools/stack/failure';
import { kubernetesVersions } from '../checks/core-schemas';

/** A supported Kubernetes, by its minor version. */
export type KubernetesVersion = (typeof kubernetesVersions)[number];

/** Folder of the modules of the control planes. */
export const controlPlaneFolder = path.join(__dirname, 'control-plane');

/** The module that the control plane of each version is built from. */
export const modFiles: Readonly<Record<KubernetesVersion, string>> = {
  '1.30': 'kubernetes-1.30.mod',
  '1.36': 'go.mod',
};

/** The oldest Go that builds the control planes and downloads the modules with definitions. */
export const goVersion = '1.26.4';

/** The version that `--kubernetes` names; the highest without it. Other arguments throw a StackFailure. */
export function readVersion(args: readonly string[]): KubernetesVersion {
  const [flag, text, ...more] = args.flatMap((arg) => arg.split('='));
  if (flag === undefined) return kubernetesVersions[kubernetesVersions.length - 1];
  const version = kubernetesVersions.find((known) => known === text);
  if (flag === '--kubernetes' && version && more.length === 0) return version;
  throw new StackFailure(
    `"${args.join(' ')}" is not understood: write --kubernetes with ${kubernetesVersions.join(' or ')}, or nothing.`,
  );
}
