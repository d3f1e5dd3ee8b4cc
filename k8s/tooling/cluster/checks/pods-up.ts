import { CheckResult } from '../../checks/check-list';
import { ofKind } from '../../checks/overlays';
import { Manifest } from '../../generators/yaml-file';
import { instancesOf, scaledObjects } from '../../rules/read-replica-bounds';
import { Workload } from '../../manifests/workload';
import { Cluster, settled } from '../cluster';
import { ObjectList } from '../kubernetes-api';
import { RenderedRelease } from '../releases';
import { budgetsOf } from './budgets';
import { deploymentsOf, unfinished } from './deployment';
import { warningEvents } from './warning-events';

/** From the first apply to the last pod; images are not pulled here. */
const upMs = 180_000;

/**
 * Every Deployment reaches its minimum of replicas, all available; every Service has a ready address; every budget counts
 * its pods.
 */
export async function podsUp(cluster: Cluster, release: RenderedRelease): Promise<CheckResult> {
  await playKeda(cluster, release);
  const problems = await settled(
    async () => [
      ...(await deploymentProblems(cluster, release)),
      ...(await serviceProblems(cluster, release)),
      ...(await budgetProblems(cluster, release)),
    ],
    upMs,
  );
  const reasons = problems.length > 0 ? await warningEvents(cluster, release.namespace) : [];
  const deployments = ofKind(release, 'Deployment').length;
  return { detail: `${deployments} Deployments, their Services and budgets`, problems: [...problems, ...reasons] };
}

/** KEDA does not run here: a Deployment that it scales gets the minimum of replicas, with which KEDA's autoscaler starts. */
async function playKeda({ api }: Cluster, release: RenderedRelease): Promise<void> {
  for (const { spec } of scaledObjects(release))
    await api.patch(`/apis/apps/v1/namespaces/${release.namespace}/deployments/${spec.scaleTargetRef.name}/scale`, {
      spec: { replicas: spec.minReplicaCount },
    });
}

async function deploymentProblems(cluster: Cluster, release: RenderedRelease): Promise<string[]> {
  const deployments = await deploymentsOf(cluster, release);
  return ofKind<Workload>(release, 'Deployment').flatMap((workload) => {
    const { name } = workload.metadata;
    const live = deployments.find(({ metadata }) => metadata.name === name);
    if (!live) return [`Deployment ${name} does not exist`];
    const { min } = instancesOf(release, workload);
    if (live.spec.replicas === min) return unfinished(live);
    return [`Deployment ${name} is scaled to ${live.spec.replicas}, and the minimum is ${min}`];
  });
}

interface Slice extends Manifest {
  readonly endpoints: readonly { readonly conditions: { readonly ready?: boolean } }[] | null;
}

async function serviceProblems({ api }: Cluster, release: RenderedRelease): Promise<string[]> {
  const path = `/apis/discovery.k8s.io/v1/namespaces/${release.namespace}/endpointslices`;
  const { items } = await api.get<ObjectList<Slice>>(path);
  return ofKind(release, 'Service')
    .filter(({ spec }) => (spec as { selector?: object }).selector !== undefined)
    .filter(({ metadata: { name } }) => {
      const own = items.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
      return !own.flatMap(({ endpoints }) => endpoints ?? []).some(({ conditions }) => conditions.ready);
    })
    .map(({ metadata }) => `Service ${metadata.name} has no ready address`);
}

async function budgetProblems(cluster: Cluster, release: RenderedRelease): Promise<string[]> {
  return (await budgetsOf(cluster, release))
    .filter(({ status }) => status.expectedPods === 0 || status.currentHealthy < status.expectedPods)
    .map(
      ({ metadata, status }) =>
        `budget ${metadata.name}: ${status.currentHealthy} of ${status.expectedPods} pods are healthy`,
    );
}
