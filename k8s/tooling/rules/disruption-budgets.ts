import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { Manifest } from '../generators/yaml-file';
import { instancesOf } from './read-replica-bounds';
import { Workload } from '../manifests/workload';
import { matches, servicesOf, workloadsOf } from './workloads';

interface PodDisruptionBudget extends Manifest {
  readonly spec: {
    readonly maxUnavailable?: number;
    readonly unhealthyPodEvictionPolicy?: string;
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
  };
}

/** Deployments on a developer's machine have one instance of each service. */
const withoutReserve = ['local'];

/** Every service keeps at least one instance during a drain, and a drain is never blocked permanently. */
export function disruption(overlays: readonly Overlay[]): CheckResult {
  const problems = overlays.flatMap((overlay) =>
    servicesOf(overlay).flatMap((service) =>
      problemsOf(service, overlay).map((problem) => `${overlay.name}: ${problem}`),
    ),
  );
  return { detail: 'budgets, minimum replicas and autoscalers of every service', problems };
}

function problemsOf(service: Workload, overlay: Overlay): string[] {
  const budgets = ofKind<PodDisruptionBudget>(overlay, 'PodDisruptionBudget').filter(({ spec }) =>
    matches(spec.selector, service.spec.template.metadata.labels),
  );
  if (budgets.length !== 1) return [`${nameOf(service)} has ${budgets.length} disruption budgets`];
  const [{ spec }] = budgets;
  const { min, max, isScaled } = instancesOf(overlay, service);
  const takes = spec.maxUnavailable ?? 0;
  const others = workloadsOf(overlay).filter(
    (other) => other !== service && matches(spec.selector, other.spec.template.metadata.labels),
  );
  const rules: [boolean, string][] = [
    [takes >= 1, 'can never be drained'],
    [
      withoutReserve.includes(overlay.name) || min - takes >= 1,
      `has ${min} instances at least, and a drain takes ${takes}`,
    ],
    [min <= max, `has fewer instances at most (${max}) than at least (${min})`],
    [spec.unhealthyPodEvictionPolicy === 'AlwaysAllow', 'blocks a drain while its pods are unhealthy'],
    [others.length === 0, `shares its budget with ${others.map(nameOf).join(', ')}`],
    [!isScaled || service.spec.replicas === undefined, 'has a fixed number of instances beside an autoscaler'],
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => `${nameOf(service)} ${problem}`);
}
