import { eventStatusPath, platformHeader, reconcilePath } from '@podium/messages';
import { InternalToken } from '@podium/runtime/http';
import { ByteBudget } from '../http/byte-budget';
import { EdgeContext, Exchange, ExchangeHandler, clientGone, refuseExchange } from '../http/exchange';
import { isPlainJson } from '../http/media-type';
import { BodyRead, readBody } from '../http/read-body';
import { Refusal, refusalOf, tooLarge } from '../http/refusal';
import { reportResponse } from '../http/report-response';
import { unwantedBody } from '../http/unwanted-body';
import { EventKeys } from '../keys/event-keys';
import { EndTurn, OneAtATime } from '../limits/one-at-a-time';
import { rateHeaders, rateLimited } from '../limits/rate-limit-response';
import { Allowance, RateLimiter } from '../limits/rate-limiter';
import { reconcileRate, reconcileRateHeader } from '../limits/reconcile-rate';
import { passRead } from '../proxy/pass-read';
import { PoolLimits, UpstreamPool } from '../proxy/upstream-pool';

/** Limits of the connections to engagement for questions about event ids. */
export const eventIdPoolLimits: PoolLimits = { connections: 16, maxUnderWay: 64 };

/** Total of the bodies that are being read or forwarded, bytes. */
const maxBodiesBytes = 48 * 1024 * 1024;

const refusals = {
  unsupportedMediaType: refusalOf('unsupported_media_type'),
  tooSlow: refusalOf('request_timeout'),
  underWay: refusalOf('rate_limited', {
    message: 'A reconcile request of your platform is under way. Send the next one after its answer.',
  }),
  overloaded: refusalOf('overloaded', { message: 'Overloaded. Retry after the time in Retry-After.' }),
  unavailable: refusalOf('unavailable', {
    message: 'Accepted events cannot be checked at this moment. Retry after the time in Retry-After.',
  }),
};

/** The state of one question through all steps. */
interface QuestionExchange extends Exchange {
  platform?: string;
  allowance?: Allowance;
}

/** Dependencies of the questions about event ids. */
export interface EventIdParts extends EdgeContext {
  readonly keys: EventKeys;
  readonly limiter: RateLimiter;
  readonly turns: OneAtATime;
  /** Connections to engagement, which answers. */
  readonly upstream: UpstreamPool;
  readonly internalToken: InternalToken;
}

/** What partners ask about ids of their events. The key decides the platform, so nobody can ask about another's events. */
export class EventIdQuestions {
  private readonly budget = new ByteBudget(maxBodiesBytes);

  constructor(private readonly parts: EventIdParts) {}

  /** POST /cdp/v1/users/events/reconcile: one under way per platform. */
  readonly reconcile: ExchangeHandler = this.handlerOf('reconcile-events', async (exchange) => {
    if (!isPlainJson(exchange.request.headers))
      return this.refuse(exchange, 'reconcile-events', refusals.unsupportedMediaType);
    const end = await this.parts.turns.take(exchange.platform!);
    if (!end) return this.refuse(exchange, 'reconcile-events', refusals.underWay);
    await this.askWithBody(exchange, end);
  });

  /** GET /cdp/v1/users/events/status?id=… */
  readonly status: ExchangeHandler = this.handlerOf('event-status', async (exchange) => {
    const unwanted = await unwantedBody(exchange);
    if (unwanted) return this.refuse(exchange, 'event-status', unwanted);
    const target = exchange.request.url ?? '';
    const query = target.includes('?') ? target.slice(target.indexOf('?')) : '';
    await this.ask(exchange, 'event-status', { target: eventStatusPath + query });
  });

  private handlerOf(routeId: string, next: (exchange: QuestionExchange) => Promise<void>): ExchangeHandler {
    return {
      handle: async (exchange: QuestionExchange) => {
        const { keys, limiter } = this.parts;
        // 1. The key; text that is not a key of this environment needs no lookup.
        const caller = keys.authenticate(exchange.request.headers.authorization, 'events:read');
        if (!caller.ok) return this.refuse(exchange, routeId, caller.refusal);
        exchange.platform = caller.platform;
        // 2. The platform's rate, for any content.
        const allowance = (exchange.allowance = await limiter.take(caller.platform, reconcileRate));
        if (!allowance.allowed) return this.refuse(exchange, routeId, rateLimited(allowance.retryAfterS));
        // 3. Engagement handles the rest.
        await next(exchange);
      },
      refuse: (exchange, refusal) => this.refuse(exchange, routeId, refusal),
    };
  }

  private async askWithBody(exchange: QuestionExchange, end: EndTurn): Promise<void> {
    try {
      const { maxBodyBytes: maxBytes, bodyTimeoutMs: timeoutMs } = exchange.limits;
      const body = await readBody(exchange.request, { maxBytes, timeoutMs, budget: this.budget });
      if (typeof body === 'string') return this.refuseBody(exchange, body);
      try {
        await this.ask(exchange, 'reconcile-events', { target: reconcilePath, body });
      } finally {
        this.budget.release(body.length);
      }
    } finally {
      end();
    }
  }

  private refuseBody(exchange: QuestionExchange, read: Exclude<BodyRead, Buffer>): void {
    const routeId = 'reconcile-events';
    switch (read) {
      case 'too_large':
        return this.refuse(exchange, routeId, tooLarge(exchange.limits.maxBodyBytes));
      case 'too_slow':
        return this.refuse(exchange, routeId, refusals.tooSlow);
      case 'no_memory':
        return this.refuse(exchange, routeId, refusals.overloaded);
      case 'gone':
        return reportResponse(this.parts, exchange, routeId, clientGone);
    }
  }

  private async ask(
    exchange: QuestionExchange,
    routeId: string,
    { target, body }: { readonly target: string; readonly body?: Buffer },
  ): Promise<void> {
    if (this.parts.upstream.isFull()) return this.refuse(exchange, routeId, refusals.overloaded);
    const status = await passRead(this.parts, exchange, {
      ...{ target, body, clientHeaders: [] },
      ownHeaders: { [platformHeader]: encodeURIComponent(exchange.platform!) },
      answerHeaders: rateHeaders(reconcileRateHeader, exchange.allowance!),
    });
    if (status === undefined) return this.refuse(exchange, routeId, refusals.unavailable);
    reportResponse(this.parts, exchange, routeId, status);
  }

  private refuse(exchange: QuestionExchange, routeId: string, refusal: Refusal): void {
    const { allowance } = exchange;
    refuseExchange(this.parts, exchange, refusal, allowance && rateHeaders(reconcileRateHeader, allowance));
    reportResponse(this.parts, exchange, routeId, refusal.status);
  }
}
