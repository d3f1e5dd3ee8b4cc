import { CheckResult } from '../../checks/check-list';
import { Cluster } from '../cluster';
import { ObjectList } from '../kubernetes-api';
import { nodes } from '../nodes';
import { Pod, hasEnded, isLeaving } from '../observe/pods';
import { matches } from '../../rules/workloads';
import { RenderedRelease } from '../releases';
import { deploymentsOf } from './deployment';
import { SpreadConstraint, placementProblems } from './placement';

/** Pods of each Deployment are spread over zones and hosts as its constraints require. */
export async function spread(cluster: Cluster, release: RenderedRelease): Promise<CheckResult> {
  const { items } = await cluster.api.get<ObjectList<Pod>>(`/api/v1/namespaces/${release.namespace}/pods`);
  const pods = items.filter((pod) => !isLeaving(pod) && !hasEnded(pod));
  let placed = 0;
  const problems = (await deploymentsOf(cluster, release)).flatMap(({ metadata, spec }) => {
    const constraints = (spec.template.spec.topologySpreadConstraints ?? []) as readonly SpreadConstraint[];
    const own = pods.filter((pod) => matches(spec.selector, pod.metadata.labels ?? {}));
    if (constraints.length > 0) placed += own.length;
    const podNodes = own.map((pod) => pod.spec.nodeName ?? 'no node');
    return placementProblems(constraints, nodes, podNodes).map((problem) => `${metadata.name}: ${problem}`);
  });
  if (placed === 0) problems.push('no pod has a spread constraint');
  return { detail: `${placed} pods over zones and hosts`, problems };
}
