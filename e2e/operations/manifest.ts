import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kubectl, run } from '../../k8s/tooling/checks/external-tools';
import { checkoutFolder } from '../../tools/stack/folders';
import { AppName } from '../../tools/stack/services';

/** The settings of the manifests for the termination of an instance. */
export interface StopTerms {
  /** After this grace period the kubelet kills the process. */
  readonly graceMs: number;
  /** Settings of the service that determine its shutdown time. */
  readonly settings: { readonly DRAIN_SECONDS: string; readonly STOP_SECONDS: string };
}

interface RenderedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: {
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly {
          readonly lifecycle?: unknown;
          readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
        }[];
      };
    };
  };
}

/** Renders `k8s/base` and reads the termination settings of each service. */
export async function readStopTerms(apps: readonly AppName[]): Promise<ReadonlyMap<AppName, StopTerms>> {
  const { code, output } = await run(kubectl(), ['kustomize', path.join(checkoutFolder, 'k8s/base')]);
  if (code !== 0) throw new Error(`kubectl kustomize k8s/base failed: ${output}`);
  const objects = parseAllDocuments(output).map((document) => document.toJS() as RenderedObject);
  return new Map(apps.map((app) => [app, termsOf(app, objects)]));
}

function termsOf(app: AppName, objects: readonly RenderedObject[]): StopTerms {
  const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === app);
  const pod = deployment?.spec?.template?.spec;
  if (!pod?.terminationGracePeriodSeconds) throw new Error(`k8s/base declares no grace period of ${app}`);
  const [container] = pod.containers;
  // A hook before SIGTERM is part of the grace period; the test does not run hooks yet.
  if (container.lifecycle) throw new Error(`k8s/base declares a lifecycle hook of ${app}, which the roll does not run`);
  const configMaps = (container.envFrom ?? []).map(({ configMapRef }) => configMapRef?.name);
  const settings: Record<string, string> = {};
  for (const { kind, metadata, data } of objects)
    if (kind === 'ConfigMap' && configMaps.includes(metadata.name)) Object.assign(settings, data);
  const { DRAIN_SECONDS, STOP_SECONDS } = settings;
  if (!DRAIN_SECONDS || !STOP_SECONDS) throw new Error(`k8s/base does not say how long ${app} drains and stops`);
  return { graceMs: pod.terminationGracePeriodSeconds * 1000, settings: { DRAIN_SECONDS, STOP_SECONDS } };
}
