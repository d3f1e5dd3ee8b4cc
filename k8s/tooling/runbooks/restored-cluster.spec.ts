import { restoredClusterProblems, unnamedReferences } from './restored-cluster';

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

describe('what refers to the cluster', () => {
  const object = (kind: string, name: string, spec: object) => ({ apiVersion: 'v1', kind, metadata: { name }, spec });
  const objects = [
    cluster,
    object('Pooler', 'pool', { cluster: { name: 'podium-postgres' } }),
    object('ScheduledBackup', 'nightly', { cluster: { name: 'podium-postgres' } }),
    object('Job', 'migrations', { volumes: [{ secret: { secretName: 'podium-postgres-ca' } }] }),
    object('ExternalSecret', 'urls', { DATABASE_URL: 'postgres://u@podium-postgres-rw:5432/podium' }),
    object('ExternalSecret', 'pooled', { DATABASE_URL: 'postgres://u@podium-postgres-pooler:5432/podium' }),
  ];
  const all = 'Change `pool`, `nightly`, `podium-postgres-ca` and `podium-postgres-rw`.';

  it('is named by the page', () => expect(unnamedReferences(all, cluster, objects)).toEqual([]));

  it.each(['pool', 'nightly', 'podium-postgres-ca', 'podium-postgres-rw'])('is found without %s', (name) =>
    expect(unnamedReferences(all.replace(`\`${name}\``, name), cluster, objects)).toEqual([
      `${name} refers to the cluster podium-postgres, and the page does not name it`,
    ]),
  );
});
