import { BatchedAnswer } from '@podium/messages';
import { EdgeContext } from '../http/exchange';
import { Refusal, refusalOf } from '../http/refusal';
import { reportResponse } from '../http/report-response';
import { traceparentOf } from '../http/request-id';
import { respondJson } from '../http/respond';
import { RequestsPerClient } from '../proxy/requests-per-client';
import { batchLimits } from './batch-limits';
import { BatchCarrier } from './event-batches';
import { EventExchange, EventRequest, EventRoute, eventResponseHeaders } from './event-entrance';

const routeId = 'validate-event';

/** Validations of one platform under way at once, so that a slow store holds few of them. */
const maxPerPlatform = 8;

const refusals = {
  overloaded: refusalOf('overloaded'),
  unavailable: refusalOf('unavailable'),
};

/**
 * POST /cdp/v1/users/events/validate: all checks of an event, and nothing else. It is charged to the platform's rate, and
 * counted as a request only. Its connections to ingestion are not those of events.
 */
export class ValidateEvent implements EventRoute {
  readonly countsEvents = false;
  private readonly underWay = new RequestsPerClient(maxPerPlatform);

  constructor(private readonly parts: EdgeContext & { carrier: BatchCarrier }) {}

  async answer(exchange: EventExchange, entered: EventRequest): Promise<Refusal | undefined> {
    const release = this.underWay.take(entered.caller.platform);
    if (!release) return refusals.overloaded;
    try {
      const answer = await this.ask(exchange, entered);
      if (!answer) return refusals.unavailable;
      const headers = eventResponseHeaders(this.parts, exchange);
      if (answer.retryAfterS > 0) headers.push('retry-after', String(answer.retryAfterS));
      respondJson(exchange.response, answer.status, answer.body, headers);
      reportResponse(this.parts, exchange, routeId, answer.status);
      return undefined;
    } finally {
      release();
    }
  }

  countRefused({ startedMs }: EventExchange, refusal: Refusal): void {
    this.parts.metrics.request(routeId, refusal.status, performance.now() - startedMs);
  }

  /** Ingestion's answer, undefined when there is none in time. */
  private async ask(
    { request, requestId, startedMs }: EventExchange,
    { caller, receivedAtMs, body }: EventRequest,
  ): Promise<BatchedAnswer | undefined> {
    const traceparent = traceparentOf(request) ?? '';
    const event = { platform: caller.platform, requestId, receivedAtMs, traceparent, body };
    const deadlines = {
      ingestionAtMs: startedMs + batchLimits.ingestionDeadlineMs,
      gatewayAtMs: startedMs + batchLimits.deadlineMs,
    };
    try {
      const [answer] = await this.parts.carrier.carry([event], deadlines, traceparent === '' ? undefined : traceparent);
      return answer;
    } catch (error) {
      this.parts.logger.warn({ request_id: requestId, err: error }, 'an event could not be validated');
      return undefined;
    }
  }
}
