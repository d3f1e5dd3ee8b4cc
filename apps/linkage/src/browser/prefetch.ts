import type { FastifyRequest } from 'fastify';

/** Whether a browser or program fetches an address before anybody follows it; it asks again when somebody really does. */
export function isPrefetch(request: FastifyRequest): boolean {
  return ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(request.headers[name] ?? '')),
  );
}
