import { CheckResult } from '../checks/check-list';
import { Overlay } from '../checks/overlays';
import { deploymentNames } from '../service-needs';
import { servicesOf } from './workloads';

/** Every Deployment of Podium is in every overlay, with the labels by which the other rules find it. */
export function deployedServices(overlays: readonly Overlay[]): CheckResult {
  const problems = overlays.flatMap((overlay) => {
    const found = new Set(servicesOf(overlay).map(({ metadata }) => metadata.name));
    return deploymentNames
      .filter((name) => !found.has(name))
      .map((name) => `${overlay.name}: no workload ${name} has the label of a service`);
  });
  return { detail: `${deploymentNames.length} in every overlay`, problems };
}
