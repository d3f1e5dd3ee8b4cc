import { BatchedAnswer, maxBatchOf } from '@podium/messages';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { EdgeContext } from '../http/exchange';
import { Refusal, refusalOf, tooLarge } from '../http/refusal';
import { traceparentOf } from '../http/request-id';
import { respondJson } from '../http/respond';
import { rateLimited } from '../limits/rate-limit-response';
import { RateLimiter } from '../limits/rate-limiter';
import { eventLimits } from '../routes/body-limits';
import { batchResponse } from './batch-results';
import { cutEvents } from './cut-events';
import { EventBatches } from './event-batches';
import { EventExchange, EventRequest, EventRoute, countEvents, eventResponseHeaders } from './event-entrance';
import { eventOutcome } from './event-outcome';

const routeId = 'send-event-batch';

/**
 * POST /cdp/v1/users/events/batch: several events in one request, each with the answer that `send` would give. The request
 * takes one token of the rate before its body is read, and the tokens of its further events in one call. The events go on
 * as the bytes that were sent, in the same batches to ingestion as single events.
 */
export class SendEventBatch implements EventRoute {
  readonly countsEvents = true;

  constructor(private readonly parts: EdgeContext & { limiter: RateLimiter; batches: EventBatches }) {}

  async answer(exchange: EventExchange, entered: EventRequest): Promise<Refusal | undefined> {
    const cut = cutEvents(entered.body, maxBatchOf(entered.caller.rate.cells.burst));
    if (!cut.ok) return refusalOf('invalid_request', { message: cut.problem });
    const answers = await this.answersTo(cut.events, exchange, entered);
    const { status, body } = batchResponse(answers);
    respondJson(exchange.response, status, body, eventResponseHeaders(this.parts, exchange));
    const outcomes: Record<string, number> = {};
    for (const answer of answers) {
      const outcome = eventOutcome(answer);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      this.parts.metrics.eventAnswer(answer.status);
    }
    for (const [outcome, events] of Object.entries(outcomes)) countEvents(this.parts, exchange, outcome, events);
    this.parts.metrics.partnerBatch(answers.length);
    this.report(exchange, status, outcomes);
    return undefined;
  }

  countRefused(exchange: EventExchange, refusal: Refusal): void {
    this.parts.metrics.eventAnswer(refusal.status);
    this.report(exchange, refusal.status, { [refusal.code]: 1 });
  }

  /** The answers in the order of the events. Those above the rate, the last ones, are refused one by one. */
  private async answersTo(
    events: readonly Buffer[],
    exchange: EventExchange,
    { caller, receivedAtMs }: EventRequest,
  ): Promise<BatchedAnswer[]> {
    const { platform, rate } = caller;
    let allowed = 1;
    let overRate: BatchedAnswer | undefined;
    if (events.length > 1) {
      const further = await this.parts.limiter.takeSome(platform, rate.cells, events.length - 1);
      exchange.allowance = further;
      allowed += further.admitted;
      overRate = answerOf(rateLimited(further.retryAfterS));
    }
    const { request, requestId } = exchange;
    const traceparent = traceparentOf(request) ?? '';
    // The time for a large body is not taken from that of its events.
    const arrival = { receivedMs: performance.now(), burst: rate.cells.burst };
    return Promise.all(
      events.map((body, at) => {
        if (at >= allowed && overRate) return overRate;
        if (body.length > eventLimits.maxBodyBytes) return answerOf(tooLarge(eventLimits.maxBodyBytes));
        return this.parts.batches.send({ platform, requestId, receivedAtMs, traceparent, body }, arrival);
      }),
    );
  }

  /** Counts the request and writes its line, with the number of events by outcome. */
  private report(exchange: EventExchange, status: number, outcomes: Readonly<Record<string, number>>): void {
    const { request, requestId, caller, startedMs } = exchange;
    const ms = performance.now() - startedMs;
    this.parts.metrics.request(routeId, status, ms);
    const span = spanOfRequest(request);
    const platform = caller?.platform;
    const events = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
    if (span?.isRecording()) span.setAttributes({ 'podium.platform': platform, 'podium.batch.events': events });
    // A flood of refused requests costs no line each.
    if (caller === undefined || status === 429) return;
    this.parts.logger.info(
      { request_id: requestId, platform, status, outcomes, ms: Math.round(ms * 10) / 10, ...traceFields(span) },
      'batch of a partner answered',
    );
  }
}

function answerOf({ status, retryAfterS = 0, body }: Refusal): BatchedAnswer {
  return { status, retryAfterS, body };
}
