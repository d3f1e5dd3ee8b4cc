import { CheckResult } from '../../checks/check-list';
import { Cluster, settled } from '../cluster';
import { nodesOf } from '../nodes';
import { watchPods } from '../observe/watch-pods';
import { RenderedRelease } from '../releases';
import { budgetsOf, promiseOf } from './budgets';
import { unfinishedDeployments } from './deployment';
import { warningEvents } from './warning-events';

const drainMs = 240_000;

/**
 * Two of the three zones are drained at once: the pods of each budget stay as many as it promises, at every moment, the drain
 * is not blocked for good, and all pods come up in the third zone.
 */
export async function drain(cluster: Cluster, releases: readonly RenderedRelease[]): Promise<CheckResult> {
  const promises = (
    await Promise.all(
      releases.map(async (release) => (await budgetsOf(cluster, release)).map((budget) => promiseOf(budget, release))),
    )
  ).flat();
  const names = nodesOf('a', 'b').map(({ name }) => name);
  const { problems, fewest } = await watchPods(cluster, promises, async () => {
    const found = (await Promise.all(names.map((name) => drainNode(cluster, name)))).flat();
    for (const release of releases) {
      const waiting = await settled(() => unfinishedDeployments(cluster, release), drainMs);
      found.push(...waiting, ...(waiting.length > 0 ? await warningEvents(cluster, release.namespace) : []));
    }
    return found;
  });
  for (const name of names) await cluster.kubectl('uncordon', name);
  const detail = promises.map(({ name, leastReady }) => `${name} ${fewest.get(name)}/${leastReady}`).join(', ');
  return { detail: `${names.length} nodes; fewest ready pods and what is promised: ${detail}`, problems };
}

async function drainNode(cluster: Cluster, name: string): Promise<string[]> {
  const args = ['--ignore-daemonsets', '--delete-emptydir-data', `--timeout=${drainMs / 1000}s`];
  const { code, output } = await cluster.kubectl('drain', name, ...args);
  return code === 0 ? [] : [`kubectl drain ${name} ended with code ${code}: ${output.trim().split('\n').pop()}`];
}
