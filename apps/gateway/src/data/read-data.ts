import { scopesHeader } from '@podium/messages';
import { InternalToken } from '@podium/runtime/http';
import { EdgeContext, Exchange, ExchangeHandler, refuseExchange, traceOf } from '../http/exchange';
import { Refusal, refusalOf } from '../http/refusal';
import { unwantedBody } from '../http/unwanted-body';
import { DataCaller, DataKeys } from '../keys/data-keys';
import { rateHeaders, rateLimited } from '../limits/rate-limit-response';
import { Allowance, RateLimiter } from '../limits/rate-limiter';
import { passRead } from '../proxy/pass-read';
import { PoolLimits, UpstreamPool } from '../proxy/upstream-pool';
import { isDataTarget } from '../routes/data-path';

const routeId = 'data';

/** Limits of the connections to the data service. */
export const dataPoolLimits: PoolLimits = { connections: 64, maxUnderWay: 2_000 };

/** The client's headers that are forwarded to the data service; its key and all others are not. */
const clientHeaders = [
  'accept',
  'accept-encoding',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
] as const;

const refusals = {
  notFound: refusalOf('not_found'),
  overloaded: refusalOf('overloaded', { message: 'Overloaded; retry after the time in Retry-After.' }),
  unavailable: refusalOf('unavailable', { message: 'The data is unavailable; retry after the time in Retry-After.' }),
};

/** The state of one read through all steps. */
interface ReadExchange extends Exchange {
  caller?: DataCaller;
  allowance?: Allowance;
}

/**
 * GET and HEAD below /data/v4. This checks the key and its rate; the data service decides what the key's scopes may read.
 */
export class ReadData implements ExchangeHandler {
  constructor(
    private readonly parts: EdgeContext & {
      keys: DataKeys;
      limiter: RateLimiter;
      upstream: Pick<UpstreamPool, 'pass' | 'isFull'>;
      internalToken: InternalToken;
    },
  ) {}

  async handle(exchange: ReadExchange): Promise<void> {
    const { request } = exchange;
    const { keys, limiter, upstream } = this.parts;
    // 1. The key.
    const caller = keys.authenticate(request.headers.authorization);
    if (!caller.ok) return this.refuse(exchange, caller.refusal);
    exchange.caller = caller;
    // 2. The key's rate, for any request.
    const allowance = (exchange.allowance = await limiter.take(caller.keyId, caller.rate));
    if (!allowance.allowed) return this.refuse(exchange, rateLimited(allowance.retryAfterS));
    // 3. Requests that cannot be a read.
    const target = request.url ?? '';
    if (!isPlainTarget(target)) return this.refuse(exchange, refusals.notFound);
    const unwanted = await unwantedBody(exchange);
    if (unwanted) return this.refuse(exchange, unwanted);
    if (upstream.isFull()) return this.refuse(exchange, refusals.overloaded);
    // 4. The data service handles the rest.
    const status = await passRead(this.parts, exchange, {
      ...{ target, clientHeaders },
      ownHeaders: { [scopesHeader]: caller.scopes },
      answerHeaders: rateHeaders(caller.rateLimit, allowance),
    });
    if (status === undefined) return this.refuse(exchange, refusals.unavailable);
    this.count(exchange, status);
  }

  refuse(exchange: ReadExchange, refusal: Refusal): void {
    const { caller, allowance } = exchange;
    refuseExchange(this.parts, exchange, refusal, caller && allowance && rateHeaders(caller.rateLimit, allowance));
    this.count(exchange, refusal.status);
    this.parts.logger.debug(
      { ...traceOf(exchange), key_id: caller?.keyId, error_code: refusal.code },
      'read refused at the edge',
    );
  }

  private count({ startedMs }: Exchange, status: number): void {
    this.parts.metrics.request(routeId, status, performance.now() - startedMs);
  }
}

const dottedOrOdd = /\/(?:\.|%2e){1,2}(?:\/|$)|[\\#]/i;

/**
 * Whether the data service and the router interpret a target in the same way. An encoded or dotted path might differ, and behind
 * the gateway the internal token gives access to everything.
 */
function isPlainTarget(target: string): boolean {
  const query = target.indexOf('?');
  return isDataTarget(target) && !dottedOrOdd.test(query < 0 ? target : target.slice(0, query));
}
