import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { environmentOf, servicesOf } from './workloads';

interface Listener {
  readonly name: string;
  readonly hostname: string;
  readonly protocol: string;
  readonly tls?: { readonly certificateRefs: readonly { readonly name: string }[] };
}

interface Route {
  readonly hostnames: readonly string[];
  readonly parentRefs: readonly { readonly sectionName: string }[];
}

/**
 * Where a deployment has an edge, each host of PUBLIC_URL and FURTHER_PUBLIC_URLS, and no other, has a listener for https with a
 * certificate of that name, and one for http, each with a route that takes its requests. Where it has alerts, each host is
 * probed: no metric of the services shows that clients do not arrive.
 */
export function edgeHosts(overlays: readonly Overlay[]): CheckResult {
  let looked = 0;
  const problems = overlays.flatMap((overlay) => {
    const listeners = ofKind(overlay, 'Gateway').flatMap(({ spec }) => (spec as { listeners: Listener[] }).listeners);
    if (listeners.length === 0) return [];
    const { hosts, problems: differing } = publicHosts(overlay);
    looked += hosts.length;
    const found = [
      ...differing,
      ...hosts.flatMap((host) => problemsOfHost(overlay, host, listeners)),
      ...listeners
        .filter(({ hostname }) => !hosts.includes(hostname))
        .map(({ name, hostname }) => `the listener ${name} takes ${hostname}, which no public URL of the services has`),
    ];
    return found.map((problem) => `${overlay.name}: ${problem}`);
  });
  return { detail: `${looked} host names`, problems };
}

/** The hosts that gateway and linkage take for their own; the two must agree. */
function publicHosts(overlay: Overlay): { hosts: string[]; problems: string[] } {
  const lists = servicesOf(overlay)
    .filter(({ metadata }) => ['gateway', 'linkage'].includes(metadata.name))
    .map((service) => {
      const env = environmentOf(overlay, service.spec.template.spec.containers[0]);
      const further = (env.FURTHER_PUBLIC_URLS ?? '').split(',').filter(Boolean);
      return { name: nameOf(service), hosts: [env.PUBLIC_URL, ...further].map((url) => new URL(url).hostname) };
    });
  const hosts = [...new Set(lists.flatMap((list) => list.hosts))];
  const problems = lists
    .filter((list) => list.hosts.length < hosts.length)
    .map(({ name }) => `${name} does not have all of ${hosts.join(', ')} as public URLs: set them in deployment.env`);
  return { hosts, problems };
}

function problemsOfHost(overlay: Overlay, host: string, listeners: readonly Listener[]): string[] {
  const problems: string[] = [];
  for (const protocol of ['HTTPS', 'HTTP']) {
    const listener = listeners.find((each) => each.hostname === host && each.protocol === protocol);
    if (!listener) {
      problems.push(`no ${protocol} listener takes ${host}: use the component further-host for a second host`);
      continue;
    }
    const isRouted = ofKind(overlay, 'HTTPRoute').some(({ spec }) => {
      const { hostnames, parentRefs } = spec as Route;
      return hostnames.includes(host) && parentRefs.some(({ sectionName }) => sectionName === listener.name);
    });
    if (!isRouted) problems.push(`no route takes ${host} from the listener ${listener.name}`);
    if (protocol === 'HTTPS' && !isCertified(overlay, host, listener))
      problems.push(`the certificate of the listener ${listener.name} is not for ${host}`);
  }
  if (ofKind(overlay, 'PrometheusRule').length > 0 && !isProbed(overlay, host)) problems.push(`no Probe asks ${host}`);
  return problems;
}

function isProbed(overlay: Overlay, host: string): boolean {
  return ofKind(overlay, 'Probe')
    .flatMap(({ spec }) => (spec as { targets: { staticConfig: { static: string[] } } }).targets.staticConfig.static)
    .some((url) => url.startsWith(`https://${host}/`));
}

function isCertified(overlay: Overlay, host: string, { tls }: Listener): boolean {
  const secrets = tls?.certificateRefs.map(({ name }) => name) ?? [];
  return ofKind(overlay, 'Certificate').some(({ spec }) => {
    const { secretName, dnsNames } = spec as { secretName: string; dnsNames?: readonly string[] };
    return secrets.includes(secretName) && (dnsNames?.includes(host) ?? false);
  });
}
