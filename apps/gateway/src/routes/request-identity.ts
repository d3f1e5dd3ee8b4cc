import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';

const saneRequestId = /^[A-Za-z0-9_-]{1,64}$/;
const traceparentPattern = /^[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const processPart = randomBytes(6).toString('hex');
let requests = 0;

/** The id of a request: the client's own when it is a plain short word, else one unique among all instances. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && saneRequestId.test(given) ? given : newRequestId();
}

/** A request id made of a random part of this process and a count, which is cheaper than a UUID. */
export function newRequestId(): string {
  requests += 1;
  return `${processPart}-${requests.toString(36)}`;
}

// Random bytes are drawn for many trace contexts at once: one call to the kernel's generator costs as much as many bytes.
const contextBytes = 24;
const pool = Buffer.allocUnsafe(contextBytes * 256);
let poolAt = pool.length;

/** The trace context of a request (W3C Trace Context, section 3.2): the caller's when well-formed, else a new one, sampled. */
export function traceparentOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers.traceparent;
  if (typeof given === 'string' && !given.startsWith('ff') && traceparentPattern.test(given)) return given;
  if (poolAt === pool.length) {
    randomBytes(pool.length).copy(pool);
    poolAt = 0;
  }
  const at = poolAt;
  poolAt += contextBytes;
  return `00-${pool.toString('hex', at, at + 16)}-${pool.toString('hex', at + 16, at + 24)}-01`;
}
