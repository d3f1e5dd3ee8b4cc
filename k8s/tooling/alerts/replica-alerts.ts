import { CauseAlert } from './cause-alert';

const behind = 'kafka_server_replicamanager_underreplicatedpartitions';
const standbys = 'cnpg_pg_replication_streaming_replicas';

/** Standbys of a cluster of Postgres: its instances without the primary. */
export const standbysOfPostgres = 2;

/** Metrics of the brokers, by Strimzi's reporter of metrics. */
export const brokerMetrics: ReadonlySet<string> = new Set([behind]);

/** Metrics of Postgres' pods: names of CloudNativePG 1.30. */
export const standbyMetrics: ReadonlySet<string> = new Set([standbys]);

/** Alerts on replicas that are missing while all goes on: without another loss nobody notices, with it writes stop. */
export const replicaAlerts: readonly CauseAlert[] = [
  {
    name: 'BrokerReplicasBehind',
    severity: 'ticket',
    expr: `sum(${behind}) > 0\nor label_replace(absent(${behind}), "source", "kafka", "", "")`,
    for: '30m',
    summary:
      '{{ if $labels.source }}Nothing reports the brokers of Kafka{{ else }}Replicas of {{ $value | printf "%.0f" }} partitions are missing or behind{{ end }}',
    description:
      'A broker is down, or does not keep up with the others. Records are written and read; with one more broker away, partitions accept none. With a source, Prometheus does not reach the brokers.',
  },
  {
    name: 'StandbyMissing',
    severity: 'ticket',
    // A standby reports 0 of its own.
    expr: `max by (cnpg_io_cluster) (${standbys}) < ${standbysOfPostgres}`,
    for: '30m',
    summary: 'Postgres {{ $labels.cnpg_io_cluster }} has {{ $value | printf "%.0f" }} of its standbys',
    description:
      'With one standby all goes on; when it is lost too, writes wait until one is back. The primary keeps the log for a missing standby, so that its volume fills.',
  },
];
