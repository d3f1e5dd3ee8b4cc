import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyServerOptions } from 'fastify';
import { randomUUID } from 'node:crypto';

/** Limits of an HTTP server in a service; the gateway, which meets the world, has tighter ones. */
export function createHttpAdapter(options: FastifyServerOptions = {}): FastifyAdapter {
  return new FastifyAdapter({
    logger: false,
    bodyLimit: 1024 * 1024,
    keepAliveTimeout: 72_000,
    requestTimeout: 30_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestIdHeader: 'x-request-id',
    genReqId: () => randomUUID(),
    ...options,
  });
}
