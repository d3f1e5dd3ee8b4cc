import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { checkoutFolder } from '../../../tools/stack/folders';
import { clusterDns } from '../network-policy-table';
import { NetworkPolicy } from '../rules/network-policy-types';
import { networkPolicies } from './network-policies';

describe('the DNS of the cluster', () => {
  const policies = networkPolicies()
    .flatMap(({ content }) => parseAllDocuments(content).map((document) => document.toJS() as NetworkPolicy))
    .filter(({ metadata }) => metadata.name !== 'deny-all');

  it('is allowed to every pod: its own pods, and the cache of the node', () => {
    const address = clusterDns.nodeLocal;
    for (const { spec } of policies)
      expect(spec.egress).toContainEqual({
        to: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
            podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
          },
          { ipBlock: { cidr: address } },
        ],
        ports: [
          { protocol: 'UDP', port: 53 },
          { protocol: 'TCP', port: 53 },
        ],
      });
    expect(policies.length).toBeGreaterThan(10);
  });

  it('is a requirement that the page on deploying names', () => {
    const page = fs.readFileSync(path.join(checkoutFolder, 'docs/operations/deployment.md'), 'utf8');
    const requirements = /^## Cluster requirements\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '';
    const row = requirements.split('\n').find((line) => line.startsWith('| DNS '));
    const labels = [...Object.entries(clusterDns.pods)].map(([name, value]) => `${name}: ${value}`);
    const namespaces = Object.values(clusterDns.namespace);
    for (const named of [...labels, ...namespaces, clusterDns.nodeLocal.replace('/32', '')])
      expect(row).toContain(`\`${named}\``);
  });
});
