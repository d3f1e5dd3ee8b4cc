import { GeneratedFile } from '../../../tools/generate/generators/generated-file';
import {
  AllowedConnection,
  ExternalPeer,
  PodGroup,
  allowedConnections,
  clusterDns,
  localConnections,
  localPodGroups,
  namespaceOf,
  nonPublicNetworks,
  podLabels,
  traceConnections,
} from '../network-policy-table';
import { Manifest, partOfPodium, yamlFile } from './yaml-file';

const source = 'k8s/tooling/network-policy-table.ts';

/** A NetworkPolicy per pod group with its allowed connections, and one that denies everything else. */
export function networkPolicies(): GeneratedFile[] {
  const isLocal = (place: PodGroup): boolean => localPodGroups.includes(place);
  return [
    yamlFile('k8s/components/network-policies/policies.generated.yaml', source, [
      denyAll,
      ...peersOf(allowedConnections).map((place) => policy(place, allowedConnections, '')),
    ]),
    yamlFile(
      'k8s/components/traces/network-policies.generated.yaml',
      source,
      peersOf(traceConnections).map((place) => policy(place, traceConnections, '-traces')),
    ),
    yamlFile(
      'k8s/overlays/local/network-policies.generated.yaml',
      source,
      peersOf(localConnections).map((place) => policy(place, localConnections, isLocal(place) ? '' : '-local')),
    ),
  ];
}

const denyAll: Manifest = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'deny-all', labels: partOfPodium },
  spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
};

/** Every pod may use the cluster's DNS. */
const toDns = {
  to: [
    {
      namespaceSelector: { matchLabels: clusterDns.namespace },
      podSelector: { matchLabels: clusterDns.pods },
    },
    { ipBlock: { cidr: clusterDns.nodeLocal } },
  ],
  ports: [
    { protocol: 'UDP', port: clusterDns.port },
    { protocol: 'TCP', port: clusterDns.port },
  ],
};

function peersOf(table: readonly AllowedConnection[]): PodGroup[] {
  return [...new Set(table.flatMap(({ from, to }) => [from, to]).filter(isPlace))];
}

function isPlace(place: PodGroup | ExternalPeer): place is PodGroup {
  return !(place in namespaceOf) && place !== 'internet' && place !== 'kubernetes-api';
}

function policy(place: PodGroup, table: readonly AllowedConnection[], suffix: string): Manifest {
  const incoming = table.filter(({ to }) => to === place);
  const outgoing = table.filter(({ from }) => from === place);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: `${place}${suffix}`,
      labels: partOfPodium,
      ...(!('app.kubernetes.io/name' in podLabels(place)) && {
        annotations: {
          'kube-score/ignore': 'networkpolicy-targets-pod',
          'podium/kube-score-reason': 'Its pods are made by an operator and are in no manifest.',
        },
      }),
    },
    spec: {
      podSelector: { matchLabels: podLabels(place) },
      policyTypes: ['Ingress', 'Egress'],
      // An empty list is stored as none, so an API server would see a change in every apply.
      ...(incoming.length > 0 && {
        ingress: incoming.map(({ from, ports }) => ({ from: peers(from), ...portsOf(ports) })),
      }),
      egress: [toDns, ...outgoing.map(({ to, ports }) => ({ to: peers(to), ...portsOf(ports) }))],
    },
  };
}

function portsOf(ports: readonly number[] | undefined): object {
  return ports ? { ports: ports.map((port) => ({ protocol: 'TCP', port })) } : {};
}

function peers(place: PodGroup | ExternalPeer): object[] {
  if (isPlace(place)) return [{ podSelector: { matchLabels: podLabels(place) } }];
  if (place === 'internet')
    return [
      { ipBlock: { cidr: '0.0.0.0/0', except: [...nonPublicNetworks.ipv4] } },
      { ipBlock: { cidr: '::/0', except: [...nonPublicNetworks.ipv6] } },
    ];
  // No selector finds the control plane: its address differs from cluster to cluster.
  if (place === 'kubernetes-api') return [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }];
  return [{ namespaceSelector: { matchLabels: namespaceOf[place] } }];
}
