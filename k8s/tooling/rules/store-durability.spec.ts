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
    postgresql: {
      synchronous: { dataDurability: 'required', number: 1, failoverQuorum: true },
      parameters: { max_wal_size: '8GB', max_slot_wal_keep_size: '20GB' },
    },
    plugins: [{ name: 'barman', isWALArchiver: true }],
    walStorage: { size: '50Gi' },
    smartShutdownTimeout: 5,
  },
  'postgres',
);
const pgbouncer = { parameters: { server_login_retry: '2' } };
const of = (kind: string, name = 'postgres'): Manifest => object(kind, { cluster: { name }, pgbouncer });
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

  it.each([
    ['without a bound', { max_wal_size: '8GB' }, '50Gi'],
    ['up to its whole volume', { max_wal_size: '8GB', max_slot_wal_keep_size: '40GB' }, '50Gi'],
    ['on the volume of the data', { max_wal_size: '8GB', max_slot_wal_keep_size: '20GB' }, undefined],
  ])('is at risk when a missing standby lets the log grow %s', (_how, parameters, size) => {
    const spec = cluster.spec as { postgresql: object };
    const changed = { postgresql: { ...spec.postgresql, parameters }, walStorage: size && { size } };
    const unbounded = { ...cluster, spec: { ...spec, ...changed } };
    expect(check(unbounded, of('ScheduledBackup'), of('Pooler'), monitor)).toEqual([
      expect.stringContaining('keeps the log for a missing standby until its volume is full'),
    ]);
  });

  it('has as many standbys as its alert expects', () => {
    const larger = { ...cluster, spec: { ...(cluster.spec as object), instances: 4 } };
    expect(check(larger, of('ScheduledBackup'), of('Pooler'), monitor)).toEqual([
      'test: Cluster postgres has not the 2 standbys that StandbyMissing expects',
    ]);
  });

  it('does not wait for sessions of the pooler when it stops', () => {
    const waiting = { ...cluster, spec: { ...(cluster.spec as object), smartShutdownTimeout: undefined } };
    expect(check(waiting, of('ScheduledBackup'), of('Pooler'), monitor)).toEqual([
      'test: Cluster postgres takes no connections for 180 s before it stops (smartShutdownTimeout): sessions of a pooler do not end',
    ]);
  });

  it('has a pooler that finds a promoted server at once', () => {
    const late = object('Pooler', { cluster: { name: 'postgres' }, pgbouncer: { parameters: {} } });
    expect(check(cluster, of('ScheduledBackup'), late, monitor)).toEqual([
      'test: Pooler pooler tries a server that was away only after 15 s (server_login_retry)',
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

describe('metrics of the brokers', () => {
  const reporting = (...allowList: string[]): Manifest =>
    object('Kafka', { kafka: { metricsConfig: { type: 'strimziMetricsReporter', values: { allowList } } } }, 'podium');

  it('are those of the alerts', () => {
    expect(check(reporting('kafka_log.*', 'kafka_server.*'))).toEqual([]);
    expect(check(reporting('kafka_log.*', 'kafka_server'))).toEqual([
      'test: Kafka podium does not report kafka_server_replicamanager_underreplicatedpartitions, which an alert uses',
    ]);
  });
});
