import { AlertScenario } from './alert-scenario';

const events = (outcome: string): string => `gateway_events_total{platform="acme",outcome="${outcome}"}`;
const reads = (status: string): string => `competition_read_requests_total{operation="getPlayer",status="${status}"}`;
const readsWithin = (le: string): string => `competition_read_request_seconds_bucket{operation="getPlayer",le="${le}"}`;
const requests = (status: string): string =>
  `http_request_duration_seconds_count{service="linkage",route="/connect",status="${status}"}`;

const deduplication = (away: string, marks: string, without: string): Record<string, string> => ({
  'redis_away{service="ingestion",pod="a"}': away,
  'ingestion_dedup_batches_total{pod="a",command="find",mode="marks"}': marks,
  'ingestion_dedup_batches_total{pod="a",command="find",mode="without"}': without,
});

const probe = (url: string): string => `probe_success{job="probe/podium-production/podium-edge",instance="${url}"}`;

const idQuestions = (status: string): string => `gateway_requests_total{route="reconcile-events",status="${status}"}`;

/** Scenarios for the alerts of the edge. */
export const edgeScenarios: readonly AlertScenario[] = [
  {
    alert: 'EdgeUnreachable',
    when: 'the load balancer is gone: gateways run and count no request',
    series: {
      [probe('https://podium.example/')]: '1x10 0x50',
      [probe('https://test.podium.example/')]: '1x60',
      'gateway_event_answers_total{status_class="2xx"}': '0+100x10 1000x50',
      'process_start_time_seconds{service="gateway",pod="a"}': '0x60',
    },
    at: '10m',
    fires: [{ instance: 'https://podium.example/' }],
  },
  {
    alert: 'EdgeUnreachable',
    when: 'two probes in a row fail',
    series: { [probe('https://podium.example/')]: '1x10 0x4 1x46' },
    at: '7m',
    fires: [],
  },
  {
    alert: 'ReconcileUnavailable',
    when: 'engagement has a gap, and a partner asks every minute',
    series: { [idQuestions('200')]: '0x60', [idQuestions('503')]: '0x10 1+1x50' },
    at: '40m',
    fires: [{}],
  },
  {
    alert: 'ReconcileUnavailable',
    when: 'engagement restarts while a partner asks, and others are answered',
    series: { [idQuestions('200')]: '0+4x60', [idQuestions('503')]: '0x10 3x50' },
    at: '18m',
    fires: [],
  },
  {
    alert: 'LimiterLocal',
    when: 'one of two gateways runs without Redis',
    series: { 'gateway_limiter_mode{pod="a"}': '0x4 1x20', 'gateway_limiter_mode{pod="b"}': '0x24' },
    at: '10m',
    fires: [{ pod: 'a' }],
  },
  {
    alert: 'LimiterLocal',
    when: 'Redis restarts',
    series: { 'gateway_limiter_mode{pod="a"}': '0x4 1x4 0x16' },
    at: '6m',
    fires: [],
  },
  {
    alert: 'ConnectionsRefused',
    when: 'one address opens more and more connections',
    series: {
      'gateway_connections_refused_total{pod="a",reason="client"}': '0+200x30',
      'gateway_connections_refused_total{pod="a",reason="all"}': '0x30',
    },
    at: '15m',
    fires: [{ reason: 'client' }],
  },
  {
    alert: 'ConnectionsRefused',
    when: 'a client opens a hundred too many once',
    series: { 'gateway_connections_refused_total{pod="a",reason="client"}': '0x5 100x25' },
    at: '15m',
    fires: [],
  },
  {
    alert: 'EventsWithoutMarks',
    when: 'ingestion has no events and no connection to Redis',
    series: deduplication('1x20', '0x20', '0x20'),
    at: '6m',
    fires: [{ pod: 'a' }],
  },
  {
    alert: 'EventsWithoutMarks',
    when: 'Redis answers too slowly for half of the commands',
    series: deduplication('0x4 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0', '0+50x20', '0x4 50+50x16'),
    at: '15m',
    fires: [{ pod: 'a' }],
  },
  {
    alert: 'EventsWithoutMarks',
    when: 'Redis restarts while there are few events',
    series: deduplication('0x4 1 0x15', '0x20', '0x4 1x16'),
    at: '10m',
    fires: [],
  },
  {
    alert: 'EventsWithoutMarks',
    when: 'only the gateway runs without Redis',
    series: { 'redis_away{service="gateway",pod="a"}': '1x20' },
    at: '6m',
    fires: [],
  },
  {
    alert: 'KeyViewStale',
    when: 'Kafka does not respond',
    series: { 'gateway_key_view_age_seconds{pod="a"}': '0 30 60 90 120' },
    at: '2m',
    fires: [{ pod: 'a' }],
  },
  {
    alert: 'KeyViewStale',
    when: 'Kafka responds now and then',
    series: { 'gateway_key_view_age_seconds{pod="a"}': '0 31 1 31 1 31 1' },
    at: '3m',
    fires: [],
  },
  {
    alert: 'KeysUnreadable',
    when: 'a record cannot be read',
    series: { 'gateway_unreadable_keys{pod="a"}': '1x20', 'gateway_unreadable_keys{pod="b"}': '0x20' },
    at: '6m',
    fires: [{}],
  },
  {
    alert: 'KeysUnreadable',
    when: 'all records can be read',
    series: { 'gateway_unreadable_keys{pod="a"}': '0x20' },
    at: '6m',
    fires: [],
  },
  {
    alert: 'PartnerRefused',
    when: 'most events of one partner are refused, those of another are accepted',
    series: {
      [events('accepted')]: '0+1x60',
      [events('event_not_negotiated')]: '0+5x60',
      'gateway_events_total{platform="other",outcome="accepted"}': '0+5x60',
    },
    at: '30m',
    fires: [{ platform: 'acme' }],
  },
  {
    alert: 'PartnerRefused',
    when: 'few events in total, most of them refused',
    series: { [events('user_not_linked')]: '0x10 1 2 3 3x50' },
    at: '25m',
    fires: [],
  },
  {
    alert: 'PartnerRefused',
    when: 'events are refused because of server errors',
    series: { [events('accepted')]: '0+1x60', [events('unavailable')]: '0+50x60' },
    at: '30m',
    fires: [],
  },
  {
    alert: 'PartnerOverRate',
    when: 'a partner sends too much for an hour',
    series: { [events('accepted')]: '0+1200x120', [events('rate_limited')]: '0+60x120' },
    at: '50m',
    fires: [{ platform: 'acme' }],
  },
  {
    alert: 'PartnerOverRate',
    when: 'a partner sends too much for ten minutes',
    series: { [events('accepted')]: '0+1200x120', [events('rate_limited')]: '0+60x20 1200x100' },
    at: '50m',
    fires: [],
  },
  {
    alert: 'PartnerSilent',
    when: 'a partner that sent yesterday sends nothing',
    interval: '5m',
    series: { [events('accepted')]: '0+20x288 5760x60' },
    at: '26h30m',
    fires: [{ platform: 'acme' }],
  },
  {
    alert: 'PartnerSilent',
    when: 'a partner goes on sending, after a restart of the gateway too',
    interval: '5m',
    series: { [events('accepted')]: '0+20x288 0+20x60' },
    at: '26h30m',
    fires: [],
  },
  {
    alert: 'IngestionOverloaded',
    when: 'events are refused because ingestion is overloaded',
    series: { [events('accepted')]: '0+900x40', [events('overloaded')]: '0+30x40' },
    at: '15m',
    fires: [{}],
  },
  {
    alert: 'IngestionOverloaded',
    when: 'it is overloaded for a moment',
    series: { [events('accepted')]: '0+900x40', [events('overloaded')]: '0x10 20x30' },
    at: '8m',
    fires: [],
  },
  {
    alert: 'CompetitionReadsFail',
    when: 'one of twenty fails',
    series: { [reads('200')]: '0+190x40', [reads('500')]: '0+10x40' },
    at: '10m',
    fires: [{}],
  },
  {
    alert: 'CompetitionReadsFail',
    when: 'clients send bad requests, and one of a few reads fails',
    series: { [reads('200')]: '0x20 2x20', [reads('404')]: '0+100x40', [reads('500')]: '0x20 1x20' },
    at: '12m',
    fires: [],
  },
  {
    alert: 'CompetitionReadsSlow',
    when: 'one of twenty takes a second',
    series: { [readsWithin('0.5')]: '0+95x80', [readsWithin('1')]: '0+100x80', [readsWithin('+Inf')]: '0+100x80' },
    at: '30m',
    fires: [{}],
  },
  {
    alert: 'CompetitionReadsSlow',
    when: 'one of two hundred takes a second',
    series: { [readsWithin('0.5')]: '0+199x80', [readsWithin('1')]: '0+200x80', [readsWithin('+Inf')]: '0+200x80' },
    at: '30m',
    fires: [],
  },
  {
    alert: 'ServiceErrors',
    when: 'a tenth of a route fails',
    series: { [requests('200')]: '0+9x60', [requests('500')]: '0+1x60' },
    at: '20m',
    fires: [{ service: 'linkage', route: '/connect' }],
  },
  {
    alert: 'ServiceErrors',
    when: 'a request of three fails',
    series: { [requests('200')]: '0x20 2x40', [requests('500')]: '0x20 1x40' },
    at: '15m',
    fires: [],
  },
];
