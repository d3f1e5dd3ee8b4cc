import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { EdgeContext, Exchange, ExchangeHandler, refuseExchange, responseHeaders } from '../http/exchange';
import { isPlainJson } from '../http/media-type';
import { BodyRead, readBody } from '../http/read-body';
import { Refusal, refusalOf, tooLarge } from '../http/refusal';
import { traceparentOf } from '../http/request-id';
import { announcedBytes, respondJson } from '../http/respond';
import { EventKeys } from '../keys/event-keys';
import { rateHeaders, rateLimited } from '../limits/rate-limit-response';
import { Allowance, RateLimiter } from '../limits/rate-limiter';
import { EventRate } from '../limits/event-rate';
import { EventBatches } from './event-batches';
import { eventOutcome } from './event-outcome';

const routeId = 'send-event';

const refusals = {
  unsupportedMediaType: refusalOf('unsupported_media_type'),
  tooSlow: refusalOf('request_timeout'),
};

/** The state of one event request through all steps. */
interface EventExchange extends Exchange {
  platform?: string;
  rate?: EventRate;
  allowance?: Allowance;
}

/**
 * POST /cdp/v1/users/events/send. It takes the request over from the framework before the body is read, so that a
 * refusal costs no parsing. It responds with the bytes that ingestion made.
 */
export class SendEvent implements ExchangeHandler {
  constructor(private readonly parts: EdgeContext & { keys: EventKeys; limiter: RateLimiter; batches: EventBatches }) {}

  async handle(exchange: EventExchange): Promise<void> {
    const { request } = exchange;
    const receivedAtMs = Date.now();
    // 1. The key; text that is not a key of this environment needs no lookup.
    const caller = this.parts.keys.authenticate(request.headers.authorization);
    if (!caller.ok) return this.refuse(exchange, caller.refusal);
    exchange.platform = caller.platform;
    exchange.rate = caller.rate;
    // 2. The platform's rate, for any content.
    const allowance = (exchange.allowance = await this.parts.limiter.take(caller.platform, caller.rate.cells));
    if (!allowance.allowed) return this.refuse(exchange, rateLimited(allowance.retryAfterS));
    // 3. The headers that describe the body, then the body.
    if (!isPlainJson(request.headers)) return this.refuse(exchange, refusals.unsupportedMediaType);
    const body = await this.readBody(exchange);
    if (body === 'gone') return this.parts.metrics.event(caller.platform, 'client_gone');
    if (body === 'too_slow') return this.refuse(exchange, refusals.tooSlow);
    if (typeof body === 'string') return this.refuse(exchange, tooLarge(exchange.limits.maxBodyBytes));
    // 4. Ingestion handles the rest.
    const answer = await this.parts.batches.send(
      {
        platform: caller.platform,
        requestId: exchange.requestId,
        receivedAtMs,
        traceparent: traceparentOf(request) ?? '',
        body,
      },
      exchange.startedMs,
    );
    const headers = [...responseHeaders(this.parts, exchange), ...rateHeaders(caller.rate.header, allowance)];
    if (answer.retryAfterS > 0) headers.push('retry-after', String(answer.retryAfterS));
    respondJson(exchange.response, answer.status, answer.body, headers);
    const outcome = eventOutcome(answer);
    this.parts.metrics.event(caller.platform, outcome);
    this.report(exchange, answer.status, outcome);
  }

  private async readBody({ request, startedMs, limits }: EventExchange): Promise<BodyRead> {
    const { maxBodyBytes, bodyTimeoutMs } = limits;
    const announced = announcedBytes(request);
    if (announced > maxBodyBytes && announced !== Infinity) return 'too_large';
    return readBody(request, {
      maxBytes: maxBodyBytes,
      timeoutMs: startedMs + bodyTimeoutMs - performance.now(),
    });
  }

  refuse(exchange: EventExchange, refusal: Refusal): void {
    const { requestId, platform, rate, allowance } = exchange;
    refuseExchange(this.parts, exchange, refusal, rate && allowance && rateHeaders(rate.header, allowance));
    if (platform !== undefined) this.parts.metrics.event(platform, refusal.code);
    this.report(exchange, refusal.status, refusal.code);
    this.parts.logger.debug({ request_id: requestId, platform, code: refusal.code }, 'event refused at the edge');
  }

  /** Counts every request. Only a traced request has its own log line; the others are in the line of their batch. */
  private report({ request, requestId, platform, startedMs }: EventExchange, status: number, outcome: string): void {
    const ms = performance.now() - startedMs;
    this.parts.metrics.request(routeId, status, ms);
    const span = spanOfRequest(request);
    if (!span?.isRecording()) return;
    span.setAttributes({ 'podium.platform': platform, 'podium.outcome': outcome });
    this.parts.logger.info(
      { request_id: requestId, platform, status, outcome, ms: Math.round(ms * 10) / 10, ...traceFields(span) },
      'event answered',
    );
  }
}
