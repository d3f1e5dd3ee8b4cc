import { CheckResult } from '../../checks/check-list';
import { Cluster, settled } from '../cluster';
import { nodesOf } from '../nodes';
import { watchPods } from '../observe/watch-pods';
import { RenderedRelease } from '../releases';
import { budgetsOf, guaranteeOf } from './budgets';
import { unfinishedDeployments } from './deployment';
import { warningEvents } from './warning-events';

const drainMs = 240_000;

/**
 * Two of the three zones are drained at once. Each budget holds at every moment, the drain is not blocked permanently,
 * and all pods start in the third zone.
 */
export async function drain(cluster: Cluster, releases: readonly RenderedRelease[]): Promise<CheckResult> {
  const guarantees = (
    await Promise.all(
      releases.map(async (release) =>
        (await budgetsOf(cluster, release)).map((budget) => guaranteeOf(budget, release)),
      ),
    )
  ).flat();
  const names = nodesOf('a', 'b').map(({ name }) => name);
  const { problems, fewest } = await watchPods(cluster, guarantees, async () => {
    const found = (await Promise.all(names.map((name) => drainNode(cluster, name)))).flat();
    for (const release of releases) {
      const waiting = await settled(() => unfinishedDeployments(cluster, release), drainMs);
      found.push(...waiting, ...(waiting.length > 0 ? await warningEvents(cluster, release.namespace) : []));
    }
    return found;
  });
  for (const name of names) await cluster.kubectl('uncordon', name);
  const detail = guarantees.map(({ name, leastReady }) => `${name} ${fewest.get(name)}/${leastReady}`).join(', ');
  return { detail: `${names.length} nodes; fewest ready pods and the guaranteed number: ${detail}`, problems };
}

async function drainNode(cluster: Cluster, name: string): Promise<string[]> {
  const args = ['--ignore-daemonsets', '--delete-emptydir-data', `--timeout=${drainMs / 1000}s`];
  const { code, output } = await cluster.kubectl('drain', name, ...args);
  return code === 0 ? [] : [`kubectl drain ${name} ended with code ${code}: ${output.trim().split('\n').pop()}`];
}
