import type { FastifyRequest } from 'fastify';

/** The answer to a prefetch of an address that works once (RFC 8470): a browser drops it. It is no fault of the service, as a 503 would be. */
export const tooEarly = 425;

/** Whether a browser or program fetches an address before anybody follows it; it asks again when somebody really does. */
export function isPrefetch(request: FastifyRequest): boolean {
  return ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(request.headers[name] ?? '')),
  );
}
