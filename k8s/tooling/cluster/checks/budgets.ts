import { ofKind } from '../../checks/overlays';
import { Manifest } from '../../generators/yaml-file';
import { Workload } from '../../manifests/workload';
import { matches } from '../../rules/workloads';
import { Cluster } from '../cluster';
import { ObjectList } from '../kubernetes-api';
import { PodGuarantee } from '../observe/pod-observer';
import { RenderedRelease } from '../releases';

/** A PodDisruptionBudget as the API server returns it, with its counts. */
export interface Budget extends Manifest {
  readonly spec: {
    readonly maxUnavailable: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  };
  readonly status: { readonly expectedPods: number; readonly currentHealthy: number };
}

/**
 * The budgets of a release's Deployments; a rule checks that each limits how many pods may be unavailable. Pods that
 * an operator creates do not run here.
 */
export async function budgetsOf({ api }: Cluster, release: RenderedRelease): Promise<Budget[]> {
  const templates = ofKind<Workload>(release, 'Deployment').map(({ spec }) => spec.template.metadata.labels);
  const names = ofKind<Budget>(release, 'PodDisruptionBudget')
    .filter(({ spec }) => templates.some((labels) => matches(spec.selector, labels)))
    .map(({ metadata }) => metadata.name);
  const path = `/apis/policy/v1/namespaces/${release.namespace}/poddisruptionbudgets`;
  const { items } = await api.get<ObjectList<Budget>>(path);
  return items.filter(({ metadata }) => names.includes(metadata.name));
}

/** The guarantee of a budget while nodes are drained. */
export function guaranteeOf({ metadata, spec, status }: Budget, { name, namespace }: RenderedRelease): PodGuarantee {
  return {
    namespace,
    name: `${name} ${metadata.name}`,
    labels: spec.selector.matchLabels,
    leastReady: status.expectedPods - spec.maxUnavailable,
  };
}
