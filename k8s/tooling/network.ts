import { ServiceName, services } from './services';

/** Pods of ours that something may be sent to or come from. */
export type Place =
  | ServiceName
  | 'migrations'
  | 'operators'
  | 'kafka'
  | 'redis'
  | 'postgres'
  | 'postgres-pooler'
  | 'topics'
  | 'sandbox'
  | 'local-edge';

/** Who stands outside of the namespace. */
export type Outsider =
  'edge' | 'monitoring' | 'autoscaler' | 'kafka-clients' | 'postgres-operator' | 'internet' | 'kubernetes-api';

/** One arrow: who may open a connection to whom, on which ports. */
export interface Edge {
  readonly from: Place | Outsider;
  readonly to: Place | Outsider;
  /** TCP; undefined: any. */
  readonly ports?: readonly number[];
}

/** Where services listen. */
export const servicePort = 8080;
/** Where services show health and metrics. */
export const healthPort = 9090;

const storePorts = { kafka: 9093, postgres: 5432, redis: 6379 } as const;

/** Labels by which the pods of a place are found. */
export function podLabels(place: Place): Record<string, string> {
  const isStore = ['kafka', 'redis', 'postgres', 'postgres-pooler'].includes(place);
  return isStore ? { 'podium/store': place } : { 'app.kubernetes.io/name': place };
}

/** Namespaces of the cluster's own parts, by the name that the control plane gives each as a label. */
export const namespaceOf: Partial<Record<Outsider, Record<string, string>>> = {
  edge: { 'kubernetes.io/metadata.name': 'edge' },
  monitoring: { 'kubernetes.io/metadata.name': 'monitoring' },
  autoscaler: { 'kubernetes.io/metadata.name': 'keda' },
  'postgres-operator': { 'kubernetes.io/metadata.name': 'cnpg-system' },
  'kafka-clients': { 'podium/kafka-client': 'true' },
};

/**
 * Private and special networks: the way out to the world does not lead to them (RFC 6890, RFC 4193, RFC 4291). IPv4-mapped
 * addresses (::ffff:0:0/96) are none of them: what is sent there travels as IPv4, under the IPv4 block, and an API server
 * takes them for IPv4 and refuses them in an IPv6 block.
 */
export const notTheInternet = {
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

/** Every arrow of a deployment in a cluster: one per arrow of the architecture, and what operators need. */
export const edges: readonly Edge[] = [
  { from: 'edge', to: 'gateway', ports: [servicePort] },
  ...services.flatMap(({ name, calls, furtherConnections, redis, verifiesTokens, callsPartners }): Edge[] => [
    ...calls.map((to) => ({ from: name, to, ports: [servicePort] })),
    { from: name, to: 'kafka', ports: [storePorts.kafka] },
    ...(furtherConnections === undefined
      ? []
      : [{ from: name, to: 'postgres-pooler', ports: [storePorts.postgres] } as const]),
    ...(redis ? [{ from: name, to: 'redis', ports: [storePorts.redis] } as const] : []),
    ...(verifiesTokens || callsPartners ? [{ from: name, to: 'internet', ports: [443] } as const] : []),
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
  // Backups leave for the object store.
  { from: 'postgres', to: 'internet', ports: [443] },
  { from: 'postgres-operator', to: 'postgres', ports: [storePorts.postgres, 8000] },
  { from: 'monitoring', to: 'postgres', ports: [9187] },
];

/** Where the collector of traces listens in the namespace `monitoring` (OTLP over HTTP). */
export const collectorPort = 4318;

/** What a deployment has beside whose services send traces. */
export const traceEdges: readonly Edge[] = services.map(({ name }) => ({
  from: name,
  to: 'monitoring',
  ports: [collectorPort],
}));

/** What a deployment on one's own machine has beside: plain servers without operators, and the sandbox. */
export const localEdges: readonly Edge[] = [
  { from: 'topics', to: 'kafka', ports: [storePorts.kafka] },
  ...services.flatMap(({ name, furtherConnections, verifiesTokens, callsPartners }): Edge[] => [
    ...(furtherConnections === undefined
      ? []
      : [{ from: name, to: 'postgres', ports: [storePorts.postgres] } as const]),
    ...(verifiesTokens || callsPartners ? [{ from: name, to: 'local-edge', ports: [8443] } as const] : []),
  ]),
  { from: 'sandbox', to: 'local-edge', ports: [8443] },
  { from: 'local-edge', to: 'sandbox', ports: [servicePort] },
  { from: 'local-edge', to: 'gateway', ports: [servicePort] },
];

/** Places that only a deployment on one's own machine has. */
export const localPlaces: readonly Place[] = ['topics', 'sandbox', 'local-edge'];
