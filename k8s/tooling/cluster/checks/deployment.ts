import { ofKind } from '../../checks/overlays';
import { Manifest } from '../../generators/yaml-file';
import { Workload } from '../../manifests/workload';
import { Cluster } from '../cluster';
import { ObjectList } from '../kubernetes-api';
import { RenderedRelease } from '../releases';

type Count = number | string;

interface RollingUpdate {
  readonly maxUnavailable: Count;
  readonly maxSurge: Count;
}

/** A Deployment as the API server returns it, with its defaults and its state. */
export interface Deployment extends Manifest {
  readonly metadata: Manifest['metadata'] & { readonly generation: number };
  readonly spec: Pick<Workload['spec'], 'minReadySeconds' | 'template'> & {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly strategy: { readonly type: string; readonly rollingUpdate?: RollingUpdate };
  };
  readonly status: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

/** The Deployments of a release as the API server returns them. */
export async function deploymentsOf({ api }: Cluster, release: RenderedRelease): Promise<Deployment[]> {
  const names = ofKind(release, 'Deployment').map(({ metadata }) => metadata.name);
  const path = `/apis/apps/v1/namespaces/${release.namespace}/deployments`;
  return (await api.get<ObjectList<Deployment>>(path)).items.filter(({ metadata }) => names.includes(metadata.name));
}

/** Why Deployments of a release are not finished. */
export async function unfinishedDeployments(cluster: Cluster, release: RenderedRelease): Promise<string[]> {
  return (await deploymentsOf(cluster, release)).flatMap(unfinished);
}

/** Whether a Deployment has all its pods, of its newest revision, available and no others; returns the problems in words. */
export function unfinished({ metadata, spec, status }: Deployment): string[] {
  const { updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = status;
  const { name, generation } = metadata;
  const isDone =
    status.observedGeneration === generation &&
    updatedReplicas === spec.replicas &&
    availableReplicas === spec.replicas &&
    replicas === spec.replicas;
  return isDone
    ? []
    : [
        `Deployment ${name}: ${updatedReplicas} new, ${availableReplicas} available, ${replicas} pods, ${spec.replicas} wanted`,
      ];
}

/** How many pods may be unavailable, and how many extra, in a roll-out; percentages as the controller rounds them. */
export function rollingBounds({ spec }: Deployment): { unavailable: number; surge: number } {
  const { maxUnavailable = 0, maxSurge = 0 } = spec.strategy.rollingUpdate ?? {};
  return {
    unavailable: countOf(maxUnavailable, spec.replicas, Math.floor),
    surge: countOf(maxSurge, spec.replicas, Math.ceil),
  };
}

function countOf(value: Count, replicas: number, round: (share: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) / 100) * replicas);
}
