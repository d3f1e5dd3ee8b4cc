import { eventRatePerSecond } from '../../../libs/messages/src';
import { CauseAlert } from './cause-alert';

/** Outcomes of an event request that the partner can correct; rate limiting has its own alert. */
const refusals = 'outcome!~"accepted|duplicate|rate_limited|client_gone|unavailable|overloaded|internal_error|other"';

/** Routes of events and of questions about them; these have an objective and an alert of their own. */
const eventRoutes = 'send-event|send-event-batch|reconcile-events|event-status';

/** Alerts on the public edge: the gateway, admission of events and competition reads. */
export const edgeAlerts: readonly CauseAlert[] = [
  {
    name: 'EdgeUnreachable',
    severity: 'page',
    // As clients come: what does not arrive at a gateway is in no metric of the services.
    expr: 'max by (instance) (probe_success) == 0',
    for: '3m',
    summary: '{{ $labels.instance }} is not answered',
    description:
      'Partners and users reach nothing: DNS, the load balancer, the proxies of the Gateway or its certificate fail, or no gateway is ready. Requests that do not arrive count as errors in no objective.',
  },
  {
    name: 'LimiterLocal',
    severity: 'ticket',
    expr: 'max by (pod) (gateway_limiter_mode) == 1',
    for: '5m',
    summary: 'Gateway {{ $labels.pod }} enforces rate limits without Redis',
    description: `The Redis for rate limits (redis-limits) does not respond to this gateway, or its memory is full. Each instance enforces its own share of the rate limit, so a partner may get up to a quarter more or less than ${eventRatePerSecond}/s.`,
  },
  {
    name: 'ConnectionsRefused',
    severity: 'ticket',
    expr: 'sum by (reason) (rate(gateway_connections_refused_total[5m])) > 1',
    for: '5m',
    summary: '{{ $value | humanize }} connections/s are closed by the gateways ({{ $labels.reason }})',
    description:
      'client: one address holds more connections than one client may. all: an instance has reached its connection limit, so any client may be refused.',
  },
  {
    name: 'EventsWithoutMarks',
    severity: 'ticket',
    // The effect on events, and without events the state: an instance may have none for hours.
    expr: [
      'sum by (pod) (rate(ingestion_dedup_batches_total{mode="without"}[5m])) / sum by (pod) (rate(ingestion_dedup_batches_total[5m])) > 0.2',
      'or max by (pod) (redis_away{service="ingestion"}) == 1',
    ].join('\n'),
    for: '5m',
    summary: 'Ingestion {{ $labels.pod }} accepts events without deduplication marks',
    description:
      'The Redis for marks (redis-marks) does not respond to this instance, or Postgres does not tell which marks count. A repeated event reaches the topic again; the inbox of engagement drops it, so it has no second effect.',
  },
  {
    name: 'ReconcileUnavailable',
    severity: 'ticket',
    expr: [
      'sum(increase(gateway_requests_total{route=~"reconcile-events|event-status",status="503"}[15m])) /',
      'sum(increase(gateway_requests_total{route=~"reconcile-events|event-status"}[15m])) > 0.2',
      'and sum(increase(gateway_requests_total{route=~"reconcile-events|event-status",status="503"}[15m])) >= 5',
    ].join('\n'),
    for: '5m',
    summary: '{{ $value | humanizePercentage }} of the questions of partners about their event ids are answered 503',
    description:
      'Partners cannot find out which events they must send again. Events are accepted and applied independently of this. Engagement is behind or away, or has a gap of offsets that nobody has read.',
  },
  {
    name: 'KeyViewStale',
    severity: 'page',
    expr: 'max by (pod) (gateway_key_view_age_seconds) > 30',
    for: '1m',
    summary:
      'The key view of gateway {{ $labels.pod }} has had no update from Kafka for {{ $value | humanizeDuration }}',
    description: 'After 60 s the gateway answers all events with 503, because it could otherwise accept a revoked key.',
  },
  {
    name: 'KeysUnreadable',
    severity: 'ticket',
    expr: 'max(gateway_unreadable_keys) > 0',
    for: '5m',
    summary: '{{ $value }} keys or integrations cannot be read by the gateway',
    description:
      'Requests of their partners are refused. Either a record was written by hand, or linkage is newer than the gateway.',
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
      'The partner sends events that its contract or the event format does not allow, or events of users who are not linked. The error codes show which.',
  },
  {
    name: 'PartnerOverRate',
    severity: 'ticket',
    expr: 'sum by (platform) (rate(gateway_events_total{outcome="rate_limited"}[15m])) > 1',
    for: '30m',
    summary: '{{ $labels.platform }} exceeds its rate limit by {{ $value | humanize }} requests/s',
    description: `The partner has sent more than its rate (${eventRatePerSecond}/s unless its integration has another) for a long time. Refused events arrive late, when the partner sends them again.`,
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
      'A day ago it sent {{ $value | humanize }} events in the same two hours. Its sender has stopped, or cannot reach the gateway.',
  },
  {
    name: 'IngestionOverloaded',
    severity: 'ticket',
    expr: 'sum(rate(gateway_events_total{outcome="overloaded"}[5m])) > 0.1',
    for: '5m',
    summary: '{{ $value | humanize }} events/s are refused because ingestion is overloaded',
    description:
      'Events are answered with 503, and partners send them again. Ingestion has too few instances, or Kafka is slow.',
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
    description:
      'Data partners get 5XX responses. Postgres is unavailable or slow, or there are more reads than the instances can serve.',
  },
  {
    name: 'CompetitionReadsSlow',
    severity: 'ticket',
    expr: 'histogram_quantile(0.99, sum by (le) (rate(competition_read_request_seconds_bucket[10m]))) > 0.5',
    for: '15m',
    summary: 'One of a hundred competition reads takes more than {{ $value | humanizeDuration }}',
    description:
      'Postgres has too little memory for the queries, its statistics are out of date, or a rebuild is running.',
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
    description: 'Users and operators of this route get server errors.',
  },
  {
    name: 'PublicRoutesFail',
    severity: 'page',
    expr: failing(`route!~"${eventRoutes}|admin-.*"`),
    // Longer than the window of the share: a minute of errors alone must not fire.
    for: '7m',
    summary: '{{ $value | humanizePercentage }} of the requests to {{ $labels.route }} are answered with server errors',
    description:
      'Users or data partners of this route get errors. The service behind it fails, the gateway does not reach it, or it refuses the internal token of the gateway. Only the gateway counts the last two.',
  },
  {
    name: 'OperatorRoutesFail',
    severity: 'ticket',
    expr: failing('route=~"admin-.*"'),
    for: '7m',
    summary: '{{ $value | humanizePercentage }} of the requests to {{ $labels.route }} are answered with server errors',
    description:
      'Operators cannot use this route. The service behind it fails, or the gateway does not reach it, which only the gateway counts.',
  },
];

/** Server errors of the gateway's routes. */
function failing(routes: string): string {
  const failed = `${routes},status=~"5.."`;
  return [
    `sum by (route) (rate(gateway_requests_total{${failed}}[5m])) / sum by (route) (rate(gateway_requests_total{${routes}}[5m])) > 0.05`,
    `and sum by (route) (increase(gateway_requests_total{${failed}}[15m])) >= 10`,
  ].join('\n');
}
