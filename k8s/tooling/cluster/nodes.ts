import { Manifest } from '../generators/yaml-file';
import { PlacedNode } from './checks/placement';
import { Cluster, settled } from './cluster';
import { ObjectList } from './kubernetes-api';

/** Zones of the cluster, and how many nodes each has. */
const zones = ['a', 'b', 'c'] as const;
const nodesPerZone = 2;

/** The nodes that kwok simulates. */
export const nodes: readonly PlacedNode[] = zones.flatMap((zone) =>
  Array.from({ length: nodesPerZone }, (_, at) => {
    const name = `node-${zone}-${at + 1}`;
    return {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'topology.kubernetes.io/zone': zone,
        'topology.kubernetes.io/region': 'simulated',
      },
    };
  }),
);

/** The nodes of some zones. */
export function nodesOf(...wanted: readonly (typeof zones)[number][]): PlacedNode[] {
  return nodes.filter(({ labels }) => wanted.some((zone) => zone === labels['topology.kubernetes.io/zone']));
}

interface Node extends Manifest {
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Adds the nodes and waits until pods may run on them. */
export async function addNodes({ api }: Cluster): Promise<string[]> {
  for (const { name, labels } of nodes) {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
    const { status, body } = await api.post('/api/v1/nodes', node);
    if (status !== 201) return [`node ${name} was refused: ${JSON.stringify(body)}`];
  }
  return settled(async () => {
    const { items } = await api.get<ObjectList<Node>>('/api/v1/nodes');
    return items.filter((node) => !takesPods(node)).map(({ metadata }) => `node ${metadata.name} accepts no pods`);
  }, 60_000);
}

function takesPods({ spec, status }: Node): boolean {
  const isReady = status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  return isReady === true && (spec.taints ?? []).length === 0;
}
