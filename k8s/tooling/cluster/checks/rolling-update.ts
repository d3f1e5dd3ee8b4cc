import { CheckResult } from '../../checks/check-list';
import { apply } from '../apply';
import { Cluster, settled } from '../cluster';
import { PodGuarantee } from '../observe/pod-observer';
import { watchPods } from '../observe/watch-pods';
import { RenderedRelease } from '../releases';
import { Deployment, deploymentsOf, rollingBounds, unfinished } from './deployment';
import { warningEvents } from './warning-events';

const rollMs = 300_000;

/**
 * The next release is rolled out as in docs/operations/deployment.md, first its migration and then everything. No service
 * has fewer pods than its strategy allows at any moment, or more for some seconds. No pod is deleted before a new one has
 * been ready long enough.
 */
export async function rollingUpdate(cluster: Cluster, next: RenderedRelease): Promise<CheckResult> {
  const guarantees = (await deploymentsOf(cluster, next)).flatMap((deployment) => guaranteeOf(deployment, next));
  const { problems, fewest } = await watchPods(cluster, guarantees, async () => {
    const found = [...(await rollOut(cluster, next))];
    const waiting = await settled(
      async () =>
        (await deploymentsOf(cluster, next)).flatMap((deployment) => [
          ...unfinished(deployment),
          ...staleImages(deployment, next),
        ]),
      rollMs,
    );
    return waiting.length === 0 ? found : [...found, ...waiting, ...(await warningEvents(cluster, next.namespace))];
  });
  const detail = guarantees.map(({ name, leastReady }) => `${name} ${fewest.get(name)}/${leastReady}`).join(', ');
  return { detail: `fewest ready pods and the guaranteed number: ${detail}`, problems };
}

/** The guarantee of a Deployment's strategy; `Recreate` guarantees nothing. */
function guaranteeOf(deployment: Deployment, { namespace }: RenderedRelease): PodGuarantee[] {
  const { metadata, spec } = deployment;
  if (spec.strategy.type !== 'RollingUpdate') return [];
  const { unavailable, surge } = rollingBounds(deployment);
  return [
    {
      namespace,
      name: metadata.name,
      labels: spec.selector.matchLabels,
      leastReady: spec.replicas - unavailable,
      most: spec.replicas + surge,
      minReadySeconds: spec.minReadySeconds ?? 0,
    },
  ];
}

async function rollOut(cluster: Cluster, next: RenderedRelease): Promise<readonly string[]> {
  const migration = await apply(cluster, next.file, 'app.kubernetes.io/component=migrations');
  const job = `job/migrations-${next.tag}`;
  const waiting = await cluster.kubectl(
    '-n',
    next.namespace,
    'wait',
    '--for=condition=complete',
    '--timeout=120s',
    job,
  );
  const rest = await apply(cluster, next.file);
  return [...migration.problems, ...(waiting.code === 0 ? [] : [waiting.output.trim()]), ...rest.problems];
}

/** Services whose pods still have an image of the previous release. */
function staleImages({ metadata, spec }: Deployment, { tag }: RenderedRelease): string[] {
  if (metadata.labels?.['app.kubernetes.io/component'] !== 'service') return [];
  const images = spec.template.spec.containers.map(({ image }) => image);
  return images.every((image) => image.endsWith(`:${tag}`)) ? [] : [`${metadata.name} still has ${images.join()}`];
}
