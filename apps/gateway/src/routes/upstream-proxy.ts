import replyFrom from '@fastify/reply-from';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@podium/messages';
import { InternalToken, internalTokenHeader, sendError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { announcedBytes } from './answer';
import { ByteLimit, tooLarge } from './byte-limit';
import { ForwardedClient } from './forwarded-client';
import { traceparentOf } from './request-identity';
import { Upstream } from './route-table';

/** Largest body of a request to a service in bytes. */
export const maxUpstreamBodyBytes = 1024 * 1024;

const connectTimeoutMs = 1_000;
// Longer than linkage waits for a partner's server.
const answerTimeoutMs = 20_000;

// Ends at this hop (RFC 9110, section 7.6.1), or identity that only the gateway may claim.
const ownOrHopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'forwarded',
  'x-real-ip',
  // The caller's trace ends here.
  'traceparent',
  'tracestate',
  'baggage',
]);

/** Hands requests to the services behind, as the gateway's own; answers pass unchanged. */
export class UpstreamProxy {
  private readonly publicUrl: URL;

  constructor(
    private readonly options: {
      upstreams: Record<Upstream, string>;
      publicUrl: string;
      internalToken: InternalToken;
      clients: ForwardedClient;
      logger: Logger;
    },
  ) {
    this.publicUrl = new URL(options.publicUrl);
  }

  /** Prepares a scope of the server for proxied routes: bodies stream through it unparsed, up to the limit. */
  async install(scope: FastifyInstance): Promise<void> {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, payload, done) => {
      const announced = announcedBytes(request.raw);
      if (announced !== Infinity && announced > maxUpstreamBodyBytes) return done(tooLarge(maxUpstreamBodyBytes));
      const limited = new ByteLimit(maxUpstreamBodyBytes);
      payload.once('error', (error: Error) => limited.destroy(error));
      done(null, payload.pipe(limited));
    });
    await scope.register(replyFrom, {
      disableRequestLogging: true,
      disableCache: true,
      undici: {
        connections: 64,
        pipelining: 1,
        connect: { timeout: connectTimeoutMs },
        headersTimeout: answerTimeoutMs,
        bodyTimeout: answerTimeoutMs,
        keepAliveTimeout: 4_000,
      },
    });
  }

  /** Hands one request to a service. */
  pass(upstream: Upstream, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = (request.raw.url ?? '/').split('?', 1)[0];
    const target = new URL(path, this.options.upstreams[upstream]);
    // Dot segments would leave the row's part of the service, where the internal token opens everything.
    if (target.pathname !== path) throw new CodedError('not_found');
    return reply.from(target.href, this.hooks(request));
  }

  private hooks(request: FastifyRequest): FastifyReplyFromHooks {
    return {
      rewriteRequestHeaders: (_request, headers) => this.requestHeaders(request, headers as IncomingHttpHeaders),
      rewriteHeaders: (headers) => {
        const { connection: _, 'keep-alive': __, ...kept } = headers;
        return { ...kept, 'x-request-id': request.id };
      },
      retryDelay: () => null,
      onError: (reply, { error }) => {
        sendError(codedErrorOf(error), request, reply as unknown as FastifyReply, this.options.logger);
      },
    };
  }

  private requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const kept: IncomingHttpHeaders = {};
    for (const [name, value] of Object.entries(headers))
      if (!ownOrHopHeaders.has(name) && !name.startsWith('x-podium-') && !name.startsWith('x-forwarded-'))
        kept[name] = value;
    kept[internalTokenHeader] = this.options.internalToken.header;
    kept['x-request-id'] = request.id;
    const traceparent = traceparentOf(request.raw);
    if (traceparent !== undefined) kept.traceparent = traceparent;
    kept['x-forwarded-for'] = this.options.clients.addressOf(request.raw);
    kept['x-forwarded-proto'] = this.publicUrl.protocol.slice(0, -1);
    kept['x-forwarded-host'] = this.publicUrl.host;
    return kept;
  }
}

function codedErrorOf(error: unknown): CodedError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof CodedError) return cause;
  return new CodedError('unavailable', { cause: error, internal: 'a service behind the gateway did not answer' });
}
