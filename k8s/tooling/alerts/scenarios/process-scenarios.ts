import { serviceNames } from '../../service-needs';
import { AlertScenario } from './alert-scenario';

const started = (service: string): string => `process_start_time_seconds{service="${service}",pod="${service}-1"}`;
const waited = (le: string): string => `postgres_pool_wait_seconds_bucket{service="linkage",pool="main",le="${le}"}`;
const delayed = 'nodejs_eventloop_lag_p99_seconds{service="gateway",pod="a"}';
const pace = 'competition_read_change_pace_ratio{service="competition-read",pod="a"}';
const cache = 'competition_read_answers_kept_bytes{service="competition-read",pod="competition-read-1"}';
const refused = 'postgres_pool_connect_failures_total{service="ingestion",pool="main"}';
const connected = 'postgres_pool_wait_seconds_count{service="ingestion",pool="main"}';

/** Scenarios for the alerts about processes. */
export const processScenarios: readonly AlertScenario[] = [
  {
    alert: 'ServiceAbsent',
    when: 'two services are gone, one of them from the start',
    series: {
      ...Object.fromEntries(
        serviceNames
          .filter((name) => name !== 'linkage')
          .map((name) => [started(name), name === 'gateway' ? '1x4' : '1x40']),
      ),
      [pace]: '1x40',
      [cache]: '0x40',
    },
    at: '15m',
    fires: [{ service: 'gateway' }, { service: 'linkage' }],
  },
  {
    alert: 'ServiceAbsent',
    when: 'all services run',
    series: {
      ...Object.fromEntries(serviceNames.map((name) => [started(name), '1x40'])),
      [pace]: '1x40',
      [cache]: '0x40',
    },
    at: '15m',
    fires: [],
  },
  {
    alert: 'ServiceAbsent',
    when: 'nothing applies changes, while competition-read serves reads',
    series: {
      ...Object.fromEntries(serviceNames.map((name) => [started(name), '1x40'])),
      [pace]: '1x4',
      [cache]: '0x40',
    },
    at: '15m',
    fires: [{ service: 'competition-read-projector' }],
  },
  {
    alert: 'ServiceAbsent',
    when: 'all instances with reads are gone, while the projector runs',
    series: {
      ...Object.fromEntries(serviceNames.map((name) => [started(name), name === 'competition-read' ? '1x4' : '1x40'])),
      'process_start_time_seconds{service="competition-read",pod="a"}': '1x40',
      [pace]: '1x40',
      [cache]: '0x4',
    },
    at: '15m',
    fires: [{ service: 'competition-read' }],
  },
  {
    alert: 'InstanceNotScraped',
    when: 'an instance hangs',
    series: { 'up{job="podium-test/podium-services",pod="a"}': '1x4 0x20' },
    at: '8m',
    fires: [{ job: 'podium-test/podium-services', pod: 'a' }],
  },
  {
    alert: 'InstanceNotScraped',
    when: 'a roll-out',
    series: { 'up{job="podium-test/podium-services",pod="a"}': '1x4 0x2 stale', 'up{job="another",pod="b"}': '0x30' },
    at: '8m',
    fires: [],
  },
  {
    alert: 'InstanceRestarts',
    when: 'a process ends again and again',
    series: { 'process_start_time_seconds{service="gateway",pod="a"}': '1x5 2x5 3x5 4x20' },
    at: '10m',
    fires: [{ service: 'gateway', pod: 'a' }],
  },
  {
    alert: 'InstanceRestarts',
    when: 'one restart',
    series: { 'process_start_time_seconds{service="gateway",pod="a"}': '1x5 2x30' },
    at: '10m',
    fires: [],
  },
  {
    alert: 'EventLoopSlow',
    when: 'the event loop is late',
    series: { [delayed]: '0.4x40' },
    at: '15m',
    fires: [{ service: 'gateway', pod: 'a' }],
  },
  { alert: 'EventLoopSlow', when: 'a start', series: { [delayed]: '0.4x10 0.02x30' }, at: '15m', fires: [] },
  {
    alert: 'PoolExhausted',
    when: 'a tenth waits for a second',
    series: { [waited('0.5')]: '0+90x40', [waited('1')]: '0+100x40', [waited('+Inf')]: '0+100x40' },
    at: '15m',
    fires: [{ service: 'linkage', pool: 'main' }],
  },
  {
    alert: 'PoolExhausted',
    when: 'connections are available',
    series: { [waited('0.5')]: '0+100x40', [waited('1')]: '0+100x40', [waited('+Inf')]: '0+100x40' },
    at: '15m',
    fires: [],
  },
  {
    alert: 'PostgresUnreachable',
    when: 'nothing is connected',
    series: { [refused]: '0x10 3+3x20' },
    at: '8m',
    fires: [{ service: 'ingestion' }],
  },
  {
    alert: 'PostgresUnreachable',
    when: 'a busy service loses its connections',
    series: { [refused]: '0x10 3+3x20', [connected]: '0+3000x10 30000x20' },
    at: '8m30s',
    fires: [{ service: 'ingestion' }],
  },
  {
    alert: 'PostgresUnreachable',
    when: 'all connections are in use for too long, and most callers get one',
    series: { [refused]: '0x10 3+3x20', [connected]: '0+100x40' },
    at: '8m30s',
    fires: [],
  },
  {
    alert: 'SecretUnreadable',
    when: 'the file of a secret is malformed',
    series: { 'secret_unreadable{service="linkage",pod="a",secret="VAULT_KEYS"}': '1x20' },
    at: '8m',
    fires: [{ service: 'linkage', secret: 'VAULT_KEYS' }],
  },
  {
    alert: 'SecretUnreadable',
    when: 'the file is missing while it is replaced',
    series: { 'secret_unreadable{service="linkage",pod="a",secret="VAULT_KEYS"}': '0x4 1x4 0x12' },
    at: '8m',
    fires: [],
  },
  {
    alert: 'IdentityKeysFailing',
    when: 'the identity provider is unavailable for one of two services',
    series: {
      'identity_keys_failing{service="linkage",pod="a"}': '0x4 1x20',
      'identity_keys_failing{service="engagement",pod="b"}': '0x24',
    },
    at: '16m',
    fires: [{ service: 'linkage' }],
  },
  {
    alert: 'IdentityKeysFailing',
    when: 'the identity provider restarts',
    series: { 'identity_keys_failing{service="linkage",pod="a"}': '0x4 1x4 0x16' },
    at: '16m',
    fires: [],
  },
  { alert: 'PostgresUnreachable', when: 'a failover', series: { [refused]: '0x10 3x30' }, at: '8m', fires: [] },
];
