import { Logger } from 'pino';
import {
  Span,
  SpanKind,
  batchSpan,
  childSpan,
  failSpan,
  traceFields,
  tracer,
  traceparentOfHeaders,
  traceparentOfSpan,
} from '../../trace';
import { ConsumedRecord, Outcome } from './outcomes';

/** The source of the records. */
export interface DeliverySource {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/**
 * The spans of one delivery: one of the batch, in its own trace, and one per record with a sampled trace, in the record's
 * trace. For other records only the header is checked.
 */
export class DeliveryTrace {
  private constructor(
    private readonly batch: Span,
    private readonly spans: ReadonlyMap<ConsumedRecord, Span>,
    private readonly source: DeliverySource,
  ) {}

  /** The records for the handler; traced ones have the context of their span. */
  static begin(
    source: DeliverySource,
    records: readonly ConsumedRecord[],
  ): { records: readonly ConsumedRecord[]; trace?: DeliveryTrace } {
    if (!tracer()) return { records };
    const attributes = {
      'messaging.system': 'kafka',
      'messaging.destination.name': source.topic,
      'messaging.destination.partition.id': String(source.partition),
      'messaging.consumer.group.name': source.group,
    };
    const name = `${source.topic} process`;
    const members = records.map(({ headers }) => headers);
    const batch = batchSpan(`${name} batch`, members, {
      kind: SpanKind.CONSUMER,
      attributes: { ...attributes, 'messaging.batch.message_count': records.length },
    });
    if (!batch) return { records };
    const links = [traceparentOfSpan(batch)];
    const spans = new Map<ConsumedRecord, Span>();
    const traced = records.map((record) => {
      const offset = { 'messaging.kafka.offset': String(record.offset) };
      const span = childSpan(name, traceparentOfHeaders(record.headers), {
        kind: SpanKind.CONSUMER,
        links,
        attributes: { ...attributes, ...offset },
      });
      if (!span) return record;
      const own = { ...record, traceparent: traceparentOfSpan(span) };
      spans.set(own, span);
      return own;
    });
    return { records: traced, trace: new DeliveryTrace(batch, spans, source) };
  }

  /** Ends the spans with the outcomes, in the order of the records, and logs a line for each traced one. */
  end(records: readonly ConsumedRecord[], outcomes: readonly Outcome[], logger: Logger): void {
    records.forEach((record, index) => {
      const span = this.spans.get(record);
      if (!span) return;
      const { kind, ...why } = outcomes[index];
      const reason = 'reason' in why ? why.reason : undefined;
      logger.info(
        { ...this.source, offset: String(record.offset), outcome: kind, reason, ...traceFields(span) },
        'record processed',
      );
      span.setAttribute('podium.outcome', kind);
      if (kind === 'retry' || kind === 'dead') failSpan(span, reason ?? kind);
      else span.end();
    });
    this.batch.end();
  }

  /** Ends the spans of a delivery that failed before its outcomes. */
  fail(reason: string): void {
    for (const span of [...this.spans.values(), this.batch]) failSpan(span, reason);
  }
}
