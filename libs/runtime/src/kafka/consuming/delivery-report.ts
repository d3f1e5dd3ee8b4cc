import { Logger } from 'pino';
import { KafkaMetrics, StopCause } from '../metrics/kafka-metrics';
import { Progress } from './decide-progress';
import { Outcome } from './outcomes';

/** The result of a delivery; `cause` is why it stopped when the handler threw. */
export type Delivered = Progress & { readonly cause?: StopCause };

/** Dependencies of a delivery report. */
export interface DeliveryReportOptions {
  readonly labels: { readonly group: string; readonly topic: string };
  readonly partition: number;
  readonly logger: Logger;
  readonly metrics: KafkaMetrics;
}

/** Counts the outcomes of a partition's deliveries, and logs its pauses. */
export class DeliveryReport {
  constructor(private readonly options: DeliveryReportOptions) {}

  /** Counts the outcomes of finished records. */
  count(outcomes: readonly Outcome[], progress: Progress): void {
    const totals = new Map<string, number>();
    for (const { kind } of outcomes.slice(0, progress.finished)) {
      const outcome = kind === 'retry' ? 'dead' : kind;
      totals.set(outcome, (totals.get(outcome) ?? 0) + 1);
    }
    const { labels, metrics } = this.options;
    for (const [outcome, total] of totals) metrics.consumedRecords.inc({ ...labels, outcome }, total);
  }

  /** Counts and logs that the partition is paused; `nextRecords` is the size of its next delivery. */
  paused({ stop, cause }: Delivered, { pauseMs, nextRecords }: { pauseMs: number; nextRecords: number }): void {
    const { reason, dependency, stuck } = stop!;
    const { labels, partition, metrics, logger } = this.options;
    const why: StopCause = cause ?? (dependency ? 'dependency' : 'record');
    metrics.consumerRetries.inc({ ...labels, cause: why });
    logger.warn(
      {
        ...labels,
        partition,
        offset: String(stuck.offset),
        reason,
        cause: why,
        attempts: stuck.attempts,
        failures: stuck.failures,
        next_records: nextRecords,
        pause_ms: Math.round(pauseMs),
      },
      'a partition is paused and will retry',
    );
  }
}
