import { serviceNames } from '../../services';
import { CauseAlert } from '../alert';

/** What goes wrong with processes and what they stand on. */
export const processAlerts: readonly CauseAlert[] = [
  {
    name: 'ServiceAbsent',
    severity: 'page',
    expr: serviceNames.map((service) => `absent(process_start_time_seconds{service="${service}"})`).join('\nor '),
    for: '3m',
    summary: 'No instance of {{ $labels.service }} tells anything',
    description: 'All instances are down, or Prometheus cannot reach them.',
  },
  {
    name: 'InstanceNotScraped',
    severity: 'ticket',
    expr: 'up{job=~"(.*/)?podium-services"} == 0',
    for: '5m',
    summary: '{{ $labels.pod }} cannot be scraped',
    description: 'It hangs, or its health port cannot be reached. Alerts do not see what happens in it.',
  },
  {
    name: 'InstanceRestarts',
    severity: 'ticket',
    expr: 'max by (service, pod) (changes(process_start_time_seconds[30m])) > 2',
    for: '0m',
    summary: '{{ $labels.pod }} of {{ $labels.service }} began anew {{ $value }} times in 30 min',
    description: 'The process ends by itself: memory, a fault that it cannot go on with, or a failing liveness probe.',
  },
  {
    name: 'EventLoopSlow',
    severity: 'ticket',
    expr: 'max by (service, pod) (nodejs_eventloop_lag_p99_seconds) > 0.25',
    for: '10m',
    summary: 'The event loop of {{ $labels.pod }} of {{ $labels.service }} is late by {{ $value | humanizeDuration }}',
    description: 'The process has too little CPU for its work: all that it answers becomes slow.',
  },
  {
    name: 'PoolExhausted',
    severity: 'ticket',
    expr: 'histogram_quantile(0.95, sum by (service, pool, le) (rate(postgres_pool_wait_seconds_bucket[5m]))) > 0.5',
    for: '5m',
    summary:
      'Callers in {{ $labels.service }} wait {{ $value | humanizeDuration }} for a connection of pool {{ $labels.pool }}',
    description: 'All connections are in use: statements are slow, or more is asked than the pool is for.',
  },
  {
    name: 'PostgresUnreachable',
    severity: 'page',
    expr: 'sum by (service) (increase(postgres_pool_connect_failures_total[5m])) >= 5',
    for: '1m',
    summary: '{{ $labels.service }} gets no connection to Postgres',
    description: 'Events are answered 503, links and awards wait, competition reads fail.',
  },
  {
    name: 'SecretUnreadable',
    severity: 'ticket',
    expr: 'max by (service, secret) (secret_unreadable) == 1',
    for: '5m',
    summary: '{{ $labels.service }} cannot read {{ $labels.secret }} anew',
    description: 'The value before stays in force. A restart would fail, and a rotation does not get through.',
  },
  {
    name: 'IdentityKeysFailing',
    severity: 'ticket',
    expr: 'max by (service) (identity_keys_failing) == 1',
    for: '10m',
    summary: '{{ $labels.service }} cannot read the keys of the identity provider',
    description:
      'The keys read before serve for 12 hours; then users and operators get 503. Instances that have started since get none at all.',
  },
];
