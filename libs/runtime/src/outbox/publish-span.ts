import { SpanKind, childSpan, failSpan, traceparentOfSpan } from '../trace';
import { OutboxRow } from './outbox.store';

/** The span of publishing a row. */
export interface PublishSpan {
  /** The trace context for the record. */
  readonly traceparent: string | undefined;
  /** Ends the span, as failed when there is a reason. */
  end(failure?: string): void;
}

/** Begins a span for the row when the trace of its cause is sampled. */
export function publishSpan(row: Pick<OutboxRow, 'id' | 'topic' | 'traceparent'>): PublishSpan {
  const span = childSpan(`${row.topic} publish`, row.traceparent, {
    kind: SpanKind.PRODUCER,
    attributes: { 'messaging.system': 'kafka', 'messaging.destination.name': row.topic, 'podium.outbox.id': row.id },
  });
  if (!span) return { traceparent: row.traceparent ?? undefined, end: () => undefined };
  return {
    traceparent: traceparentOfSpan(span),
    end: (failure) => (failure === undefined ? span.end() : failSpan(span, failure)),
  };
}
