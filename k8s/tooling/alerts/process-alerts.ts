import { DeploymentName, deploymentNames } from '../service-needs';
import { CauseAlert } from './cause-alert';

/** Instances with reads and those that apply changes report themselves as one service: metrics that only one kind has. */
const ownMetrics: Partial<Record<DeploymentName, string>> = {
  'competition-read': 'competition_read_answers_kept_bytes',
  'competition-read-projector': 'competition_read_change_pace_ratio',
};

/** Alerts on processes and the resources they need. */
export const processAlerts: readonly CauseAlert[] = [
  {
    name: 'ServiceAbsent',
    severity: 'page',
    expr: deploymentNames.map(absenceOf).join('\nor '),
    for: '3m',
    summary: 'No instance of {{ $labels.service }} reports metrics',
    description: 'All instances are down, or Prometheus cannot reach them.',
  },
  {
    name: 'InstanceNotScraped',
    severity: 'ticket',
    expr: 'up{job=~"(.*/)?podium-services"} == 0',
    for: '5m',
    summary: '{{ $labels.pod }} cannot be scraped',
    description: 'It hangs, or its health port cannot be reached. Alerts do not cover this instance meanwhile.',
  },
  {
    name: 'InstanceRestarts',
    severity: 'ticket',
    expr: 'max by (service, pod) (changes(process_start_time_seconds[30m])) > 2',
    for: '0m',
    summary: '{{ $labels.pod }} of {{ $labels.service }} restarted {{ $value }} times in 30 min',
    description: 'The process ends: it is out of memory, has met a fatal error, or its liveness probe fails.',
  },
  {
    name: 'EventLoopSlow',
    severity: 'ticket',
    expr: 'max by (service, pod) (nodejs_eventloop_lag_p99_seconds) > 0.25',
    for: '10m',
    summary: 'The event loop of {{ $labels.pod }} of {{ $labels.service }} is late by {{ $value | humanizeDuration }}',
    description: 'The process has too little CPU for its work, so all its responses become slow.',
  },
  {
    name: 'PoolExhausted',
    severity: 'ticket',
    expr: 'histogram_quantile(0.95, sum by (service, pool, le) (rate(postgres_pool_wait_seconds_bucket[5m]))) > 0.5',
    for: '5m',
    summary:
      'Callers in {{ $labels.service }} wait {{ $value | humanizeDuration }} for a connection of pool {{ $labels.pool }}',
    description: 'All connections are in use: statements are slow, or there is more load than the pool is sized for.',
  },
  {
    name: 'PostgresUnreachable',
    severity: 'page',
    // A caller also fails when all connections are in use for too long, which is PoolExhausted: others get theirs meanwhile.
    expr: [
      'max by (service) (',
      '  sum by (service, pod) (increase(postgres_pool_connect_failures_total[5m])) >= 5',
      '  unless sum by (service, pod) (rate(postgres_pool_connect_failures_total[1m])) < 0.5 * sum by (service, pod) (rate(postgres_pool_wait_seconds_count[1m]))',
      ')',
    ].join('\n'),
    for: '1m',
    summary: '{{ $labels.service }} gets no connection to Postgres',
    description: 'Events are answered with 503, links and awards wait, competition reads fail.',
  },
  {
    name: 'SecretUnreadable',
    severity: 'ticket',
    expr: 'max by (service, secret) (secret_unreadable) == 1',
    for: '5m',
    summary: '{{ $labels.service }} cannot re-read {{ $labels.secret }}',
    description: 'The previous value stays in use. A restart would fail, and a rotation does not take effect.',
  },
  {
    name: 'IdentityKeysFailing',
    severity: 'ticket',
    expr: 'max by (service) (identity_keys_failing) == 1',
    for: '10m',
    summary: '{{ $labels.service }} cannot read the keys of the identity provider',
    description:
      'Keys that were read before are used for 12 hours; then users and operators get 503. Instances that have started since have no keys at all.',
  },
];

function absenceOf(deployment: DeploymentName): string {
  const metric = ownMetrics[deployment];
  return metric === undefined
    ? `absent(process_start_time_seconds{service="${deployment}"})`
    : `label_replace(absent(${metric}), "service", "${deployment}", "", "")`;
}
