import { AlertScenario } from './alert-scenario';

const behind = (pod: string): string => `kafka_server_replicamanager_underreplicatedpartitions{pod="${pod}"}`;
const standbys = (cluster: string, instance: number): string =>
  `cnpg_pg_replication_streaming_replicas{pod="${cluster}-${instance}",cnpg_io_cluster="${cluster}"}`;

/** Scenarios for the alerts about replicas of Kafka and Postgres. */
export const replicaScenarios: readonly AlertScenario[] = [
  {
    alert: 'BrokerReplicasBehind',
    when: 'a broker is away: its own series ends, and the others lead partitions without it',
    series: { [behind('broker-0')]: '0x10 20x100', [behind('broker-1')]: '0x10 22x100', [behind('broker-2')]: '0x9' },
    at: '45m',
    fires: [{}],
  },
  {
    alert: 'BrokerReplicasBehind',
    when: 'three brokers are restarted one after the other',
    series: {
      [behind('broker-0')]: '0x10 20x8 0x10 22x8 0x90',
      [behind('broker-1')]: '0x28 22x8 0x10 20x8 0x90',
      [behind('broker-2')]: '0x120',
    },
    at: '45m',
    fires: [],
  },
  {
    alert: 'BrokerReplicasBehind',
    when: 'Prometheus does not reach the brokers',
    series: {},
    at: '45m',
    fires: [{ source: 'kafka' }],
  },
  {
    alert: 'StandbyMissing',
    when: 'a standby stays away after a failover, and the cluster of a restore has both',
    series: {
      [standbys('postgres', 1)]: '2x10 _x110',
      [standbys('postgres', 2)]: '0x12 1x110',
      [standbys('postgres', 3)]: '0x120',
      [standbys('restored', 1)]: '2x120',
    },
    at: '45m',
    fires: [{ cnpg_io_cluster: 'postgres' }],
  },
  {
    alert: 'StandbyMissing',
    when: 'the pods are replaced one after the other',
    series: {
      [standbys('postgres', 1)]: '2x10 1x10 2x5 1x10 2x5 _x10 0x80',
      [standbys('postgres', 2)]: '0x40 2x90',
    },
    at: '45m',
    fires: [],
  },
];
