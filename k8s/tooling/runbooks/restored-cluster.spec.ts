import { restoredClusterProblems } from './restored-cluster';

const cluster = {
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'Cluster',
  metadata: { name: 'podium-postgres' },
  spec: {
    bootstrap: { initdb: { database: 'podium', owner: 'migrations', secret: { name: 'postgres-migrations' } } },
    plugins: [{ name: 'barman', isWALArchiver: true, parameters: { barmanObjectName: 'backups-of-podium' } }],
  },
};

const page = `1. Create it:

   \`\`\`yaml
   bootstrap:
     recovery:
       source: backups
       database: podium
       owner: migrations
       secret: { name: postgres-migrations }
   externalClusters:
     - name: backups
       plugin:
         name: barman
         parameters: { barmanObjectName: backups-of-podium, serverName: podium-postgres }
   \`\`\`
`;

describe('the restored cluster of a page', () => {
  it('is that of the manifest', () => expect(restoredClusterProblems(page, cluster)).toEqual([]));

  it.each([
    ['database: podium', 'database: other', 'database is other; the cluster has podium'],
    ['owner: migrations', 'owner: other', 'owner is other; the cluster has migrations'],
    [
      'secret: { name: postgres-migrations',
      'secret: { name: other',
      'secret is other; the cluster has postgres-migrations',
    ],
    [
      'barmanObjectName: backups-of-podium',
      'barmanObjectName: other',
      'barmanObjectName is other; the cluster has backups-of-podium',
    ],
    ['serverName: podium-postgres', 'serverName: other', 'serverName is other; the cluster has podium-postgres'],
    ['name: barman', 'name: other', 'the cluster has no plugin other'],
    ['source: backups', 'source: other', 'no external cluster has the name of recovery.source, other'],
    ['```yaml', '```text', 'there is no YAML of bootstrap'],
  ])('differs when %s is %s', (given, other, problem) =>
    expect(restoredClusterProblems(page.replace(given, other), cluster)).toEqual([problem]),
  );

  it('names the server under which the cluster archives, when that is not its own name', () => {
    const [plugin] = cluster.spec.plugins;
    const plugins = [{ ...plugin, parameters: { ...plugin.parameters, serverName: 'restored' } }];
    const problems = restoredClusterProblems(page, { ...cluster, spec: { ...cluster.spec, plugins } });
    expect(problems).toEqual(['serverName is podium-postgres; the cluster has restored']);
  });
});
