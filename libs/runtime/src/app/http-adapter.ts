import { FastifyAdapter } from '@nestjs/platform-fastify';
import { errorBody, errorCatalogue } from '@podium/messages';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { closeQueuedResponses } from '../http';

/** Maximum characters of a path segment: longer than any percent-encoded identifier, whose own validation then responds. */
const maxParamLength = 2048;

/**
 * Maximum bytes of a request's target and headers at a service, and of a response's headers from one to the gateway. Above the
 * 16 KiB that the gateway takes from clients, with what it adds: the scopes of a data key alone can have 13 KiB.
 */
export const maxServiceHeaderBytes = 48 * 1024;

/** An HTTP server with the limits of a service; the gateway, which is public, has tighter ones. Each of its responses closes. */
export function createHttpAdapter(options: FastifyServerOptions = {}): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    http: { maxHeaderSize: maxServiceHeaderBytes },
    bodyLimit: 1024 * 1024,
    keepAliveTimeout: 72_000,
    requestTimeout: 30_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestIdHeader: 'x-request-id',
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength },
    frameworkErrors: answerUnroutable,
    ...options,
  });
  closeQueuedResponses(adapter.getInstance().server);
  endStreamsOfHead(adapter.getInstance());
  return adapter;
}

/** Fastify reads a stream to its end for a HEAD, which has no body: of an export that would be all of its rows. */
function endStreamsOfHead(fastify: Pick<FastifyInstance, 'addHook'>): void {
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return done(null, payload);
    payload.destroy();
    done(null, Readable.from([]));
  });
}

/** A path that is too long or cannot be decoded is not found; Fastify would respond with a body of its own shape. */
function answerUnroutable(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const contentType = 'application/json; charset=utf-8';
  reply.status(errorCatalogue.not_found.status).header('content-type', contentType).send(errorBody('not_found'));
}
