import { CheckResult } from '../checks/check-list';
import { Overlay, ofKind } from '../checks/overlays';
import {
  Edge,
  Outsider,
  Place,
  collectorPort,
  edges,
  localEdges,
  namespaceOf,
  notTheInternet,
  podLabels,
  traceEdges,
} from '../network';
import { serviceNames } from '../services';
import { IpBlock, Labels, NetworkPolicy, Peer, Rule } from './network-policy';
import { environmentOf, matches, servicesOf, workloadsOf } from './workloads';

const places: readonly Place[] = [
  ...serviceNames,
  ...([
    'migrations',
    'operators',
    'kafka',
    'redis',
    'postgres',
    'postgres-pooler',
    'topics',
    'sandbox',
    'local-edge',
  ] as const),
];

/**
 * What the rendered policies let through is what the table declares: for each two places both sides are asked, as a
 * cluster does, and every other pair must be closed.
 */
export function networkEdges(overlays: readonly Overlay[]): CheckResult {
  let open = 0;
  const problems = overlays.flatMap((overlay) => {
    const collectors = collectorsOf(overlay);
    const declared = [
      ...edges,
      ...(overlay.name === 'local' ? localEdges : []),
      ...traceEdges.filter(({ from }) => collectors.has(from)),
    ];
    const found = edgesOf(overlay);
    const wanted = new Set(declared.flatMap(expand));
    open += found.size;
    return [
      ...[...found]
        .filter((edge) => !wanted.has(edge))
        .map((edge) => `${overlay.name}: open and not declared: ${edge}`),
      ...[...wanted].filter((edge) => !found.has(edge)).map((edge) => `${overlay.name}: declared and closed: ${edge}`),
      ...deniesByDefault(overlay),
      ...emptyLists(overlay),
      ...uncovered(overlay),
      ...unreachable(overlay, collectors),
    ];
  });
  return { detail: `${open} open arrows are the declared ones, all others are closed`, problems };
}

/** Where the services of a deployment send traces, by service; without those that send none. */
function collectorsOf(overlay: Overlay): Map<string, string> {
  const endpoints = servicesOf(overlay).map((service): [string, string] => {
    const environments = service.spec.template.spec.containers.map((container) => environmentOf(overlay, container));
    return [service.metadata.name, environments.flatMap((env) => env.OTEL_EXPORTER_OTLP_ENDPOINT ?? []).join()];
  });
  return new Map(endpoints.filter(([, endpoint]) => endpoint !== ''));
}

/** The declared way leads into one namespace, at one port; a collector elsewhere would never hear of a trace. */
function unreachable(overlay: Overlay, collectors: ReadonlyMap<string, string>): string[] {
  return [...new Set(collectors.values())]
    .filter((endpoint) => {
      const { hostname, port } = new URL(endpoint);
      return hostname.split('.')[1] !== 'monitoring' || port !== String(collectorPort);
    })
    .map((endpoint) => `${overlay.name}: no policy opens the way to the collector of traces at ${endpoint}`);
}

function expand({ from, to, ports }: Edge): string[] {
  return (ports ?? ['any']).map((port) => `${from} → ${to}:${port}`);
}

function edgesOf(overlay: Overlay): Set<string> {
  const policies = ofKind<NetworkPolicy>(overlay, 'NetworkPolicy');
  const rulesOf = (place: Place, side: 'ingress' | 'egress'): Rule[] =>
    policies.filter(({ spec }) => matches(spec.podSelector, podLabels(place))).flatMap(({ spec }) => spec[side] ?? []);
  const outgoing = new Set<string>();
  const incoming = new Set<string>();
  for (const place of places) {
    for (const rule of rulesOf(place, 'egress'))
      for (const to of (rule.to ?? [{}]).flatMap(placesOf))
        for (const port of portsOf(rule)) if (to !== 'dns') outgoing.add(`${place} → ${to}:${port}`);
    for (const rule of rulesOf(place, 'ingress'))
      for (const from of (rule.from ?? [{}]).flatMap(placesOf))
        for (const port of portsOf(rule)) incoming.add(`${from} → ${place}:${port}`);
  }
  // Between two places of the namespace both sides must agree; an outsider is seen from one side only.
  const isInside = (name: string): boolean => places.some((place) => place === name);
  const open = new Set<string>();
  for (const edge of [...outgoing, ...incoming]) {
    const [from, to] = edge.slice(0, edge.lastIndexOf(':')).split(' → ');
    const isAgreed = (!isInside(from) || outgoing.has(edge)) && (!isInside(to) || incoming.has(edge));
    open.add(isAgreed ? edge : `${edge} (only one side)`);
  }
  return open;
}

function portsOf({ ports }: Rule): (number | 'any')[] {
  return ports?.map(({ port }) => port) ?? ['any'];
}

function placesOf({ podSelector, namespaceSelector, ipBlock }: Peer): (Place | Outsider | 'dns' | 'everybody')[] {
  if (ipBlock) return [ipBlockPlace(ipBlock)];
  if (podSelector && namespaceSelector)
    return [podSelector.matchLabels?.['k8s-app'] === 'kube-dns' ? 'dns' : 'everybody'];
  if (namespaceSelector) {
    const found = Object.entries(namespaceOf).filter(([, labels]) => sameLabels(labels, namespaceSelector.matchLabels));
    return found.length === 0 ? ['everybody'] : found.map(([outsider]) => outsider as Outsider);
  }
  if (!podSelector?.matchLabels) return ['everybody'];
  return places.filter((place) => matches(podSelector, podLabels(place)));
}

/** The way out to the world must leave out every private network, in both families. */
function ipBlockPlace({ cidr, except = [] }: IpBlock): Outsider | 'everybody' {
  if (except.length === 0) return 'kubernetes-api';
  const privateNetworks: readonly string[] = cidr.includes(':') ? notTheInternet.ipv6 : notTheInternet.ipv4;
  return privateNetworks.every((network) => except.includes(network)) ? 'internet' : 'everybody';
}

function sameLabels(left: Labels, right: Labels = {}): boolean {
  return matches({ matchLabels: left }, right) && matches({ matchLabels: right }, left);
}

function deniesByDefault(overlay: Overlay): string[] {
  const denies = ofKind<NetworkPolicy>(overlay, 'NetworkPolicy').some(
    ({ spec }) =>
      Object.keys(spec.podSelector).length === 0 &&
      ['Ingress', 'Egress'].every((type) => spec.policyTypes.includes(type)) &&
      !spec.ingress &&
      !spec.egress,
  );
  return denies ? [] : [`${overlay.name}: nothing denies by default, both ways`];
}

/** An empty list of rules says the same as none, and is stored as none: every apply of it counts as a change. */
function emptyLists(overlay: Overlay): string[] {
  return ofKind<NetworkPolicy>(overlay, 'NetworkPolicy').flatMap(({ metadata, spec }) =>
    (['ingress', 'egress'] as const)
      .filter((side) => spec[side]?.length === 0)
      .map(
        (side) => `${overlay.name}: NetworkPolicy ${metadata.name} has an empty list of ${side} rules: leave it out`,
      ),
  );
}

/** Pods that the table does not know would be cut off, or worse, not looked at. */
function uncovered(overlay: Overlay): string[] {
  return workloadsOf(overlay)
    .filter(
      ({ spec }) => !places.some((place) => matches({ matchLabels: podLabels(place) }, spec.template.metadata.labels)),
    )
    .map(({ metadata }) => `${overlay.name}: ${metadata.name} is no place of k8s/tooling/network.ts`);
}
