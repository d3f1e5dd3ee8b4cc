import { BatchedAnswer, BatchedEvent, topics } from '@podium/messages';
import { Logger } from '@podium/runtime/log';
import { Span, SpanKind, childSpan, traceFields, traceparentOfSpan } from '@podium/runtime/trace';

/** The spans of a batch's traced events, each in the trace of its own request. */
export class EventTraces {
  private constructor(private readonly traced: readonly { index: number; event: BatchedEvent; span: Span }[]) {}

  /**
   * Begins a span for each sampled event and replaces the event's `traceparent`, so that later spans belong to it. Undefined
   * when no event is sampled.
   */
  static begin(events: readonly BatchedEvent[], batch: Span | undefined): EventTraces | undefined {
    if (!batch?.isRecording()) return undefined;
    const links = [traceparentOfSpan(batch)];
    const traced = events.flatMap((event, index) => {
      const span = childSpan('admit event', event.traceparent, {
        kind: SpanKind.PRODUCER,
        links,
        attributes: {
          'messaging.system': 'kafka',
          'messaging.destination.name': topics.userEvents.name,
          'podium.request_id': event.requestId,
          'podium.platform': event.platform,
        },
      });
      if (span) event.traceparent = traceparentOfSpan(span);
      return span ? [{ index, event, span }] : [];
    });
    return traced.length === 0 ? undefined : new EventTraces(traced);
  }

  /** Ends the spans with the status of their events, and logs a line for each. */
  end(answers: readonly BatchedAnswer[], logger: Logger): void {
    for (const { index, event, span } of this.traced) {
      const { status } = answers[index];
      span.setAttribute('podium.status', status);
      logger.info(
        { request_id: event.requestId, platform: event.platform, status, ...traceFields(span) },
        'event admitted',
      );
      span.end();
    }
  }
}
