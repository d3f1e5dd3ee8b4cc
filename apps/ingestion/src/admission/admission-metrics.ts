import { BatchedEvent } from '@podium/messages';
import { BoundedLabel, Counter, Histogram, Registry, Tally } from '@podium/runtime/metrics';
import { SeenEvent } from '../drift/drift-counts';
import { AdmissionOutcome } from '../event/outcome';

const handled = new Set(['accepted', 'twin', 'duplicate']);

/** Metrics of admission: events by platform and outcome, batches by duration and step. */
export class AdmissionMetrics {
  /** By platform and outcome, accepted or the code of the refusal. */
  private readonly events = new Tally();
  private readonly seconds: Histogram;
  private readonly stepSeconds: Histogram<'step'>;
  private readonly sizes: Histogram;
  private readonly acceptToTopicSeconds: Histogram;
  private readonly driftTotal: Counter<'platform' | 'finding'>;
  private readonly platforms = new BoundedLabel();

  constructor(registry: Registry) {
    const registers = [registry];
    const { events } = this;
    new Counter({
      name: 'ingestion_events_total',
      help: 'Partner events by outcome (accepted, twin, duplicate, refused) and code of the error catalogue',
      labelNames: ['platform', 'outcome', 'code'],
      registers,
      collect() {
        events.take((platform, outcome, count) => {
          const isRefusal = !handled.has(outcome);
          this.inc({ platform, outcome: isRefusal ? 'refused' : outcome, code: isRefusal ? outcome : '' }, count);
        });
      },
    });
    this.driftTotal = new Counter({
      name: 'ingestion_drift_total',
      help: 'Names on which events and contracts differ (event_not_negotiated, attribute_dropped, value_not_parsed)',
      labelNames: ['platform', 'finding'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'ingestion_batch_seconds',
      help: 'Time from the arrival of a batch to its answers',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 3, 5],
      registers,
    });
    this.stepSeconds = new Histogram({
      name: 'ingestion_batch_step_seconds',
      help: 'Time of one step of a batch: find (marks), links, publish, mark',
      labelNames: ['step'],
      buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 3],
      registers,
    });
    this.sizes = new Histogram({
      name: 'ingestion_batch_events',
      help: 'Events in one batch',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    });
    this.acceptToTopicSeconds = new Histogram({
      name: 'ingestion_accept_to_topic_seconds',
      help: 'From the receipt of an event at the gateway to its acknowledgement by Kafka',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    });
  }

  /** Counts on how many names an event and its contract differ. */
  drift({ platform: name, isNegotiated, dropped, notParsed }: SeenEvent): void {
    if (isNegotiated && dropped.length + notParsed.length === 0) return;
    const platform = this.platforms.of(name);
    if (!isNegotiated) this.driftTotal.inc({ platform, finding: 'event_not_negotiated' });
    if (dropped.length > 0) this.driftTotal.inc({ platform, finding: 'attribute_dropped' }, dropped.length);
    if (notParsed.length > 0) this.driftTotal.inc({ platform, finding: 'value_not_parsed' }, notParsed.length);
  }

  /** Measures one step, even if it fails. */
  async step<T>(name: 'find' | 'links' | 'publish' | 'mark', run: Promise<T>): Promise<T> {
    const stop = this.stepSeconds.startTimer({ step: name });
    try {
      return await run;
    } finally {
      stop();
    }
  }

  /** Call when an event is in its topic; the two times are Unix ms of different clocks. */
  inTopic(receivedAtMs: number, nowMs: number): void {
    this.acceptToTopicSeconds.observe(Math.max(0, nowMs - receivedAtMs) / 1000);
  }

  /** Counts a batch; returns its outcomes by name, for its log line. */
  batch(
    received: readonly BatchedEvent[],
    outcomes: readonly (AdmissionOutcome | 'twin')[],
    durationS: number,
  ): Record<string, number> {
    const totals: Record<string, number> = {};
    for (let index = 0; index < received.length; index++) {
      const outcome = outcomes[index];
      const name = outcome === 'twin' ? outcome : outcome.kind === 'refused' ? outcome.code : outcome.kind;
      totals[name] = (totals[name] ?? 0) + 1;
      this.events.add(this.platforms.of(received[index].platform), name);
    }
    this.seconds.observe(durationS);
    this.sizes.observe(received.length);
    return totals;
  }
}
