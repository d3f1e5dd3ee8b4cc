import { AlertScenario } from './alert-scenario';

const labels = (cluster: string): string => `pod="${cluster}-1",cnpg_io_cluster="${cluster}"`;
const backup = (cluster: string): string =>
  `barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${labels(cluster)}}`;
const up = (cluster: string): string => `cnpg_collector_up{${labels(cluster)},cluster="${cluster}"}`;
const archived = `cnpg_pg_stat_archiver_last_archived_time{${labels('postgres')}}`;
const failed = `cnpg_pg_stat_archiver_last_failed_time{${labels('postgres')}}`;
const quiet = `cnpg_pg_stat_archiver_seconds_since_last_archival{${labels('postgres')}}`;
const waiting = (pod: string): string =>
  `cnpg_collector_pg_wal_archive_status{pod="${pod}",cnpg_io_cluster="postgres",value="ready"}`;

/** Scenarios for the alerts about stores. */
export const storeScenarios: readonly AlertScenario[] = [
  {
    alert: 'BackupOld',
    when: 'the backups of a night and of the next one fail',
    interval: '5m',
    series: { [backup('postgres')]: '3600x400' },
    at: '28h30m',
    fires: [{ cnpg_io_cluster: 'postgres' }],
  },
  {
    alert: 'BackupOld',
    when: 'every night has one',
    interval: '5m',
    series: { [backup('postgres')]: '3600x299 90000x100', [up('postgres')]: '1x400' },
    at: '28h30m',
    fires: [],
  },
  {
    alert: 'BackupOld',
    when: 'a restored cluster has no backups, and the former one has',
    interval: '5m',
    series: { [backup('postgres')]: '3600x40', [up('postgres')]: '1x40', [up('restored')]: '1x40' },
    at: '2h',
    fires: [{ cnpg_io_cluster: 'restored' }],
  },
  {
    alert: 'BackupOld',
    when: 'the schedule still names the former cluster',
    interval: '5m',
    series: { [backup('postgres')]: '3600x299 90000x100', [backup('restored')]: '0x400' },
    at: '28h30m',
    fires: [{ cnpg_io_cluster: 'restored' }],
  },
  { alert: 'BackupOld', when: 'nothing is reported', interval: '5m', series: {}, at: '2h', fires: [{}] },
  {
    alert: 'ArchivingFails',
    when: 'the object store refuses segments',
    series: { [archived]: '60x60', [failed]: '-1x4 180+30x60' },
    at: '15m',
    fires: [{ cnpg_io_cluster: 'postgres' }],
  },
  {
    alert: 'ArchivingFails',
    when: 'an upload hangs',
    series: { [archived]: '60x60', [failed]: '-1x60', [quiet]: '0+30x60', [waiting('postgres-1')]: '0x10 1+1x60' },
    at: '27m',
    fires: [{ cnpg_io_cluster: 'postgres' }],
  },
  {
    alert: 'ArchivingFails',
    when: 'the first upload of a new primary hangs',
    series: { [archived]: '-1x60', [failed]: '-1x60', [quiet]: '-1x60', [waiting('postgres-1')]: '0x10 1+1x50' },
    at: '17m',
    fires: [{ cnpg_io_cluster: 'postgres' }],
  },
  {
    alert: 'ArchivingFails',
    when: 'a new primary has nothing to upload, and then takes minutes for its first segment',
    series: {
      [archived]: '-1x30 900x30',
      [failed]: '-1x60',
      [quiet]: '-1x30 0+30x30',
      [waiting('postgres-1')]: '0x20 1x10 0x30',
    },
    at: '17m',
    fires: [],
  },
  {
    alert: 'ArchivingFails',
    when: 'a failed upload is repeated with success',
    series: { [archived]: '60x9 400x60', [failed]: '-1x4 180x60' },
    at: '20m',
    fires: [],
  },
  {
    alert: 'ArchivingFails',
    when: 'nothing is written, and a standby has old segments',
    series: {
      [archived]: '60x80',
      [failed]: '-1x80',
      [quiet]: '0+30x80',
      [waiting('postgres-1')]: '0x80',
      [waiting('postgres-2')]: '3x80',
    },
    at: '35m',
    fires: [],
  },
];
