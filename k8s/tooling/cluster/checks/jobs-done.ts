import { CheckResult } from '../../checks/check-list';
import { ofKind } from '../../checks/overlays';
import { Manifest } from '../../generators/yaml-file';
import { Cluster, settled } from '../cluster';
import { ObjectList } from '../kubernetes-api';
import { RenderedRelease } from '../releases';
import { warningEvents } from './warning-events';

interface Job extends Manifest {
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const doneMs = 120_000;

/** Every Job completes, and so does a Job created from each CronJob, as in docs/operations/deployment.md. */
export async function jobsDone(cluster: Cluster, release: RenderedRelease): Promise<CheckResult> {
  const { namespace } = release;
  const problems: string[] = [];
  const names = ofKind(release, 'Job').map(({ metadata }) => metadata.name);
  for (const { metadata } of ofKind(release, 'CronJob')) {
    const name = `${metadata.name}-1`;
    const args = ['create', 'job', name, `--from=cronjob/${metadata.name}`];
    const { code, output } = await cluster.kubectl('-n', namespace, ...args);
    if (code !== 0 || output.includes('Warning')) problems.push(output.trim());
    names.push(name);
  }
  const waiting = await settled(async () => {
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    const { items } = await cluster.api.get<ObjectList<Job>>(path);
    return names
      .filter((name) => !isComplete(items.find(({ metadata }) => metadata.name === name)))
      .map((name) => `Job ${name} is not complete`);
  }, doneMs);
  const reasons = waiting.length > 0 ? await warningEvents(cluster, namespace) : [];
  return { detail: names.join(', '), problems: [...problems, ...waiting, ...reasons] };
}

function isComplete(job: Job | undefined): boolean {
  return job?.status.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True') === true;
}
