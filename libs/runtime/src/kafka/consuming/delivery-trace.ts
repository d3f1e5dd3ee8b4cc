import { TopicRow, isOwnTopic } from '@podium/messages';
import { Logger } from 'pino';
import {
  Span,
  SpanKind,
  batchSpan,
  childSpan,
  failSpan,
  isSampled,
  isSampledHere,
  linkedSpan,
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

/** How a delivery's spans relate to the contexts in its records. */
interface Causes {
  /** Whether the context leads to a span. */
  readonly isTraced: (traceparent: string | undefined) => boolean;
  readonly spanOf: typeof childSpan;
}

const ownCauses: Causes = { isTraced: isSampled, spanOf: childSpan };
const foreignCauses: Causes = { isTraced: isSampledHere, spanOf: linkedSpan };

/**
 * The spans of one delivery: one of the batch, in its own trace, and one per record with a sampled trace, in the record's
 * trace. For other records only the header is checked. Where others write the topic, a record's trace is sampled only if
 * Podium's ratio has it too, and the record's span begins its own trace.
 */
export class DeliveryTrace {
  private constructor(
    private readonly batch: Span,
    private readonly spans: ReadonlyMap<ConsumedRecord, Span>,
    private readonly source: DeliverySource,
  ) {}

  /** The records for the handler; traced ones have the context of their span. `row` is that of the topic. */
  static begin(
    source: DeliverySource,
    records: readonly ConsumedRecord[],
    row: Pick<TopicRow, 'owner'>,
  ): { records: readonly ConsumedRecord[]; trace?: DeliveryTrace } {
    if (!tracer()) return { records };
    const attributes = {
      'messaging.system': 'kafka',
      'messaging.destination.name': source.topic,
      'messaging.destination.partition.id': String(source.partition),
      'messaging.consumer.group.name': source.group,
    };
    const name = `${source.topic} process`;
    const { isTraced, spanOf } = isOwnTopic(row) ? ownCauses : foreignCauses;
    const causes = records.map(({ headers }) => traceparentOfHeaders(headers));
    const members = causes.filter(isTraced).map((traceparent) => ({ traceparent }));
    const batch = batchSpan(`${name} batch`, members, {
      kind: SpanKind.CONSUMER,
      attributes: { ...attributes, 'messaging.batch.message_count': records.length },
    });
    if (!batch) return { records };
    const links = [traceparentOfSpan(batch)];
    const spans = new Map<ConsumedRecord, Span>();
    const traced = records.map((record, index) => {
      const offset = { 'messaging.kafka.offset': String(record.offset) };
      const span = spanOf(name, causes[index], {
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
