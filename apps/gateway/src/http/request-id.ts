import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { spanOfRequest, traceparentOfSpan } from '@podium/runtime/trace';

const plainRequestId = /^[A-Za-z0-9_-]{1,64}$/;

const processPart = randomBytes(6).toString('hex');
let requests = 0;

/** The id of a request: the client's own if it is short and plain, otherwise one that is unique among all instances. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && plainRequestId.test(given) ? given : newRequestId();
}

/** A request id made of a random process prefix and a counter, which is cheaper than a UUID. */
export function newRequestId(): string {
  requests += 1;
  return `${processPart}-${requests.toString(36)}`;
}

/**
 * The trace context that is forwarded with a request: that of its own span, never the caller's (`traceRequests`); none
 * while tracing is off.
 */
export function traceparentOf(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const span = spanOfRequest(request);
  return span && traceparentOfSpan(span);
}
