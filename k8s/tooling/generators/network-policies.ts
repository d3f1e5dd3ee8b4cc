import { Artefact } from '../../../tools/generate/artefact';
import {
  Edge,
  Outsider,
  Place,
  edges,
  localEdges,
  localPlaces,
  namespaceOf,
  notTheInternet,
  podLabels,
  traceEdges,
} from '../network';
import { Manifest, partOfPodium, yamlFile } from './yaml-file';

const source = 'k8s/tooling/network.ts';

/** A NetworkPolicy per place with its arrows, and one that denies everything else; those that not every deployment has apart. */
export function networkPolicies(): Artefact[] {
  const isLocal = (place: Place): boolean => localPlaces.includes(place);
  return [
    yamlFile('k8s/components/network-policies/policies.generated.yaml', source, [
      denyAll,
      ...placesOf(edges).map((place) => policy(place, edges, '')),
    ]),
    yamlFile(
      'k8s/components/traces/network-policies.generated.yaml',
      source,
      placesOf(traceEdges).map((place) => policy(place, traceEdges, '-traces')),
    ),
    yamlFile(
      'k8s/overlays/local/network-policies.generated.yaml',
      source,
      placesOf(localEdges).map((place) => policy(place, localEdges, isLocal(place) ? '' : '-local')),
    ),
  ];
}

const denyAll: Manifest = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'deny-all', labels: partOfPodium },
  spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
};

/** Names of pods are asked of the cluster's DNS. */
const toDns = {
  to: [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    },
  ],
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
};

function placesOf(table: readonly Edge[]): Place[] {
  return [...new Set(table.flatMap(({ from, to }) => [from, to]).filter(isPlace))];
}

function isPlace(place: Place | Outsider): place is Place {
  return !(place in namespaceOf) && place !== 'internet' && place !== 'kubernetes-api';
}

function policy(place: Place, table: readonly Edge[], suffix: string): Manifest {
  const incoming = table.filter(({ to }) => to === place);
  const outgoing = table.filter(({ from }) => from === place);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: `${place}${suffix}`,
      labels: partOfPodium,
      ...('podium/store' in podLabels(place) && {
        annotations: {
          'kube-score/ignore': 'networkpolicy-targets-pod',
          'podium/kube-score-reason': 'Its pods are made by an operator and stand in no manifest.',
        },
      }),
    },
    spec: {
      podSelector: { matchLabels: podLabels(place) },
      policyTypes: ['Ingress', 'Egress'],
      // An empty list is stored as none, so that an API server would see a change in every apply.
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

function peers(place: Place | Outsider): object[] {
  if (isPlace(place)) return [{ podSelector: { matchLabels: podLabels(place) } }];
  if (place === 'internet')
    return [
      { ipBlock: { cidr: '0.0.0.0/0', except: [...notTheInternet.ipv4] } },
      { ipBlock: { cidr: '::/0', except: [...notTheInternet.ipv6] } },
    ];
  // No selector finds the control plane: its address differs from cluster to cluster.
  if (place === 'kubernetes-api') return [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }];
  return [{ namespaceSelector: { matchLabels: namespaceOf[place] } }];
}
