import { CauseAlert } from './cause-alert';

const newestBackup = 'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp';
const byCluster = 'max by (cnpg_io_cluster)';
/** Log segments of a pod that wait for their upload. */
const waiting = 'cnpg_collector_pg_wal_archive_status{value="ready"}';
const quiet = 'cnpg_pg_stat_archiver_seconds_since_last_archival';

/** Metrics that Postgres' pods report: names of CloudNativePG 1.30 and, first, of its Barman plugin 0.15. */
export const storeMetrics: ReadonlySet<string> = new Set([
  newestBackup,
  'cnpg_collector_up',
  'cnpg_collector_pg_wal_archive_status',
  'cnpg_pg_stat_archiver_last_archived_time',
  'cnpg_pg_stat_archiver_last_failed_time',
  quiet,
]);

/** Alerts on the backups of Postgres, by cluster: during a restore there are two. */
export const storeAlerts: readonly CauseAlert[] = [
  {
    name: 'BackupOld',
    severity: 'ticket',
    // 0 until the first backup. A cluster without the plugin has no such metric.
    expr: [
      `time() - ${byCluster} (${newestBackup}) > 93600`,
      `or ${byCluster} (cnpg_collector_up) unless ${byCluster} (${newestBackup})`,
      `or absent(${newestBackup})`,
    ].join('\n'),
    for: '1h',
    summary: 'Postgres {{ $labels.cnpg_io_cluster }} has no base backup of the last 26 h',
    description:
      'The nightly backup fails, is not scheduled for this cluster, or its metrics are missing. A restore begins with a base backup: from an old one it takes longer, without one it is impossible.',
  },
  {
    name: 'ArchivingFails',
    severity: 'page',
    // Only the primary reports its archiver. -1 stands for never: a new primary has uploaded nothing yet.
    expr: [
      `${byCluster} (cnpg_pg_stat_archiver_last_failed_time - cnpg_pg_stat_archiver_last_archived_time) > 0`,
      `or ${byCluster} (${waiting} and on (pod) (${quiet} > 900 or ${quiet} < 0)) > 0`,
    ].join('\n'),
    for: '10m',
    summary: 'Postgres {{ $labels.cnpg_io_cluster }} does not upload its log segments',
    description:
      'A restore would lose every commit since the last uploaded segment. The segments stay on the volume of the log; when it is full, Postgres stops.',
  },
];
