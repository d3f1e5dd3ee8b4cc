import { CheckResult } from '../../checks/check-list';
import { matches } from '../../rules/workloads';
import { Cluster, settled } from '../cluster';
import { ObjectList } from '../kubernetes-api';
import { Pod, readySinceMs } from '../observe/pods';
import { RenderedRelease } from '../releases';
import { budgetsOf } from './budgets';
import { unfinishedDeployments } from './deployment';

const backMs = 120_000;

/**
 * With one eviction more than a budget allows, exactly one is refused. Budgets of a single instance refuse nothing, so
 * that a node can be drained.
 */
export async function evictions(cluster: Cluster, release: RenderedRelease): Promise<CheckResult> {
  const pods = await cluster.api.get<ObjectList<Pod>>(`/api/v1/namespaces/${release.namespace}/pods`);
  const problems: string[] = [];
  const refusing: string[] = [];
  for (const { metadata, spec } of await budgetsOf(cluster, release)) {
    const own = pods.items.filter(
      (pod) => readySinceMs(pod) !== undefined && matches(spec.selector, pod.metadata.labels ?? {}),
    );
    if (own.length <= spec.maxUnavailable) continue;
    const tried = own.slice(0, spec.maxUnavailable + 1);
    const answers = (await Promise.all(tried.map((pod) => evict(cluster, pod)))).sort();
    const expected = [...Array.from({ length: spec.maxUnavailable }, () => created), tooMany];
    if (answers.join() === expected.join()) refusing.push(metadata.name);
    else problems.push(`${metadata.name}: ${answers.length} concurrent evictions were answered ${answers.join(', ')}`);
  }
  problems.push(...(await settled(() => unfinishedDeployments(cluster, release), backMs)));
  const detail =
    refusing.length > 0
      ? `the eviction beyond the budget was refused for ${refusing.join(', ')}`
      : 'all have a single instance';
  return { detail, problems };
}

const created = 201;
const tooMany = 429;

/** Requests a pod's eviction and returns the HTTP status. */
async function evict({ api }: Cluster, { metadata: { name, namespace } }: Pod): Promise<number> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  const { status } = await api.post(`/api/v1/namespaces/${namespace}/pods/${name}/eviction`, eviction);
  return status;
}
