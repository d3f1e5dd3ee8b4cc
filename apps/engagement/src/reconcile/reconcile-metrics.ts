import { Counter, Histogram, Registry } from '@podium/runtime/metrics';

/** Why an answer about event ids was not possible. */
export type ReconcileFailure = 'behind' | 'gap' | 'other_topic' | 'kafka' | 'postgres' | 'overloaded';

const outcomes = ['answered', 'behind', 'gap', 'other_topic', 'kafka', 'postgres', 'overloaded'] as const;

/** Metrics of the requests of partners about their event ids. */
export class ReconcileMetrics {
  private readonly requests: Counter<'outcome'>;
  private readonly ids: Counter<'result'>;
  private readonly seconds: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'engagement_reconcile_requests_total',
      help: 'Requests about event ids, status and reconcile, by outcome: answered, or why the answer is 503 (behind: events up to the request are not applied; gap: offsets were never read; other_topic: the topic was re-created; kafka, postgres: did not respond; overloaded: too many at once)',
      labelNames: ['outcome'],
      registers,
    });
    this.ids = new Counter({
      name: 'engagement_reconciled_ids_total',
      help: 'Event ids that partners asked about and that were answered, by whether they are known',
      labelNames: ['result'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'engagement_reconcile_seconds',
      help: 'Time of an answer about event ids, with the wait until events up to the request are applied',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3.5, 8],
      registers,
    });
    for (const outcome of outcomes) this.requests.inc({ outcome }, 0);
    for (const result of ['known', 'missing']) this.ids.inc({ result }, 0);
  }

  /** Counts an answer about `asked` ids. */
  answered(asked: number, missing: number, ms: number): void {
    this.requests.inc({ outcome: 'answered' });
    this.ids.inc({ result: 'known' }, asked - missing);
    this.ids.inc({ result: 'missing' }, missing);
    this.seconds.observe(ms / 1000);
  }

  /** Counts a 503. */
  failed(outcome: ReconcileFailure): void {
    this.requests.inc({ outcome });
  }
}
