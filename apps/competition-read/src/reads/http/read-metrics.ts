import { Counter, Gauge, Histogram, Registry } from '@podium/runtime/metrics';

interface Children {
  readonly count: Counter.Internal;
  readonly seconds: Histogram.Internal<string>;
}

/** Metrics of reads by operation: responses by status, and their duration. */
export class ReadMetrics {
  private readonly requests: Counter<'operation' | 'status'>;
  private readonly seconds: Histogram<'operation'>;
  private readonly children = new Map<string, Children>();
  private inProgress = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'competition_read_requests_total',
      help: 'Reads by operation and status',
      labelNames: ['operation', 'status'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'competition_read_request_seconds',
      help: 'Time from the request to its response, by operation',
      labelNames: ['operation'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    });
    const inProgress = (): number => this.inProgress;
    new Gauge({
      name: 'competition_read_reads_in_progress',
      help: 'Reads whose response is not made yet, alone or in a batch',
      registers,
      collect() {
        this.set(inProgress());
      },
    });
  }

  /** Records the beginning of a read. */
  begun(): void {
    this.inProgress += 1;
  }

  /** Records a response, the end of a read that has begun. */
  answered(operation: string, status: number, durationMs: number): void {
    this.inProgress -= 1;
    const key = `${operation} ${status}`;
    let children = this.children.get(key);
    if (!children) {
      children = { count: this.requests.labels(operation, String(status)), seconds: this.seconds.labels(operation) };
      this.children.set(key, children);
    }
    children.count.inc();
    children.seconds.observe(durationMs / 1000);
  }
}
