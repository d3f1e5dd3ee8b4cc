import { PartnerRead, partnerReadPaths, platformHeader } from '@podium/messages';
import { InternalToken } from '@podium/runtime/http';
import { EdgeContext, Exchange, ExchangeHandler, refuseExchange } from '../http/exchange';
import { Refusal, refusalOf } from '../http/refusal';
import { reportResponse } from '../http/report-response';
import { unwantedBody } from '../http/unwanted-body';
import { EventCaller, EventKeys } from '../keys/event-keys';
import { rateHeaders, rateLimited } from '../limits/rate-limit-response';
import { Allowance, RateLimiter } from '../limits/rate-limiter';
import { passRead } from '../proxy/pass-read';
import { UpstreamAddresses } from '../proxy/upstream-addresses';
import { PoolLimits } from '../proxy/upstream-pool';

/** Limits of the connections to ingestion for partners' reads; events have connections of their own. */
export const partnerReadPoolLimits: PoolLimits = { connections: 16, maxUnderWay: 256 };

/** The client's headers that are forwarded; its key and all others are not. */
const clientHeaders = ['accept', 'if-none-match'] as const;

const refusals = {
  overloaded: refusalOf('overloaded', { message: 'Overloaded; retry after the time in Retry-After.' }),
  unavailable: refusalOf('unavailable', { message: 'Not available now; retry after the time in Retry-After.' }),
};

/** The state of one read through all steps. */
interface ReadExchange extends Exchange {
  caller?: EventCaller;
  allowance?: Allowance;
}

/**
 * What a partner reads of itself: its contract and its refused events. The key decides the platform, so that nobody
 * can name another's. Each read takes one request of the platform's rate; ingestion answers.
 */
export class PartnerReads {
  constructor(
    private readonly parts: EdgeContext & {
      keys: EventKeys;
      limiter: RateLimiter;
      upstream: UpstreamAddresses;
      internalToken: InternalToken;
    },
  ) {}

  /** The handler of one read. */
  handlerOf(read: PartnerRead): ExchangeHandler {
    return {
      handle: (exchange) => this.handle(exchange, read),
      refuse: (exchange, refusal) => this.refuse(exchange, read, refusal),
    };
  }

  private async handle(exchange: ReadExchange, read: PartnerRead): Promise<void> {
    const { request } = exchange;
    const { keys, limiter, upstream } = this.parts;
    // 1. The key and its scope; text that is not a key of this environment needs no lookup.
    const caller = keys.authenticate(request.headers.authorization, 'events:read');
    if (!caller.ok) return this.refuse(exchange, read, caller.refusal);
    exchange.caller = caller;
    // 2. The platform's rate.
    const allowance = (exchange.allowance = await limiter.take(caller.platform, caller.rate.cells));
    if (!allowance.allowed) return this.refuse(exchange, read, rateLimited(allowance.retryAfterS));
    // 3. Requests that cannot be a read.
    const unwanted = await unwantedBody(exchange);
    if (unwanted) return this.refuse(exchange, read, unwanted);
    if (upstream.isFull()) return this.refuse(exchange, read, refusals.overloaded);
    // 4. Ingestion handles the rest.
    const target = request.url ?? '';
    const query = target.includes('?') ? target.slice(target.indexOf('?')) : '';
    const status = await passRead(this.parts, exchange, {
      ...{ target: partnerReadPaths[read] + query, clientHeaders },
      ownHeaders: { [platformHeader]: encodeURIComponent(caller.platform) },
      answerHeaders: rateHeaders(caller.rate.header, allowance),
    });
    if (status === undefined) return this.refuse(exchange, read, refusals.unavailable);
    reportResponse(this.parts, exchange, routeIdOf(read), status);
  }

  private refuse(exchange: ReadExchange, read: PartnerRead, refusal: Refusal): void {
    const { caller, allowance } = exchange;
    refuseExchange(this.parts, exchange, refusal, caller && allowance && rateHeaders(caller.rate.header, allowance));
    reportResponse(this.parts, exchange, routeIdOf(read), refusal.status);
  }
}

/** The id of the row of the route table. */
function routeIdOf(read: PartnerRead): string {
  return `partner-${read}`;
}
