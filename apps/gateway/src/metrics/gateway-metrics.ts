import { BoundedLabel, Counter, Gauge, Histogram, Registry, Tally } from '@podium/runtime/metrics';
import { routes } from '../routes/route-table';

/** Why a connection was refused: its client has too many, or all clients together. */
export type ConnectionRefusal = 'client' | 'all';

/** Statuses that alerts and runbooks count. Created at the start: a series that begins at 1 hides an increment. */
const statusesFromStart = [200, 500, 503];
/** Classes of statuses of events, which an objective counts. */
const answersFromStart = ['2xx', '4xx', '5xx'];

/** Metrics of the gateway; states are read at each scrape. */
export class GatewayMetrics {
  private readonly requests: Counter;
  private readonly duration: Histogram;
  /** By platform and outcome. */
  private readonly events = new Tally();
  /** Since the last scrape, by class of the status. */
  private readonly answers = new Map<string, number>(answersFromStart.map((statusClass) => [statusClass, 0]));
  private readonly batchSize: Histogram;
  private readonly partnerBatchSize: Histogram;
  private readonly readBatchSize: Histogram;
  private readonly readsAgain: Counter<'reason'>;
  private readonly refusedConnections: Counter<'reason'>;
  private readonly platforms = new BoundedLabel();
  private readonly requestChildren = new Map<
    string,
    { count: Counter.Internal; duration: Histogram.Internal<string> }
  >();

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'gateway_requests_total',
      help: 'Requests answered, by route and status',
      labelNames: ['route', 'status'],
      registers,
    });
    this.duration = new Histogram({
      name: 'gateway_request_duration_seconds',
      help: 'From the last header read to the answer',
      labelNames: ['route', 'status_class'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    const { events, answers } = this;
    new Counter({
      name: 'gateway_events_total',
      help: 'Events of known platforms, single or in a batch, by outcome (accepted, duplicate, the code of the refusal, or client_gone)',
      labelNames: ['platform', 'outcome'],
      registers,
      collect() {
        events.take((platform, outcome, count) => this.inc({ platform, outcome }, count));
      },
    });
    new Counter({
      name: 'gateway_event_answers_total',
      help: 'Answers to events, single or in a batch, by the class of their status; a request refused before its events are read counts as one',
      labelNames: ['status_class'],
      registers,
      collect() {
        for (const [statusClass, count] of answers) {
          this.inc({ status_class: statusClass }, count);
          answers.set(statusClass, 0);
        }
      },
    });
    this.batchSize = new Histogram({
      name: 'gateway_batch_size',
      help: 'Events in one batch to ingestion',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200],
      registers,
    });
    this.partnerBatchSize = new Histogram({
      name: 'gateway_partner_batch_events',
      help: 'Events in one batch request of a partner',
      buckets: [1, 2, 5, 10, 20, 40, 60, 80, 100],
      registers,
    });
    this.readBatchSize = new Histogram({
      name: 'gateway_read_batch_reads',
      help: 'Reads of competition data that were sent to competition-read in one request; reads that came alone are not counted',
      buckets: [2, 4, 8, 16, 32],
      registers,
    });
    this.readsAgain = new Counter({
      name: 'gateway_reads_sent_again_total',
      help: 'Reads of competition data that were sent again alone, because their response is too large for a batch (large) or the batch ended without it (lost)',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of ['large', 'lost']) this.readsAgain.inc({ reason }, 0);
    this.refusedConnections = new Counter({
      name: 'gateway_connections_refused_total',
      help: 'Connections closed at once because their client (client) or all clients together (all) have too many',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of ['client', 'all']) this.refusedConnections.inc({ reason }, 0);
    for (const { id } of routes) for (const status of statusesFromStart) this.childrenOf(id, status).count.inc(0);
  }

  /** Counts a finished request; the route is the id of a row of the route table. */
  request(route: string, status: number, durationMs: number): void {
    const { count, duration } = this.childrenOf(route, status);
    count.inc();
    duration.observe(durationMs / 1000);
  }

  /** Counts events of a platform by their outcome. */
  event(platform: string, outcome: string, events = 1): void {
    this.events.add(this.platforms.of(platform), outcome, events);
  }

  /** Counts the answer to one event, of a platform that may be unknown, by its own status: a batch has one for each event. */
  eventAnswer(status: number): void {
    const statusClass = statusClassOf(status);
    this.answers.set(statusClass, (this.answers.get(statusClass) ?? 0) + 1);
  }

  /** Counts the events of a batch to ingestion. */
  batch(events: number): void {
    this.batchSize.observe(events);
  }

  /** Counts the events of a partner's batch request. */
  partnerBatch(events: number): void {
    this.partnerBatchSize.observe(events);
  }

  /** Counts the reads of a batch to competition-read. */
  readBatch(reads: number): void {
    this.readBatchSize.observe(reads);
  }

  /** Counts reads of a batch that are sent again alone. */
  readsSentAgain(reason: 'large' | 'lost', reads: number): void {
    this.readsAgain.inc({ reason }, reads);
  }

  /** Counts a connection that was closed at once. */
  refusedConnection(reason: ConnectionRefusal): void {
    this.refusedConnections.inc({ reason });
  }

  /** Registers a state that is read at each scrape. */
  state(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Registers states of several kinds that are read at each scrape. */
  states(name: string, help: string, readByKind: Readonly<Record<string, () => number>>): void {
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [this.registry],
      collect() {
        for (const [kind, read] of Object.entries(readByKind)) this.set({ kind }, read());
      },
    });
  }

  private childrenOf(route: string, status: number): { count: Counter.Internal; duration: Histogram.Internal<string> } {
    const key = `${route} ${status}`;
    let children = this.requestChildren.get(key);
    if (!children) {
      children = {
        count: this.requests.labels(route, String(status)),
        duration: this.duration.labels(route, statusClassOf(status)),
      };
      this.requestChildren.set(key, children);
    }
    return children;
  }
}

function statusClassOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}
