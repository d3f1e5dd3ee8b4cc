import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { EdgeContext } from '../http/exchange';
import { Refusal } from '../http/refusal';
import { traceparentOf } from '../http/request-id';
import { respondJson } from '../http/respond';
import { EventBatches } from './event-batches';
import { EventExchange, EventRequest, EventRoute, countEvents, eventResponseHeaders } from './event-entrance';
import { eventOutcome } from './event-outcome';

const routeId = 'send-event';

/** POST /cdp/v1/users/events/send: one event. It responds with the bytes that ingestion made. */
export class SendEvent implements EventRoute {
  readonly countsEvents = true;

  constructor(private readonly parts: EdgeContext & { batches: EventBatches }) {}

  async answer(exchange: EventExchange, { caller, receivedAtMs, body }: EventRequest): Promise<undefined> {
    const { request, requestId } = exchange;
    const traceparent = traceparentOf(request) ?? '';
    const answer = await this.parts.batches.send(
      { platform: caller.platform, requestId, receivedAtMs, traceparent, body },
      { receivedMs: exchange.startedMs, burst: caller.rate.cells.burst },
    );
    const headers = eventResponseHeaders(this.parts, exchange);
    if (answer.retryAfterS > 0) headers.push('retry-after', String(answer.retryAfterS));
    respondJson(exchange.response, answer.status, answer.body, headers);
    const outcome = eventOutcome(answer);
    countEvents(this.parts, exchange, outcome);
    this.report(exchange, answer.status, outcome);
  }

  countRefused(exchange: EventExchange, refusal: Refusal): void {
    this.report(exchange, refusal.status, refusal.code);
  }

  /** Counts every request and its answer. Only a traced request has its own log line; the others are in the line of their batch. */
  private report({ request, requestId, caller, startedMs }: EventExchange, status: number, outcome: string): void {
    const ms = performance.now() - startedMs;
    this.parts.metrics.request(routeId, status, ms);
    this.parts.metrics.eventAnswer(status);
    const span = spanOfRequest(request);
    if (!span?.isRecording()) return;
    const platform = caller?.platform;
    span.setAttributes({ 'podium.platform': platform, 'podium.outcome': outcome });
    this.parts.logger.info(
      { request_id: requestId, platform, status, outcome, ms: Math.round(ms * 10) / 10, ...traceFields(span) },
      'event answered',
    );
  }
}
