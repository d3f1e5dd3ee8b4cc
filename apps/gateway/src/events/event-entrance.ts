import { EdgeContext, Exchange, ExchangeHandler, refuseExchange, responseHeaders } from '../http/exchange';
import { isPlainJson } from '../http/media-type';
import { BodyRead, readBody } from '../http/read-body';
import { Refusal, refusalOf, tooLarge } from '../http/refusal';
import { SharedByteBudget } from '../http/shared-byte-budget';
import { EventCaller, EventKeys } from '../keys/event-keys';
import { rateHeaders, rateLimited } from '../limits/rate-limit-response';
import { Allowance, RateLimiter } from '../limits/rate-limiter';

/** The state of one request of a partner through all steps. */
export interface EventExchange extends Exchange {
  caller?: EventCaller;
  /** The platform's rate after the last check. */
  allowance?: Pick<Allowance, 'remaining' | 'resetS'>;
}

/** A request that was let in: who sent it, and its body. */
export interface EventRequest {
  readonly caller: EventCaller;
  /** Unix ms at the end of the headers. */
  readonly receivedAtMs: number;
  readonly body: Buffer;
}

/** Dependencies of every route of partner events. */
export type EventEdgeParts = EdgeContext & { readonly keys: EventKeys; readonly limiter: RateLimiter };

const refusals = {
  unsupportedMediaType: refusalOf('unsupported_media_type'),
  tooSlow: refusalOf('request_timeout'),
  overloaded: refusalOf('overloaded'),
};

/** What a route does with requests after the first checks. */
export interface EventRoute {
  /** Answers a request that was let in; returns the refusal when it is refused after all. */
  answer(exchange: EventExchange, request: EventRequest): Promise<Refusal | undefined>;
  /** Whether a request that is refused, or whose client has disconnected, counts as an event of the platform. */
  readonly countsEvents: boolean;
  /** Counts a request that was refused. */
  countRefused(exchange: EventExchange, refusal: Refusal): void;
}

/**
 * The first checks of every request with partner events: key, rate, media type, body. They take the request over from the
 * framework and run before a body is read as far as possible, so that a refusal costs no parsing.
 */
export class EventEntrance implements ExchangeHandler {
  constructor(
    private readonly parts: EventEdgeParts,
    private readonly route: EventRoute,
    /** Memory of the bodies, which is released after the response. */
    private readonly budget: SharedByteBudget,
  ) {}

  async handle(exchange: EventExchange): Promise<void> {
    const entered = await this.letIn(exchange);
    if (entered === 'gone') return this.countOutcome(exchange, 'client_gone');
    if (!('caller' in entered)) return this.refuse(exchange, entered);
    try {
      const refusal = await this.route.answer(exchange, entered);
      if (refusal) this.refuse(exchange, refusal);
    } finally {
      this.budget.of(entered.caller.platform).release(entered.body.length);
    }
  }

  refuse(exchange: EventExchange, refusal: Refusal): void {
    const { requestId, caller } = exchange;
    refuseExchange(this.parts, exchange, refusal, rateHeadersOf(exchange));
    this.countOutcome(exchange, refusal.code);
    this.route.countRefused(exchange, refusal);
    this.parts.logger.debug(
      { request_id: requestId, platform: caller?.platform, error_code: refusal.code },
      'event refused at the edge',
    );
  }

  private countOutcome(exchange: EventExchange, outcome: string): void {
    if (this.route.countsEvents) countEvents(this.parts, exchange, outcome);
  }

  /** The request, the refusal of the first check that fails, or `gone` when the client has disconnected. */
  private async letIn(exchange: EventExchange): Promise<EventRequest | Refusal | 'gone'> {
    const { request } = exchange;
    const receivedAtMs = Date.now();
    // 1. The key; text that is not a key of this environment needs no lookup.
    const caller = this.parts.keys.authenticate(request.headers.authorization);
    if (!caller.ok) return caller.refusal;
    exchange.caller = caller;
    // 2. The platform's rate, for any content.
    const allowance = await this.parts.limiter.take(caller.platform, caller.rate.cells);
    exchange.allowance = allowance;
    if (!allowance.allowed) return rateLimited(allowance.retryAfterS);
    // 3. The headers that describe the body, then the body.
    if (!isPlainJson(request.headers)) return refusals.unsupportedMediaType;
    const body = await this.readBody(exchange, caller);
    if (typeof body !== 'string') return { caller, receivedAtMs, body };
    switch (body) {
      case 'gone':
        return body;
      case 'too_slow':
        return refusals.tooSlow;
      case 'no_memory':
        return refusals.overloaded;
      case 'too_large':
        return tooLarge(exchange.limits.maxBodyBytes);
    }
  }

  private readBody({ request, startedMs, limits }: EventExchange, caller: EventCaller): BodyRead | Promise<BodyRead> {
    const { maxBodyBytes, bodyTimeoutMs } = limits;
    return readBody(request, {
      maxBytes: maxBodyBytes,
      timeoutMs: startedMs + bodyTimeoutMs - performance.now(),
      budget: this.budget.of(caller.platform),
    });
  }
}

/** Headers of a response that is not a refusal. */
export function eventResponseHeaders(parts: EdgeContext, exchange: EventExchange): string[] {
  return [...responseHeaders(parts, exchange), ...rateHeadersOf(exchange)];
}

/** Counts events of a known platform by their outcome. */
export function countEvents({ metrics }: EdgeContext, { caller }: EventExchange, outcome: string, events = 1): void {
  if (caller !== undefined) metrics.event(caller.platform, outcome, events);
}

function rateHeadersOf({ caller, allowance }: EventExchange): string[] {
  return caller === undefined || allowance === undefined ? [] : rateHeaders(caller.rate.header, allowance);
}
