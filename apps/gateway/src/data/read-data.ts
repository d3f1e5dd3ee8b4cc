import { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { scopesHeader } from '@podium/messages';
import { InternalToken, internalTokenHeader } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { GatewayMetrics } from '../gateway-metrics';
import { DataCaller, DataKeys } from '../keys/data-keys';
import { rateLimited } from '../limits/rate-limited';
import { Allowance, RateLimiter } from '../limits/rate-limiter';
import { announcedBytes, refuse } from '../routes/answer';
import { isDataTarget } from '../routes/data-path';
import { Refusal, refusalOf } from '../routes/refusal';
import { traceparentOf } from '../routes/request-identity';
import { DataUpstream } from './data-upstream';

const routeId = 'data';

/** A read has no use for a body; so much of one is thrown away, more is refused. */
const maxBodyBytes = 64 * 1024;

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

/** What one request is through all steps. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedMs: number;
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
      upstream: DataUpstream;
      internalToken: InternalToken;
      metrics: GatewayMetrics;
      logger: Logger;
      isDraining: () => boolean;
    },
  ) {}

  /** The route's first hook; `done` is never called, as nothing after it shall run. */
  readonly takeOver = (request: FastifyRequest, reply: FastifyReply, _done: HookHandlerDoneFunction): void => {
    reply.hijack();
    const exchange = { request: request.raw, response: reply.raw, requestId: request.id, startedMs: performance.now() };
    this.handle(exchange).catch((error: unknown) => this.fail(exchange, error));
  };

  private async handle(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
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
    if (announcedBytes(request) > maxBodyBytes) return this.refuse(exchange, refusals.tooLarge);
    if (upstream.isFull()) return this.refuse(exchange, refusals.overloaded);
    // 4. The rest is the data service's.
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    const answerHeaders = this.headersOf(exchange);
    if (this.parts.isDraining()) answerHeaders.push('connection', 'close');
    let status: number | null;
    try {
      status = await upstream.pass(
        { method, target, headers: this.passedOn(exchange, caller), answerHeaders },
        response,
      );
    } catch (error) {
      this.parts.logger.warn({ ...lineOf(exchange), err: error }, 'the data service did not answer');
      return this.refuse(exchange, refusals.unavailable);
    }
    this.count(exchange, status ?? clientGone);
  }

  private refuse(exchange: Exchange, refusal: Refusal): void {
    refuse(exchange.request, exchange.response, refusal, {
      headers: this.headersOf(exchange),
      close: this.parts.isDraining(),
      maxBodyBytes,
    });
    this.count(exchange, refusal.status);
    this.parts.logger.debug(
      { ...lineOf(exchange), key_id: exchange.caller?.keyId, code: refusal.code },
      'read refused at the edge',
    );
  }

  private fail(exchange: Exchange, error: unknown): void {
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

  /** Headers of every answer, and of the key's rate once it was asked (draft-ietf-httpapi-ratelimit-headers-06). */
  private headersOf({ requestId, caller, allowance }: Exchange): string[] {
    const headers = ['x-request-id', requestId];
    if (caller && allowance)
      headers.push(
        'ratelimit-limit',
        caller.rateLimit,
        'ratelimit-remaining',
        String(allowance.remaining),
        'ratelimit-reset',
        String(allowance.resetS),
      );
    return headers;
  }
}

/** What every line about a read says. */
function lineOf({ request, requestId }: Exchange): object {
  return { request_id: requestId, ...traceFields(spanOfRequest(request)) };
}

/** The status under which a client that went away is counted; it is never sent. */
const clientGone = 499;

const dottedOrOdd = /\/(?:\.|%2e){1,2}(?:\/|$)|[\\#]/i;

/**
 * Whether a target is what the router took it for: an encoded or dotted way to the data edge is none, as it could mean
 * something else to the service behind, where the internal token opens everything.
 */
function isPlainTarget(target: string): boolean {
  const query = target.indexOf('?');
  return isDataTarget(target) && !dottedOrOdd.test(query < 0 ? target : target.slice(0, query));
}
