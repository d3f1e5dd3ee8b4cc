import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { workloadsOf } from './workloads';

/** Deployments that are reachable from the internet. */
const reachable = ['test', 'production'];

/** Test and production share no namespace, host, secret store or bucket; no secret is in git; all images have one tag. */
export function separation(overlays: readonly Overlay[]): CheckResult {
  const deployed = overlays.filter(({ name }) => reachable.includes(name));
  const problems = [
    ...overlays.flatMap(imageProblems),
    ...deployed.flatMap((overlay) =>
      ofKind(overlay, 'Secret').map((secret) => `${overlay.name}: ${nameOf(secret)} is committed to git`),
    ),
    ...deployed.flatMap((overlay) =>
      workloadsOf(overlay)
        .filter(({ metadata }) => metadata.name === 'sandbox')
        .map(() => `${overlay.name}: the sandbox is for development`),
    ),
    ...shared(deployed),
  ];
  return {
    detail: `${deployed.map(({ name }) => name).join(' and ')} share nothing; one tag per release`,
    problems,
  };
}

function shared(deployed: readonly Overlay[]): string[] {
  const owners = new Map<string, string>();
  const problems: string[] = [];
  for (const overlay of deployed)
    for (const own of [...ownThings(overlay)]) {
      const owner = owners.get(own);
      if (owner && owner !== overlay.name) problems.push(`${owner} and ${overlay.name} share ${own}`);
      owners.set(own, overlay.name);
    }
  return problems;
}

function ownThings(overlay: Overlay): Set<string> {
  const gateways = ofKind(overlay, 'Gateway').flatMap(
    ({ spec }) => (spec as { listeners: { hostname: string }[] }).listeners,
  );
  const stores = ofKind(overlay, 'SecretStore').map(({ spec }) => spec as { provider: { vault?: { path?: string } } });
  const buckets = ofKind(overlay, 'ObjectStore').map(
    ({ spec }) => (spec as { configuration: { destinationPath: string } }).configuration.destinationPath,
  );
  return new Set([
    ...ofKind(overlay, 'Namespace').map(nameOf),
    ...gateways.map(({ hostname }) => `host ${hostname}`),
    ...stores.map(({ provider }) => `secrets ${JSON.stringify(provider.vault?.path)}`),
    ...buckets.map((bucket) => `backups ${bucket}`),
  ]);
}

function imageProblems(overlay: Overlay): string[] {
  const images = workloadsOf(overlay).flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image));
  const ours = images.filter((image) => image.includes('/podium-'));
  const tags = new Set(ours.map((image) => image.slice(image.lastIndexOf(':') + 1)));
  const registries = new Set(ours.map((image) => image.slice(0, image.lastIndexOf('/'))));
  const isUnset = (image: string): boolean => image.startsWith('registry/') || image.endsWith(':release');
  return [
    ...(tags.size > 1 ? [`${overlay.name}: images have the tags ${[...tags].join(', ')}`] : []),
    ...(registries.size > 1 ? [`${overlay.name}: images come from ${[...registries].join(', ')}`] : []),
    ...images
      .filter((image) => isUnset(image) || !/:[\w.-]+$/.test(image) || image.endsWith(':latest'))
      .map((image) => `${overlay.name}: the image ${image} has no release tag`),
  ];
}
