import { eventRatePerSecond } from '../../../../libs/messages/src';
import { CauseAlert } from '../alert';

/** Outcomes of an event request that the partner can mend; rates have an alert of their own. */
const refusals = 'outcome!~"accepted|duplicate|rate_limited|client_gone|unavailable|overloaded|internal_error|other"';

/** What goes wrong where partners and users come in. */
export const edgeAlerts: readonly CauseAlert[] = [
  {
    name: 'LimiterLocal',
    severity: 'ticket',
    expr: 'max by (pod) (gateway_limiter_mode) == 1',
    for: '5m',
    summary: 'Gateway {{ $labels.pod }} shares out rates by itself',
    description: `The Redis of rates (redis-limits) does not answer this gateway, or its memory is full. Each instance gives its own share of the rates, so that a partner may get up to a quarter more or less than ${eventRatePerSecond}/s.`,
  },
  {
    name: 'ConnectionsRefused',
    severity: 'ticket',
    expr: 'sum by (reason) (rate(gateway_connections_refused_total[5m])) > 1',
    for: '5m',
    summary: '{{ $value | humanize }} connections/s are closed by the gateways ({{ $labels.reason }})',
    description:
      'client: one address holds more connections than one client may. all: an instance has as many as it takes, so that anyone may be refused.',
  },
  {
    name: 'EventsWithoutMarks',
    severity: 'ticket',
    expr: 'max by (pod) (redis_away{service="ingestion"}) == 1',
    for: '5m',
    summary: 'Ingestion {{ $labels.pod }} accepts events without marks',
    description:
      'The Redis of marks (redis-marks) does not answer this instance. A repeated event reaches the topic again; the inbox of engagement drops it, so that nothing happens twice.',
  },
  {
    name: 'KeyViewStale',
    severity: 'page',
    expr: 'max by (pod) (gateway_key_view_age_seconds) > 30',
    for: '1m',
    summary: 'Gateway {{ $labels.pod }} has not heard from Kafka about keys for {{ $value | humanizeDuration }}',
    description: 'After 60 s the gateway answers all events 503, because a revoked key would still be let in.',
  },
  {
    name: 'KeysUnreadable',
    severity: 'ticket',
    expr: 'max(gateway_unreadable_keys) > 0',
    for: '5m',
    summary: '{{ $value }} keys or integrations cannot be read by the gateway',
    description:
      'Their partners are refused. Either a record was written by hand, or linkage is newer than the gateway.',
  },
  {
    name: 'PartnerRefused',
    severity: 'ticket',
    expr: [
      `sum by (platform) (rate(gateway_events_total{${refusals}}[15m])) / sum by (platform) (rate(gateway_events_total[15m])) > 0.5`,
      `and sum by (platform) (increase(gateway_events_total{${refusals}}[15m])) >= 30`,
    ].join('\n'),
    for: '10m',
    summary: '{{ $value | humanizePercentage }} of the events of {{ $labels.platform }} are refused',
    description:
      'The partner sends what its contract or our format does not allow, or events of users who are not linked. The codes say which.',
  },
  {
    name: 'PartnerOverRate',
    severity: 'ticket',
    expr: 'sum by (platform) (rate(gateway_events_total{outcome="rate_limited"}[15m])) > 1',
    for: '30m',
    summary: '{{ $labels.platform }} is over its rate with {{ $value | humanize }} requests/s',
    description: `The partner sends more than ${eventRatePerSecond}/s for long. What is refused arrives late, as the partner repeats it.`,
  },
  {
    name: 'PartnerSilent',
    severity: 'ticket',
    expr: [
      'sum by (platform) (increase(gateway_events_total[2h] offset 1d)) >= 100',
      'unless sum by (platform) (increase(gateway_events_total[2h])) > 0',
    ].join('\n'),
    for: '15m',
    summary: '{{ $labels.platform }} has sent nothing for 2 h',
    description:
      'A day ago it sent {{ $value | humanize }} events in the same two hours. Its sender stands still, or cannot reach us.',
  },
  {
    name: 'IngestionOverloaded',
    severity: 'ticket',
    expr: 'sum(rate(gateway_events_total{outcome="overloaded"}[5m])) > 0.1',
    for: '5m',
    summary: '{{ $value | humanize }} events/s are refused because ingestion is full',
    description: 'Events are answered 503 and repeated by partners. Ingestion has too few instances, or Kafka is slow.',
  },
  {
    name: 'CompetitionReadsFail',
    severity: 'page',
    expr: [
      'sum(rate(competition_read_requests_total{status=~"5.."}[5m])) / sum(rate(competition_read_requests_total[5m])) > 0.01',
      'and sum(increase(competition_read_requests_total{status=~"5.."}[5m])) >= 10',
    ].join('\n'),
    for: '3m',
    summary: '{{ $value | humanizePercentage }} of competition reads fail',
    description: 'Data partners get 5XX. Postgres is away or slow, or reads are more than the instances can do.',
  },
  {
    name: 'CompetitionReadsSlow',
    severity: 'ticket',
    expr: 'histogram_quantile(0.99, sum by (le) (rate(competition_read_request_seconds_bucket[10m]))) > 0.5',
    for: '15m',
    summary: 'One of a hundred competition reads takes more than {{ $value | humanizeDuration }}',
    description:
      'Postgres has too little memory for what is asked, statistics are out of date, or a rebuild is under way.',
  },
  {
    name: 'ServiceErrors',
    severity: 'ticket',
    expr: [
      'sum by (service, route) (rate(http_request_duration_seconds_count{status=~"5.."}[10m])) / sum by (service, route) (rate(http_request_duration_seconds_count[10m])) > 0.05',
      'and sum by (service, route) (increase(http_request_duration_seconds_count{status=~"5.."}[10m])) >= 10',
    ].join('\n'),
    for: '5m',
    summary: '{{ $value | humanizePercentage }} of the requests to {{ $labels.route }} of {{ $labels.service }} fail',
    description: 'Users and operators of this route meet errors of ours.',
  },
];
