import { TopicRow, deadLetterTopicName, redriveTopicName, topics } from '@podium/messages';
import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { Manifest } from '../generators/yaml-file';
import { brokerMetrics, standbysOfPostgres } from '../alerts/replica-alerts';

/** Settings that preserve acknowledged records and commits when an instance is lost. */
export function durability(overlays: readonly Overlay[]): CheckResult {
  const problems = overlays
    .filter(({ name }) => name !== 'local')
    .flatMap((overlay) =>
      [
        ...kafkaProblems(overlay),
        ...postgresProblems(overlay),
        ...strayReferences(overlay),
        ...ofKind(overlay, 'Pooler').flatMap(latePooler),
        ...monitoringProblems(overlay),
      ].map((text) => `${overlay.name}: ${text}`),
    );
  return { detail: 'replicated topics, synchronous replication and backups of Postgres', problems };
}

function kafkaProblems(overlay: Overlay): string[] {
  const found = ofKind(overlay, 'KafkaTopic');
  const brokers = ofKind(overlay, 'KafkaNodePool')
    .map(({ spec }) => spec as { roles: string[]; replicas: number })
    .filter(({ roles }) => roles.includes('broker'))
    .reduce((sum, { replicas }) => sum + replicas, 0);
  const wanted = Object.values<TopicRow>(topics).flatMap((row) => [
    row.name,
    ...row.consumers.flatMap((group) => [deadLetterTopicName(group, row), redriveTopicName(group, row)]),
  ]);
  const names = found.map(({ metadata }) => metadata.name);
  const unsafe = found.filter(({ spec }) => {
    const { replicas, config } = spec as { replicas: number; config: Record<string, string> };
    const isSafe = config['min.insync.replicas'] === '2' && config['unclean.leader.election.enable'] === 'false';
    return replicas !== 3 || replicas > brokers || !isSafe;
  });
  return [
    ...ofKind(overlay, 'KafkaNodePool').flatMap(unwritableVolumes),
    ...ofKind(overlay, 'Kafka').flatMap(unreportedMetrics),
    ...unsafe.map((topic) => `${nameOf(topic)} may lose acknowledged records`),
    ...wanted.filter((name) => !names.includes(name)).map((name) => `no manifest creates the topic ${name}`),
  ];
}

/** A security context of pods replaces that of Strimzi as a whole, with the group that may write to the volumes. */
function unwritableVolumes(pool: Manifest): string[] {
  const { storage, template } = pool.spec as {
    storage?: { volumes?: readonly { type: string }[] };
    template?: { pod?: { securityContext?: { fsGroup?: number } } };
  };
  const context = template?.pod?.securityContext;
  const isPersistent = storage?.volumes?.some(({ type }) => type === 'persistent-claim') === true;
  return isPersistent && context !== undefined && context.fsGroup === undefined
    ? [`${nameOf(pool)} cannot write to its volumes: the security context of its pods has no fsGroup`]
    : [];
}

/** Metrics of alerts that the brokers do not report: only those of the list are. */
function unreportedMetrics(kafka: Manifest): string[] {
  const { metricsConfig } = (
    kafka.spec as { kafka: { metricsConfig?: { values?: { allowList?: readonly string[] } } } }
  ).kafka;
  const allowed = metricsConfig?.values?.allowList ?? [];
  return [...brokerMetrics]
    .filter((name) => !allowed.some((pattern) => new RegExp(`^(?:${pattern})$`).test(name)))
    .map((name) => `${nameOf(kafka)} does not report ${name}, which an alert uses`);
}

function postgresProblems(overlay: Overlay): string[] {
  return ofKind(overlay, 'Cluster').flatMap((cluster) => {
    const {
      instances,
      postgresql,
      plugins,
      walStorage,
      smartShutdownTimeout = 180,
    } = cluster.spec as {
      instances: number;
      smartShutdownTimeout?: number;
      postgresql: {
        synchronous?: { dataDurability: string; number: number; failoverQuorum?: boolean };
        parameters?: Readonly<Record<string, string>>;
      };
      plugins?: { name: string; isWALArchiver?: boolean }[];
      walStorage?: { size: string };
    };
    const { max_wal_size: checkpoints, max_slot_wal_keep_size: slots } = postgresql.parameters ?? {};
    const { synchronous } = postgresql;
    const rules: [boolean, string][] = [
      [instances >= 3, 'has fewer than three instances'],
      [instances - 1 === standbysOfPostgres, `has not the ${standbysOfPostgres} standbys that StandbyMissing expects`],
      [
        smartShutdownTimeout <= 30,
        `takes no connections for ${smartShutdownTimeout} s before it stops (smartShutdownTimeout): sessions of a pooler do not end`,
      ],
      [
        gibibytes(checkpoints) + gibibytes(slots) <= 0.75 * gibibytes(walStorage?.size),
        'keeps the log for a missing standby until its volume is full: max_slot_wal_keep_size and max_wal_size take more than three quarters of walStorage',
      ],
      [
        synchronous?.dataDurability === 'required' && synchronous.number >= 1,
        'acknowledges commits that only one instance has',
      ],
      [synchronous?.failoverQuorum === true, 'may fail over to an instance that lacks a commit'],
      [plugins?.some(({ isWALArchiver }) => isWALArchiver) === true, 'does not archive log segments'],
      [referring(overlay, 'ScheduledBackup').includes(cluster.metadata.name), 'has no base backups'],
    ];
    return rules.filter(([holds]) => !holds).map(([, problem]) => `${nameOf(cluster)} ${problem}`);
  });
}

/** A size of Postgres (`8GB`) or Kubernetes (`8Gi`); NaN for another one. */
function gibibytes(size: string | undefined): number {
  return Number(/^(\d+)(?:GB|Gi)$/.exec(size ?? '')?.[1] ?? NaN);
}

/** Clusters that objects of a kind name. */
function referring(overlay: Overlay, kind: string): string[] {
  return ofKind(overlay, kind).map(({ spec }) => (spec as { cluster: { name: string } }).cluster.name);
}

/** A schedule of backups or a pooler whose cluster has another name would back up or serve nothing. */
function strayReferences(overlay: Overlay): string[] {
  const clusters = ofKind(overlay, 'Cluster').map(({ metadata }) => metadata.name);
  return ['ScheduledBackup', 'Pooler'].flatMap((kind) =>
    referring(overlay, kind)
      .filter((name) => !clusters.includes(name))
      .map((name) => `a ${kind} names the cluster ${name}, which is not in the deployment`),
  );
}

/** Until it tries again, a pooler refuses every service although the promoted server is there. */
function latePooler(pooler: Manifest): string[] {
  const { pgbouncer } = pooler.spec as { pgbouncer?: { parameters?: Readonly<Record<string, string>> } };
  const seconds = Number(pgbouncer?.parameters?.server_login_retry ?? 15);
  return seconds <= 5
    ? []
    : [`${nameOf(pooler)} tries a server that was away only after ${seconds} s (server_login_retry)`];
}

/** Alerts tell clusters apart by a label of their pods. */
function monitoringProblems(overlay: Overlay): string[] {
  const isLabelled = ofKind(overlay, 'PodMonitor').some(({ spec }) =>
    (spec as { podTargetLabels?: readonly string[] }).podTargetLabels?.includes('cnpg.io/cluster'),
  );
  return isLabelled || ofKind(overlay, 'Cluster').length === 0
    ? []
    : ['no PodMonitor has cnpg.io/cluster in podTargetLabels: a restored cluster hides whether another has backups'];
}
