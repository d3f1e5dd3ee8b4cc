import { DeploymentName, deploymentNames, serviceParts, services } from './service-needs';

/** A group of Podium's pods with common network policies. */
export type PodGroup =
  | DeploymentName
  | 'migrations'
  | 'operators'
  | 'kafka'
  | 'redis'
  | 'postgres'
  | 'postgres-pooler'
  | 'acme-solver'
  | 'topics'
  | 'sandbox'
  | 'local-edge';

/** A peer outside of the namespace. */
export type ExternalPeer =
  'edge' | 'monitoring' | 'autoscaler' | 'kafka-clients' | 'postgres-operator' | 'internet' | 'kubernetes-api';

/** One allowed connection: from where to where, on which ports. */
export interface AllowedConnection {
  readonly from: PodGroup | ExternalPeer;
  readonly to: PodGroup | ExternalPeer;
  /** TCP; undefined: any. */
  readonly ports?: readonly number[];
}

/** Port of the services. */
export const servicePort = 8080;
/** Port of health and metrics. */
export const healthPort = 9090;

const storePorts = { kafka: 9093, postgres: 5432, redis: 6379 } as const;

/** Port of the pods that cert-manager makes to answer an HTTP-01 challenge. */
const acmeSolverPort = 8089;

/** Labels that select the pods of a group. */
export function podLabels(place: PodGroup): Record<string, string> {
  // cert-manager makes these pods, in the namespace of the certificate and without a label of Podium.
  if (place === 'acme-solver') return { 'acme.cert-manager.io/http01-solver': 'true' };
  const isStore = ['kafka', 'redis', 'postgres', 'postgres-pooler'].includes(place);
  return isStore ? { 'podium/store': place } : { 'app.kubernetes.io/name': place };
}

/** Namespaces of the cluster's own parts, by the name label that the control plane sets. */
export const namespaceOf: Partial<Record<ExternalPeer, Record<string, string>>> = {
  edge: { 'kubernetes.io/metadata.name': 'edge' },
  monitoring: { 'kubernetes.io/metadata.name': 'monitoring' },
  autoscaler: { 'kubernetes.io/metadata.name': 'keda' },
  'postgres-operator': { 'kubernetes.io/metadata.name': 'cnpg-system' },
  'kafka-clients': { 'podium/kafka-client': 'true' },
};

/**
 * Private and special networks, excluded from access to the internet (RFC 6890, RFC 4193, RFC 4291). IPv4-mapped addresses
 * (::ffff:0:0/96) are not listed: their traffic is IPv4, under the IPv4 block. An API server also refuses them in an IPv6
 * block.
 */
export const nonPublicNetworks = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  ipv6: ['::/127', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
} as const;

/** The cluster's DNS: its pods, and the address of NodeLocal DNSCache, whose pods are in the network of their host. */
export const clusterDns = {
  namespace: { 'kubernetes.io/metadata.name': 'kube-system' },
  pods: { 'k8s-app': 'kube-dns' },
  nodeLocal: '169.254.20.10/32',
  port: 53,
} as const;

/** How an authority, and cert-manager before it, reaches the answer to an HTTP-01 challenge: by the edge, as any client. */
export const acmeChallenges: AllowedConnection = { from: 'edge', to: 'acme-solver', ports: [acmeSolverPort] };

/** Every allowed connection of a deployment: those of the architecture, and those that operators need. */
export const allowedConnections: readonly AllowedConnection[] = [
  { from: 'edge', to: 'gateway', ports: [servicePort] },
  acmeChallenges,
  ...services.flatMap(
    ({ name, calls, furtherConnections, redis, verifiesTokens, callsPartners }): AllowedConnection[] => [
      ...calls.map((to) => ({ from: name, to, ports: [servicePort] })),
      // competition-read included: pods of the release before this one apply changes until a roll-out has replaced them.
      { from: name, to: 'kafka', ports: [storePorts.kafka] },
      ...(furtherConnections === undefined
        ? []
        : [{ from: name, to: 'postgres-pooler', ports: [storePorts.postgres] } as const]),
      ...(redis ? [{ from: name, to: 'redis', ports: [storePorts.redis] } as const] : []),
      ...(verifiesTokens || callsPartners ? [{ from: name, to: 'internet', ports: [443] } as const] : []),
      { from: 'monitoring', to: name, ports: [healthPort] },
    ],
  ),
  ...serviceParts.flatMap(({ name }): AllowedConnection[] => [
    { from: name, to: 'kafka', ports: [storePorts.kafka] },
    { from: name, to: 'postgres-pooler', ports: [storePorts.postgres] },
    { from: 'monitoring', to: name, ports: [healthPort] },
  ]),
  { from: 'migrations', to: 'postgres', ports: [storePorts.postgres] },
  { from: 'operators', to: 'gateway', ports: [servicePort] },
  { from: 'operators', to: 'kafka', ports: [storePorts.kafka] },
  { from: 'operators', to: 'postgres', ports: [storePorts.postgres] },
  { from: 'autoscaler', to: 'kafka', ports: [storePorts.kafka] },
  { from: 'kafka-clients', to: 'kafka', ports: [storePorts.kafka] },
  { from: 'kafka', to: 'kafka' },
  { from: 'kafka', to: 'kubernetes-api', ports: [443, 6443] },
  { from: 'monitoring', to: 'kafka', ports: [9404] },
  { from: 'postgres-pooler', to: 'postgres', ports: [storePorts.postgres] },
  { from: 'postgres-pooler', to: 'kubernetes-api', ports: [443, 6443] },
  { from: 'monitoring', to: 'postgres-pooler', ports: [9127] },
  { from: 'postgres', to: 'postgres', ports: [storePorts.postgres, 8000] },
  { from: 'postgres', to: 'kubernetes-api', ports: [443, 6443] },
  // Backups go to the object store.
  { from: 'postgres', to: 'internet', ports: [443] },
  { from: 'postgres-operator', to: 'postgres', ports: [storePorts.postgres, 8000] },
  { from: 'monitoring', to: 'postgres', ports: [9187] },
];

/** Port of the trace collector in the namespace `monitoring` (OTLP over HTTP). */
export const collectorPort = 4318;

/** Further connections of a deployment whose services send traces. */
export const traceConnections: readonly AllowedConnection[] = deploymentNames.map((name) => ({
  from: name,
  to: 'monitoring',
  ports: [collectorPort],
}));

/** Further connections of a deployment on a developer's machine: plain servers without operators, and the sandbox. */
export const localConnections: readonly AllowedConnection[] = [
  { from: 'topics', to: 'kafka', ports: [storePorts.kafka] },
  ...services.flatMap(({ name, furtherConnections, verifiesTokens, callsPartners }): AllowedConnection[] => [
    ...(furtherConnections === undefined
      ? []
      : [{ from: name, to: 'postgres', ports: [storePorts.postgres] } as const]),
    ...(verifiesTokens || callsPartners ? [{ from: name, to: 'local-edge', ports: [8443] } as const] : []),
  ]),
  ...serviceParts.map(({ name }) => ({ from: name, to: 'postgres', ports: [storePorts.postgres] }) as const),
  { from: 'sandbox', to: 'local-edge', ports: [8443] },
  { from: 'local-edge', to: 'sandbox', ports: [servicePort] },
  { from: 'local-edge', to: 'gateway', ports: [servicePort] },
];

/** Pod groups that only a deployment on a developer's machine has. */
export const localPodGroups: readonly PodGroup[] = ['topics', 'sandbox', 'local-edge'];
