import { Logger } from 'pino';
import { Span, SpanKind, batchSpan, childSpan, failSpan, traceFields, tracer, traceparentOfSpan } from '../trace';
import { ConsumedRecord, Outcome } from './outcomes';

/** Where the records come from. */
export interface DeliverySource {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/**
 * The spans of one delivery: one of the batch, in a trace of its own, and one of each record whose trace is sampled, in the
 * record's. The others cost a look at their header.
 */
export class DeliveryTrace {
  private constructor(
    private readonly batch: Span,
    private readonly spans: ReadonlyMap<ConsumedRecord, Span>,
    private readonly source: DeliverySource,
  ) {}

  /** The records as the handler gets them, traced ones with the context of their span. */
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
      const span = childSpan(name, record.headers.traceparent, {
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

  /** Ends the spans with the outcomes, which stand in the order of the records, and writes a line for each traced one. */
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

  /** Ends the spans of a delivery that did not come to outcomes. */
  fail(reason: string): void {
    for (const span of [...this.spans.values(), this.batch]) failSpan(span, reason);
  }
}
