import { Manifest } from '../generators/yaml-file';
import { durability } from './store-durability';

const object = (kind: string, spec: object, name = kind.toLowerCase()): Manifest => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  spec,
});

const cluster = object(
  'Cluster',
  {
    instances: 3,
    postgresql: { synchronous: { dataDurability: 'required', number: 1, failoverQuorum: true } },
    plugins: [{ name: 'barman', isWALArchiver: true }],
  },
  'postgres',
);
const of = (kind: string, name = 'postgres'): Manifest => object(kind, { cluster: { name } });
const monitor = object('PodMonitor', { podTargetLabels: ['cnpg.io/cluster'] });

/** Without the problems of Kafka, which has no manifest here. */
function check(...objects: Manifest[]): string[] {
  const { problems } = durability([{ name: 'test', objects }]);
  return problems.filter((problem) => !problem.includes('creates the topic'));
}

describe('durability of Postgres', () => {
  it('has a schedule of backups and a pooler of the cluster', () => {
    expect(check(cluster, of('ScheduledBackup'), of('Pooler'), monitor)).toEqual([]);
  });

  it('is missing when the schedule names another cluster', () => {
    expect(check(cluster, of('ScheduledBackup', 'former'), of('Pooler'), monitor)).toEqual([
      'test: Cluster postgres has no base backups',
      'test: a ScheduledBackup names the cluster former, which is not in the deployment',
    ]);
  });

  it('is missing for one of two clusters', () => {
    const restored = { ...cluster, metadata: { name: 'restored' } };
    expect(check(cluster, restored, of('ScheduledBackup'), of('Pooler', 'restored'), monitor)).toEqual([
      'test: Cluster restored has no base backups',
    ]);
  });

  it('is missing behind a pooler of another cluster', () => {
    expect(check(cluster, of('ScheduledBackup'), of('Pooler', 'former'), monitor)).toEqual([
      'test: a Pooler names the cluster former, which is not in the deployment',
    ]);
  });

  it('is monitored by cluster', () => {
    expect(check(cluster, of('ScheduledBackup'), of('Pooler'), object('PodMonitor', {}))).toHaveLength(1);
  });
});

describe('volumes of Kafka', () => {
  const pool = (context: object | undefined, type = 'persistent-claim'): Manifest =>
    object('KafkaNodePool', {
      ...{ replicas: 3, roles: ['broker'], storage: { type: 'jbod', volumes: [{ id: 0, type }] } },
      template: { pod: { securityContext: context } },
    });

  it('cannot be written without fsGroup in a security context that replaces that of Strimzi', () => {
    expect(check(pool({ runAsNonRoot: true }))).toEqual([
      'test: KafkaNodePool kafkanodepool cannot write to its volumes: the security context of its pods has no fsGroup',
    ]);
  });

  it.each([
    ['with the group of the user', pool({ runAsNonRoot: true, fsGroup: 0 })],
    ['with the security context of Strimzi', pool(undefined)],
    ['that end with their pod', pool({ runAsNonRoot: true }, 'ephemeral')],
  ])('can be written %s', (_which, ofKafka) => {
    expect(check(ofKafka)).toEqual([]);
  });
});
