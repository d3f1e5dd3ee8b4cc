import { InternalToken, internalTokenHeader } from '@podium/runtime/http';
import { EdgeContext, Exchange, clientGone, responseHeaders, traceOf } from '../http/exchange';
import { traceparentOf } from '../http/request-id';
import { GatewayRefusedError } from './upstream-call';
import { UpstreamPool } from './upstream-pool';

/** A read as a service behind the gateway gets it. */
export interface PassedRead {
  /** Path and query. */
  readonly target: string;
  /** JSON, for a read whose question is too long for a query; it is sent by POST. */
  readonly body?: Buffer;
  /** The client's headers that are forwarded; its key and all others are not. */
  readonly clientHeaders: readonly string[];
  /** The gateway's own headers about the client. */
  readonly ownHeaders: Readonly<Record<string, string>>;
  /** Headers of the response in addition to the service's own; alternating name and value. */
  readonly answerHeaders: readonly string[];
}

/**
 * Passes a read on to a service and its response back. Returns the status, `clientGone` for a client that disconnected,
 * or undefined when the service did not respond or refused the gateway, which is logged: nothing is written then.
 */
export async function passRead(
  parts: EdgeContext & { upstream: Pick<UpstreamPool, 'pass'>; internalToken: InternalToken },
  exchange: Exchange,
  { target, body, answerHeaders, ...read }: PassedRead,
): Promise<number | undefined> {
  const { request, response, limits } = exchange;
  try {
    const status = await parts.upstream.pass(
      {
        method: body ? 'POST' : request.method === 'HEAD' ? 'HEAD' : 'GET',
        ...{ target, body },
        headers: {
          ...forwardedHeaders(exchange, parts.internalToken, read),
          ...(body && { 'content-type': 'application/json' }),
        },
        answerHeaders: [...responseHeaders(parts, exchange), ...answerHeaders],
        answerTimeoutMs: limits.answerTimeoutMs,
        isClientKnown: true,
        isRepeatable: true,
      },
      response,
    );
    return status ?? clientGone;
  } catch (error) {
    const details = { ...traceOf(exchange), err: error };
    if (error instanceof GatewayRefusedError) parts.logger.error(details, 'a service refused the internal token');
    else parts.logger.warn(details, 'the service of a read did not respond');
    return undefined;
  }
}

function forwardedHeaders(
  { request, requestId }: Exchange,
  internalToken: InternalToken,
  { clientHeaders, ownHeaders }: Pick<PassedRead, 'clientHeaders' | 'ownHeaders'>,
): Record<string, string> {
  const headers: Record<string, string> = {
    [internalTokenHeader]: internalToken.header,
    ...ownHeaders,
    'x-request-id': requestId,
  };
  const traceparent = traceparentOf(request);
  if (traceparent !== undefined) headers.traceparent = traceparent;
  for (const name of clientHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}
