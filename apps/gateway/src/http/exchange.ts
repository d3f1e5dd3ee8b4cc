import { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Logger } from '@podium/runtime/log';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { GatewayMetrics } from '../metrics/gateway-metrics';
import { RouteLimits } from '../routes/body-limits';
import { Refusal, refusalOf } from './refusal';
import { refuse } from './respond';

/** One request that was taken over from the framework, passed through all its steps. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Monotonic ms at the end of the headers. */
  readonly startedMs: number;
  readonly limits: RouteLimits;
}

/** Dependencies of every part of the gateway that responds to requests. */
export interface EdgeContext {
  /** Headers of every response. */
  readonly commonHeaders: readonly string[];
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
  readonly isDraining: () => boolean;
}

/** The status under which a client that disconnected is counted; it is never sent. */
export const clientGone = 499;

const failed = refusalOf('internal_error');

/** How a route handles an exchange, and how it refuses one. */
export interface ExchangeHandler {
  handle(exchange: Exchange): Promise<void>;
  refuse(exchange: Exchange, refusal: Refusal): void;
}

/**
 * The first hook of a route that takes its requests over from the framework, before their body is read. `done` is never
 * called, so that no further part of the framework runs. If the handler rejects, the error is logged and the response is 500.
 */
export function takeOver(limits: RouteLimits, { logger }: EdgeContext, handler: ExchangeHandler) {
  return (request: FastifyRequest, reply: FastifyReply, _done: HookHandlerDoneFunction): void => {
    reply.hijack();
    const exchange = {
      request: request.raw,
      response: reply.raw,
      requestId: request.id,
      startedMs: performance.now(),
      limits,
    };
    handler.handle(exchange).catch((error: unknown) => {
      logger.error({ ...traceOf(exchange), err: error }, 'a request failed');
      if (exchange.response.headersSent) exchange.response.destroy();
      else handler.refuse(exchange, failed);
    });
  };
}

/** Refuses an exchange; `headers` alternate name and value and are sent with those of every response. */
export function refuseExchange(
  { commonHeaders, isDraining }: EdgeContext,
  { request, response, requestId, limits }: Exchange,
  refusal: Refusal,
  headers: readonly string[] = [],
): void {
  refuse(request, response, refusal, {
    headers: ['x-request-id', requestId, ...commonHeaders, ...headers],
    close: isDraining(),
    maxBodyBytes: limits.maxBodyBytes,
    bodyTimeoutMs: limits.bodyTimeoutMs,
  });
}

/** Headers of a response that is not a refusal: those of every response, and the end of the connection while draining. */
export function responseHeaders({ commonHeaders, isDraining }: EdgeContext, { requestId }: Exchange): string[] {
  const headers = ['x-request-id', requestId, ...commonHeaders];
  if (isDraining()) headers.push('connection', 'close');
  return headers;
}

/** Fields of every log line about an exchange. */
export function traceOf({ request, requestId }: Pick<Exchange, 'request' | 'requestId'>): object {
  return { request_id: requestId, ...traceFields(spanOfRequest(request)) };
}
