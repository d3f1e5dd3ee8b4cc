import { BatchedAnswer, maxBatchOf } from '@podium/messages';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { ExchangeHandler } from '../http/exchange';
import { Refusal, refusalOf, tooLarge } from '../http/refusal';
import { traceparentOf } from '../http/request-id';
import { respondJson } from '../http/respond';
import { SharedByteBudget } from '../http/shared-byte-budget';
import { rateLimited } from '../limits/rate-limit-response';
import { batchBodyLimits, eventLimits } from '../routes/body-limits';
import { batchResponse } from './batch-results';
import { cutEvents } from './cut-events';
import { EventBatches } from './event-batches';
import { EventEdgeParts, EventEntrance, EventExchange, EventRequest, isLetIn } from './event-entrance';
import { eventOutcome } from './event-outcome';

const routeId = 'send-event-batch';

/**
 * POST /cdp/v1/users/events/batch: several events in one request, each with the answer that `send` would give. The request
 * takes one token of the rate before its body is read, and the tokens of its further events in one call. The events go on
 * as the bytes that were sent, in the same batches to ingestion as single events.
 */
export class SendEventBatch implements ExchangeHandler {
  private readonly budget = new SharedByteBudget(batchBodyLimits);
  private readonly entrance: EventEntrance;

  constructor(private readonly parts: EventEdgeParts & { batches: EventBatches }) {
    this.entrance = new EventEntrance(parts, this.budget);
  }

  async handle(exchange: EventExchange): Promise<void> {
    const entered = await this.entrance.letIn(exchange);
    if (entered === 'gone') return this.countEvent(exchange, 'client_gone');
    if (!isLetIn(entered)) return this.refuse(exchange, entered);
    try {
      await this.answer(exchange, entered);
    } finally {
      this.budget.of(entered.caller.platform).release(entered.body.length);
    }
  }

  refuse(exchange: EventExchange, refusal: Refusal): void {
    this.entrance.refuse(exchange, refusal);
    this.countEvent(exchange, refusal.code);
    this.report(exchange, refusal.status, { [refusal.code]: 1 });
  }

  private async answer(exchange: EventExchange, entered: EventRequest): Promise<void> {
    const cut = cutEvents(entered.body, maxBatchOf(entered.caller.rate.cells.burst));
    if (!cut.ok) return this.refuse(exchange, refusalOf('invalid_request', { message: cut.problem }));
    const answers = await this.answersTo(cut.events, exchange, entered);
    const { status, body } = batchResponse(answers);
    respondJson(exchange.response, status, body, this.entrance.responseHeaders(exchange));
    const outcomes: Record<string, number> = {};
    for (const answer of answers) {
      const outcome = eventOutcome(answer);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      this.countEvent(exchange, outcome);
    }
    this.parts.metrics.partnerBatch(answers.length);
    this.report(exchange, status, outcomes);
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
    const receivedMs = performance.now();
    return Promise.all(
      events.map((body, at) => {
        if (at >= allowed && overRate) return overRate;
        if (body.length > eventLimits.maxBodyBytes) return answerOf(tooLarge(eventLimits.maxBodyBytes));
        return this.parts.batches.send({ platform, requestId, receivedAtMs, traceparent, body }, receivedMs);
      }),
    );
  }

  private countEvent({ caller }: EventExchange, outcome: string): void {
    if (caller !== undefined) this.parts.metrics.event(caller.platform, outcome);
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
