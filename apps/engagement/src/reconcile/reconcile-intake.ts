import { CodedError, eventStatusPath, platformHeader, reconcileLimits, reconcilePath } from '@podium/messages';
import { InternalToken, internalTokenHeader, sendError, toCodedError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseIdQuery, parseIds } from './parse-ids';
import { ReconcileService } from './reconcile.service';

/**
 * The internal routes on which the gateway asks about event ids of a platform. They are raw routes, because a body is up to
 * 3 MiB of JSON that is parsed strictly, and only the gateway may name a platform.
 */
export class ReconcileIntake {
  constructor(
    private readonly reconcile: Pick<ReconcileService, 'missing'>,
    private readonly internalToken: InternalToken,
    private readonly logger: Logger,
  ) {}

  /** Registers the routes in a scope of its own, so that other routes keep their parsers. */
  async register(fastify: FastifyInstance): Promise<void> {
    const common = {
      // Checked before the body is read, so that other callers than the gateway cost little.
      onRequest: async (request: FastifyRequest) => this.internalToken.require(request.headers[internalTokenHeader]),
      errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
        sendError(toCodedError(error), request, reply, this.logger),
    };
    await fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'buffer', bodyLimit: reconcileLimits.maxBodyBytes },
        (_request, body, done) => done(null, body),
      );
      scope.route({
        ...common,
        method: 'POST',
        url: reconcilePath,
        bodyLimit: reconcileLimits.maxBodyBytes,
        handler: async (request, reply) => {
          const ids = parseIds(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
          return reply.send({ missing: await this.reconcile.missing(platformOf(request), ids) });
        },
      });
      scope.route({
        ...common,
        method: 'GET',
        url: eventStatusPath,
        handler: async (request, reply) => {
          const target = request.raw.url ?? '';
          const id = parseIdQuery(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '');
          const missing = await this.reconcile.missing(platformOf(request), [id]);
          return reply.send({ accepted: missing.length === 0 });
        },
      });
    });
  }
}

/** The platform of the caller's key, which only the gateway names. */
function platformOf(request: FastifyRequest): string {
  const header = request.headers[platformHeader];
  if (typeof header !== 'string' || header === '')
    throw new CodedError('internal_error', { internal: 'the gateway named no platform' });
  return decodeURIComponent(header);
}
