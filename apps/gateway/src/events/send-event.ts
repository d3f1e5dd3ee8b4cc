import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { eventRatePerSecond } from '@podium/messages';
import { Logger } from '@podium/runtime/log';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { GatewayMetrics } from '../gateway-metrics';
import { EventCaller, EventKeys } from '../keys/event-keys';
import { eventRate } from '../limits/gcra';
import { rateHeaders, rateLimitOf, rateLimited } from '../limits/rate-limited';
import { Allowance, RateLimiter } from '../limits/rate-limiter';
import { announcedBytes, answerJson, refuse } from '../routes/answer';
import { Exchange, takeOver } from '../routes/exchange';
import { BodyRead, readBody } from '../routes/read-body';
import { Refusal, refusalOf, tooLarge } from '../routes/refusal';
import { traceparentOf } from '../routes/request-identity';
import { RouteLimits } from '../routes/route-table';
import { EventBatches } from './event-batches';
import { eventOutcome } from './event-outcome';
import { isPlainJson } from './media-type';

const routeId = 'send-event';
const rateLimit = rateLimitOf(eventRatePerSecond);

const refusals = {
  unsupportedMediaType: refusalOf('unsupported_media_type'),
  tooSlow: refusalOf('request_timeout'),
  failed: refusalOf('internal_error'),
};

/** What one event request is through all steps. */
interface EventExchange extends Exchange {
  readonly limits: RouteLimits;
  platform?: string;
  allowance?: Allowance;
}

/**
 * POST /cdp/v1/users/events/send. It takes the request over from the framework before the body is read, so that a
 * refusal costs no parsing, and answers with the bytes that ingestion made.
 */
export class SendEvent {
  constructor(
    private readonly parts: {
      keys: EventKeys;
      limiter: RateLimiter;
      batches: EventBatches;
      /** Headers of every answer. */
      everyAnswer: readonly string[];
      metrics: GatewayMetrics;
      logger: Logger;
      isDraining: () => boolean;
    },
  ) {}

  /** The route's first hook; `done` is never called, as nothing after it shall run. */
  takeOver(limits: RouteLimits) {
    return (request: FastifyRequest, reply: FastifyReply, _done: HookHandlerDoneFunction): void => {
      const exchange = { ...takeOver(request, reply), limits };
      this.handle(exchange).catch((error: unknown) => this.fail(exchange, error));
    };
  }

  private async handle(exchange: EventExchange): Promise<void> {
    const { request } = exchange;
    const receivedAtMs = Date.now();
    // 1. Who sends; no look-up for what is not a key of this environment.
    const caller: EventCaller | { ok: false; refusal: Refusal } = this.parts.keys.authenticate(
      request.headers.authorization,
    );
    if (!caller.ok) return this.refuse(exchange, caller.refusal);
    exchange.platform = caller.platform;
    // 2. The platform's rate, whatever the request holds.
    const allowance = (exchange.allowance = await this.parts.limiter.take(caller.platform, eventRate));
    if (!allowance.allowed) return this.refuse(exchange, rateLimited(allowance.retryAfterS));
    // 3. What the headers say of the body, then the body.
    if (!isPlainJson(request.headers)) return this.refuse(exchange, refusals.unsupportedMediaType);
    const body = await this.readBody(exchange);
    if (body === 'gone') return this.parts.metrics.event(caller.platform, 'client_gone');
    if (body === 'too_slow') return this.refuse(exchange, refusals.tooSlow);
    if (typeof body === 'string') return this.refuse(exchange, tooLarge(exchange.limits.maxBodyBytes));
    // 4. The rest is ingestion's.
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
    const headers = this.headersOf(exchange);
    if (answer.retryAfterS > 0) headers.push('retry-after', String(answer.retryAfterS));
    if (this.parts.isDraining()) headers.push('connection', 'close');
    answerJson(exchange.response, answer.status, answer.body, headers);
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

  private refuse(exchange: EventExchange, refusal: Refusal): void {
    refuse(exchange.request, exchange.response, refusal, {
      headers: this.headersOf(exchange),
      close: this.parts.isDraining(),
      maxBodyBytes: exchange.limits.maxBodyBytes,
    });
    if (exchange.platform !== undefined) this.parts.metrics.event(exchange.platform, refusal.code);
    this.report(exchange, refusal.status, refusal.code);
    this.parts.logger.debug(
      { request_id: exchange.requestId, platform: exchange.platform, code: refusal.code },
      'event refused at the edge',
    );
  }

  private fail(exchange: EventExchange, error: unknown): void {
    this.parts.logger.error({ request_id: exchange.requestId, err: error }, 'an event request failed');
    if (exchange.response.headersSent) exchange.response.destroy();
    else this.refuse(exchange, refusals.failed);
  }

  /** Counts every request; a line of its own has only one that is traced, as the others stand in the line of their batch. */
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

  /** Headers of every answer, and of the rate once it was asked. */
  private headersOf({ requestId, allowance }: EventExchange): string[] {
    const headers = ['x-request-id', requestId, ...this.parts.everyAnswer];
    if (allowance) headers.push(...rateHeaders(rateLimit, allowance));
    return headers;
  }
}
