import { Counter, Gauge, Histogram, Registry } from '@podium/runtime/metrics';

/** Metrics of applying changes to the tables. */
export class ProjectionMetrics {
  /** Outcomes: applied, stale, dead. */
  readonly changes: Counter<'outcome'>;
  readonly batchChanges: Histogram;
  readonly batchSeconds: Histogram;
  readonly rebuildDue: Gauge;
  /** From 0 to 1: the share of the time that changes may take. */
  readonly pace: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.changes = new Counter({
      name: 'competition_read_changes_total',
      help: 'Changes of competition data by outcome',
      labelNames: ['outcome'],
      registers,
    });
    this.batchChanges = new Histogram({
      name: 'competition_read_batch_changes',
      help: 'Changes per applied batch',
      buckets: [1, 5, 10, 25, 50, 100, 250, 500],
      registers,
    });
    this.batchSeconds = new Histogram({
      name: 'competition_read_batch_seconds',
      help: 'Duration of the transaction of a batch',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    });
    this.rebuildDue = new Gauge({
      name: 'competition_read_rebuild_due',
      help: '1 while the live tables were built by another version of the projection than this service has',
      registers,
    });
    this.pace = new Gauge({
      name: 'competition_read_change_pace_ratio',
      help: 'Share of the time for changes, which falls while they slow reads down; 1 while no reads are served',
      registers,
    });
    this.pace.set(1);
  }
}
