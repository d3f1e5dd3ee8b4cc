import { SpanKind, childSpan, failSpan, traceparentOfSpan } from '../trace';
import { OutboxRow } from './outbox.store';

/**
 * Sends a row under a span of its own when the trace of its cause is sampled; `send` gets the trace context that the record
 * is to carry.
 */
export function tracePublishing<Sent>(
  row: Pick<OutboxRow, 'id' | 'topic' | 'traceparent'>,
  send: (traceparent: string | undefined) => Promise<Sent>,
): Promise<Sent> {
  const span = childSpan(`${row.topic} publish`, row.traceparent, {
    kind: SpanKind.PRODUCER,
    attributes: { 'messaging.system': 'kafka', 'messaging.destination.name': row.topic, 'podium.outbox.id': row.id },
  });
  if (!span) return send(row.traceparent ?? undefined);
  const sent = send(traceparentOfSpan(span));
  sent.then(
    () => span.end(),
    (error: unknown) => failSpan(span, error instanceof Error ? error.message : String(error)),
  );
  return sent;
}
