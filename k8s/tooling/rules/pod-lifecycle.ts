import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf } from '../checks/overlays';
import { ProbeSpec, Workload } from '../manifests/workload';
import { environmentOf, servicesOf } from './workloads';

const mebibyte = 1024 * 1024;

/** The kubelet doubles its pause before each restart, up to five minutes, unless the container ran for twice as long before. */
const unpausedRunS = 600;

/** Services are probed on the health port, get enough time to stop, and have a heap that fits their memory limit. */
export function lifecycle(overlays: readonly Overlay[]): CheckResult {
  const problems = overlays.flatMap((overlay) =>
    servicesOf(overlay).flatMap((service) =>
      problemsOf(service, overlay).map((problem) => `${overlay.name}: ${problem}`),
    ),
  );
  const services = overlays.reduce((sum, overlay) => sum + servicesOf(overlay).length, 0);
  return { detail: `${services} services`, problems };
}

function problemsOf(service: Workload, overlay: Overlay): string[] {
  const { template, strategy, minReadySeconds = 0 } = service.spec;
  const pod = template.spec;
  const container = pod.containers[0];
  const env = environmentOf(overlay, container);
  const stopS = Number(env.DRAIN_SECONDS) + Number(env.STOP_SECONDS);
  const heapShare = heapMebibytes(env.NODE_OPTIONS) / (bytes(container.resources?.limits?.memory) / mebibyte);
  const probes = { startup: container.startupProbe, ready: container.readinessProbe, live: container.livenessProbe };
  const startS = secondsOf(container.startupProbe);
  const keys = pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey) ?? [];
  const rules: [boolean, string][] = [
    [(pod.terminationGracePeriodSeconds ?? 0) > stopS, `is killed before its stop of ${stopS} s is over`],
    [heapShare >= 0.7 && heapShare <= 0.8, `has a heap of ${(heapShare * 100).toFixed(0)} % of its memory limit`],
    [strategy?.rollingUpdate?.maxUnavailable === 0, 'loses an instance in a roll-out'],
    [minReadySeconds > 0, 'counts as available immediately'],
    [startS > unpausedRunS, `is restarted after ${startS} s of waiting for Kafka, each time after a longer pause`],
    [
      keys.includes('kubernetes.io/hostname') && keys.includes('topology.kubernetes.io/zone'),
      'is not spread over hosts and zones',
    ],
    ...Object.entries(probes).map(([path, probe]): [boolean, string] => [
      probe?.httpGet?.path === `/health/${path}` && probe.httpGet.port === 'health',
      `has no probe of /health/${path} on the health port`,
    ]),
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => `${nameOf(service)} ${problem}`);
}

/** How long a container may fail a probe until it is restarted; Kubernetes' defaults for what is not given. */
function secondsOf({ periodSeconds = 10, failureThreshold = 3 }: ProbeSpec = {}): number {
  return periodSeconds * failureThreshold;
}

function heapMebibytes(options = ''): number {
  return Number(/--max-old-space-size=(\d+)/.exec(options)?.[1] ?? 0);
}

function bytes(quantity = ''): number {
  const [, number, unit] = /^(\d+)(Ki|Mi|Gi)$/.exec(quantity) ?? [];
  const sizes: Readonly<Record<string, number>> = { Ki: 1024, Mi: mebibyte, Gi: 1024 * mebibyte };
  return unit ? Number(number) * sizes[unit] : 0;
}
