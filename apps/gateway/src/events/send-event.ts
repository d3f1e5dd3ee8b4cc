import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { ExchangeHandler } from '../http/exchange';
import { Refusal } from '../http/refusal';
import { traceparentOf } from '../http/request-id';
import { respondJson } from '../http/respond';
import { EventBatches } from './event-batches';
import { EventEdgeParts, EventEntrance, EventExchange, isLetIn } from './event-entrance';
import { eventOutcome } from './event-outcome';

const routeId = 'send-event';

/**
 * POST /cdp/v1/users/events/send. It takes the request over from the framework before the body is read, so that a
 * refusal costs no parsing. It responds with the bytes that ingestion made.
 */
export class SendEvent implements ExchangeHandler {
  private readonly entrance: EventEntrance;

  constructor(private readonly parts: EventEdgeParts & { batches: EventBatches }) {
    this.entrance = new EventEntrance(parts);
  }

  async handle(exchange: EventExchange): Promise<void> {
    const entered = await this.entrance.letIn(exchange);
    if (entered === 'gone') return this.countEvent(exchange, 'client_gone');
    if (!isLetIn(entered)) return this.refuse(exchange, entered);
    // Ingestion handles the rest.
    const { caller, receivedAtMs, body } = entered;
    const { request, requestId } = exchange;
    const traceparent = traceparentOf(request) ?? '';
    const answer = await this.parts.batches.send(
      { platform: caller.platform, requestId, receivedAtMs, traceparent, body },
      exchange.startedMs,
    );
    const headers = this.entrance.responseHeaders(exchange);
    if (answer.retryAfterS > 0) headers.push('retry-after', String(answer.retryAfterS));
    respondJson(exchange.response, answer.status, answer.body, headers);
    const outcome = eventOutcome(answer);
    this.countEvent(exchange, outcome);
    this.report(exchange, answer.status, outcome);
  }

  refuse(exchange: EventExchange, refusal: Refusal): void {
    this.entrance.refuse(exchange, refusal);
    this.countEvent(exchange, refusal.code);
    this.report(exchange, refusal.status, refusal.code);
  }

  private countEvent({ caller }: EventExchange, outcome: string): void {
    if (caller !== undefined) this.parts.metrics.event(caller.platform, outcome);
  }

  /** Counts every request. Only a traced request has its own log line; the others are in the line of their batch. */
  private report({ request, requestId, caller, startedMs }: EventExchange, status: number, outcome: string): void {
    const ms = performance.now() - startedMs;
    this.parts.metrics.request(routeId, status, ms);
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
