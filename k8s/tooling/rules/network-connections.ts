import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import {
  AllowedConnection,
  ExternalPeer,
  PodGroup,
  acmeChallenges,
  collectorPort,
  allowedConnections,
  clusterDns,
  localConnections,
  namespaceOf,
  nonPublicNetworks,
  podLabels,
  traceConnections,
} from '../network-policy-table';
import { deploymentNames } from '../service-needs';
import { IpBlock, Labels, NetworkPolicy, Peer, Rule } from './network-policy-types';
import { environmentOf, matches, servicesOf, workloadsOf } from './workloads';

const podGroups: readonly PodGroup[] = [
  ...deploymentNames,
  ...([
    'migrations',
    'operators',
    'kafka',
    'redis',
    'postgres',
    'postgres-pooler',
    'acme-solver',
    'topics',
    'sandbox',
    'local-edge',
  ] as const),
];

/**
 * The rendered policies allow exactly the connections of the table. As in a cluster, both sides must allow a connection;
 * every other pair must be closed.
 */
export function networkConnections(overlays: readonly Overlay[]): CheckResult {
  let open = 0;
  const problems = overlays.flatMap((overlay) => {
    const collectors = collectorsOf(overlay);
    const declared = [
      ...allowedConnections,
      ...(overlay.name === 'local' ? localConnections : []),
      ...traceConnections.filter(({ from }) => collectors.has(from)),
    ];
    const found = connectionsOf(overlay);
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
      ...unansweredChallenges(overlay, found),
    ];
  });
  return { detail: `${open} open connections are declared, all others are closed`, problems };
}

/** The trace collector of each service that sends traces. */
function collectorsOf(overlay: Overlay): Map<string, string> {
  const endpoints = servicesOf(overlay).map((service): [string, string] => {
    const environments = service.spec.template.spec.containers.map((container) => environmentOf(overlay, container));
    return [service.metadata.name, environments.flatMap((env) => env.OTEL_EXPORTER_OTLP_ENDPOINT ?? []).join()];
  });
  return new Map(endpoints.filter(([, endpoint]) => endpoint !== ''));
}

/** The declared connection leads to one namespace and port; a collector elsewhere would get no traces. */
function unreachable(overlay: Overlay, collectors: ReadonlyMap<string, string>): string[] {
  return [...new Set(collectors.values())]
    .filter((endpoint) => {
      const { hostname, port } = new URL(endpoint);
      return hostname.split('.')[1] !== 'monitoring' || port !== String(collectorPort);
    })
    .map((endpoint) => `${overlay.name}: no policy allows connections to the trace collector at ${endpoint}`);
}

/** A ClusterIssuer is the cluster's own: it may prove the host name by HTTP-01, with pods that are in no manifest. */
function unansweredChallenges(overlay: Overlay, open: ReadonlySet<string>): string[] {
  const closed = expand(acmeChallenges).filter((edge) => !open.has(edge));
  return ofKind(overlay, 'Certificate')
    .filter(({ spec }) => (spec as { issuerRef: { kind: string } }).issuerRef.kind === 'ClusterIssuer')
    .flatMap((certificate) =>
      closed.map(
        (edge) => `${overlay.name}: ${nameOf(certificate)}: HTTP-01 challenges get no answer, ${edge} is closed`,
      ),
    );
}

function expand({ from, to, ports }: AllowedConnection): string[] {
  return (ports ?? ['any']).map((port) => `${from} → ${to}:${port}`);
}

function connectionsOf(overlay: Overlay): Set<string> {
  const policies = ofKind<NetworkPolicy>(overlay, 'NetworkPolicy');
  const rulesOf = (place: PodGroup, side: 'ingress' | 'egress'): Rule[] =>
    policies.filter(({ spec }) => matches(spec.podSelector, podLabels(place))).flatMap(({ spec }) => spec[side] ?? []);
  const outgoing = new Set<string>();
  const incoming = new Set<string>();
  for (const place of podGroups) {
    for (const rule of rulesOf(place, 'egress'))
      for (const to of (rule.to ?? [{}]).flatMap(peersOf))
        for (const port of portsOf(rule))
          if (to !== 'dns' || port !== clusterDns.port) outgoing.add(`${place} → ${to}:${port}`);
    for (const rule of rulesOf(place, 'ingress'))
      for (const from of (rule.from ?? [{}]).flatMap(peersOf))
        for (const port of portsOf(rule)) incoming.add(`${from} → ${place}:${port}`);
  }
  // Inside the namespace both sides must allow a connection; an external peer is known from one side only.
  const isInside = (name: string): boolean => podGroups.some((place) => place === name);
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

function peersOf({ podSelector, namespaceSelector, ipBlock }: Peer): (PodGroup | ExternalPeer | 'dns' | 'everybody')[] {
  if (ipBlock) return [ipBlock.cidr === clusterDns.nodeLocal ? 'dns' : ipBlockPlace(ipBlock)];
  if (podSelector && namespaceSelector)
    return [sameLabels(clusterDns.pods, podSelector.matchLabels) ? 'dns' : 'everybody'];
  if (namespaceSelector) {
    const found = Object.entries(namespaceOf).filter(([, labels]) => sameLabels(labels, namespaceSelector.matchLabels));
    return found.length === 0 ? ['everybody'] : found.map(([outsider]) => outsider as ExternalPeer);
  }
  if (!podSelector?.matchLabels) return ['everybody'];
  return podGroups.filter((place) => matches(podSelector, podLabels(place)));
}

/** Access to the internet must exclude every private network, in both families. */
function ipBlockPlace({ cidr, except = [] }: IpBlock): ExternalPeer | 'everybody' {
  if (except.length === 0) return 'kubernetes-api';
  const privateNetworks: readonly string[] = cidr.includes(':') ? nonPublicNetworks.ipv6 : nonPublicNetworks.ipv4;
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
  return denies ? [] : [`${overlay.name}: no policy denies ingress and egress by default`];
}

/** An empty list of rules is stored as no list, so every apply would count as a change. */
function emptyLists(overlay: Overlay): string[] {
  return ofKind<NetworkPolicy>(overlay, 'NetworkPolicy').flatMap(({ metadata, spec }) =>
    (['ingress', 'egress'] as const)
      .filter((side) => spec[side]?.length === 0)
      .map(
        (side) => `${overlay.name}: NetworkPolicy ${metadata.name} has an empty list of ${side} rules: leave it out`,
      ),
  );
}

/** Pods that the table does not know would have no connections, or unchecked ones. */
function uncovered(overlay: Overlay): string[] {
  return workloadsOf(overlay)
    .filter(
      ({ spec }) =>
        !podGroups.some((place) => matches({ matchLabels: podLabels(place) }, spec.template.metadata.labels)),
    )
    .map(
      ({ metadata }) => `${overlay.name}: ${metadata.name} is not a pod group of k8s/tooling/network-policy-table.ts`,
    );
}
