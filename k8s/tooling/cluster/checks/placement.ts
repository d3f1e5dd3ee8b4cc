/** A constraint on where pods of a workload run. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
}

/** A node, by its name and labels. */
export interface PlacedNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Violated spread constraints of a workload's pods; `nodes` are all nodes on which they may run. */
export function placementProblems(
  constraints: readonly SpreadConstraint[],
  nodes: readonly PlacedNode[],
  podNodes: readonly string[],
): string[] {
  return constraints.flatMap(({ topologyKey, maxSkew }) => {
    const counts = new Map(nodes.map(({ labels }): [string, number] => [labels[topologyKey], 0]));
    for (const podNode of podNodes) {
      const domain = nodes.find(({ name }) => name === podNode)?.labels[topologyKey];
      if (domain === undefined) return [`a pod runs on ${podNode}, which is not allowed`];
      counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    const skew = Math.max(...counts.values()) - Math.min(...counts.values());
    const found = [...counts].map(([domain, count]) => `${domain} ${count}`).join(', ');
    return skew <= maxSkew ? [] : [`${topologyKey} is uneven: ${found}`];
  });
}
