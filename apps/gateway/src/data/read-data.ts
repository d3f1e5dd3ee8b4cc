import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { scopesHeader } from '@podium/messages';
import { InternalToken, internalTokenHeader } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { GatewayMetrics } from '../gateway-metrics';
import { DataCaller, DataKeys } from '../keys/data-keys';
import { rateHeaders, rateLimited } from '../limits/rate-limited';
import { Allowance, RateLimiter } from '../limits/rate-limiter';
import { announcedBytes, refuse } from '../routes/answer';
import { isDataTarget } from '../routes/data-path';
import { Exchange, clientGone, takeOver } from '../routes/exchange';
import { Refusal, refusalOf } from '../routes/refusal';
import { traceparentOf } from '../routes/request-identity';
import { RouteLimits } from '../routes/route-table';
import { PoolLimits, UpstreamPool } from '../routes/upstream-pool';

const routeId = 'data';

/** Bounds of the connections to the data service. */
export const dataPoolLimits: PoolLimits = { connections: 64, maxUnderWay: 2_000 };

/** What a client may say to the data service; its key and whatever else it sends stay here. */
const passedHeaders = [
  'accept',
  'accept-encoding',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
] as const;

const refusals = {
  notFound: refusalOf('not_found'),
  tooLarge: refusalOf('payload_too_large'),
  overloaded: refusalOf('overloaded', { message: 'Too much at once; retry after Retry-After.' }),
  unavailable: refusalOf('unavailable', { message: 'The data cannot be read now; retry after Retry-After.' }),
  failed: refusalOf('internal_error'),
};

/** What one read is through all steps. */
interface ReadExchange extends Exchange {
  readonly limits: RouteLimits;
  caller?: DataCaller;
  allowance?: Allowance;
}

/**
 * GET and HEAD below /data/v4. It decides who reads and how often; what there is to read, and with which scopes, the
 * data service does.
 */
export class ReadData {
  constructor(
    private readonly parts: {
      keys: DataKeys;
      limiter: RateLimiter;
      upstream: UpstreamPool;
      internalToken: InternalToken;
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

  private async handle(exchange: ReadExchange): Promise<void> {
    const { request, response, limits } = exchange;
    const { keys, limiter, upstream } = this.parts;
    // 1. Who reads.
    const caller = keys.authenticate(request.headers.authorization);
    if (!caller.ok) return this.refuse(exchange, caller.refusal);
    exchange.caller = caller;
    // 2. The key's rate, whatever is asked.
    const allowance = (exchange.allowance = await limiter.take(caller.keyId, caller.rate));
    if (!allowance.allowed) return this.refuse(exchange, rateLimited(allowance.retryAfterS));
    // 3. What no read is like.
    const target = request.url ?? '';
    if (!isPlainTarget(target)) return this.refuse(exchange, refusals.notFound);
    if (announcedBytes(request) > limits.maxBodyBytes) return this.refuse(exchange, refusals.tooLarge);
    if (upstream.isFull()) return this.refuse(exchange, refusals.overloaded);
    // 4. The rest is the data service's.
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    const answerHeaders = this.headersOf(exchange);
    if (this.parts.isDraining()) answerHeaders.push('connection', 'close');
    let status: number | null;
    try {
      status = await upstream.pass(
        {
          method,
          target,
          headers: this.passedOn(exchange, caller),
          answerHeaders,
          answerTimeoutMs: limits.answerTimeoutMs,
          isRepeatable: true,
        },
        response,
      );
    } catch (error) {
      this.parts.logger.warn({ ...lineOf(exchange), err: error }, 'the data service did not answer');
      return this.refuse(exchange, refusals.unavailable);
    }
    this.count(exchange, status ?? clientGone);
  }

  private refuse(exchange: ReadExchange, refusal: Refusal): void {
    refuse(exchange.request, exchange.response, refusal, {
      headers: this.headersOf(exchange),
      close: this.parts.isDraining(),
      maxBodyBytes: exchange.limits.maxBodyBytes,
    });
    this.count(exchange, refusal.status);
    this.parts.logger.debug(
      { ...lineOf(exchange), key_id: exchange.caller?.keyId, code: refusal.code },
      'read refused at the edge',
    );
  }

  private fail(exchange: ReadExchange, error: unknown): void {
    this.parts.logger.error({ ...lineOf(exchange), err: error }, 'a read failed');
    if (exchange.response.headersSent) exchange.response.destroy();
    else this.refuse(exchange, refusals.failed);
  }

  private count({ startedMs }: Exchange, status: number): void {
    this.parts.metrics.request(routeId, status, performance.now() - startedMs);
  }

  /** What the data service is told: the client's words about the answer, and the gateway's own about the client. */
  private passedOn({ request, requestId }: Exchange, caller: DataCaller): Record<string, string> {
    const headers: Record<string, string> = {
      [internalTokenHeader]: this.parts.internalToken.header,
      [scopesHeader]: caller.scopes,
      'x-request-id': requestId,
    };
    const traceparent = traceparentOf(request);
    if (traceparent !== undefined) headers.traceparent = traceparent;
    for (const name of passedHeaders) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    return headers;
  }

  /** Headers of every answer, and of the key's rate once it was asked. */
  private headersOf({ requestId, caller, allowance }: ReadExchange): string[] {
    const headers = ['x-request-id', requestId, ...this.parts.everyAnswer];
    if (caller && allowance) headers.push(...rateHeaders(caller.rateLimit, allowance));
    return headers;
  }
}

/** What every line about a read says. */
function lineOf({ request, requestId }: Exchange): object {
  return { request_id: requestId, ...traceFields(spanOfRequest(request)) };
}

const dottedOrOdd = /\/(?:\.|%2e){1,2}(?:\/|$)|[\\#]/i;

/**
 * Whether a target is what the router took it for: an encoded or dotted way to the data edge is none, as it could mean
 * something else to the service behind, where the internal token opens everything.
 */
function isPlainTarget(target: string): boolean {
  const query = target.indexOf('?');
  return isDataTarget(target) && !dottedOrOdd.test(query < 0 ? target : target.slice(0, query));
}
