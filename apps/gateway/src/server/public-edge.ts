import { METHODS } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '@podium/messages';
import { createHttpAdapter } from '@podium/runtime/app';
import { matchesEtag, sendError, toCodedError } from '@podium/runtime/http';
import { ReadData } from '../data/read-data';
import { DocsSite } from '../docs/docs-site';
import { asksForPage, errorPage } from '../error-pages/error-page';
import { EventRoutes } from '../events/event-routes';
import { EventIdQuestions } from '../event-ids/event-id-questions';
import { refuse } from '../http/respond';
import { PartnerReads } from '../partner-reads/partner-reads';
import { isDataTarget } from '../routes/data-path';
import { EdgeServer } from './edge-server';
import { EdgeContext, takeOver } from '../http/exchange';
import { Refusal, refusalOf } from '../http/refusal';
import { reportResponse } from '../http/report-response';
import { requestIdOf } from '../http/request-id';
import { Route, routes } from '../routes/route-table';
import { UpstreamProxy } from '../proxy/upstream-proxy';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The id of the row of the route table, for metrics and logs. */
    routeId?: string;
  }
}

const notFound = refusalOf('not_found');
const methodNotAllowed = refusalOf('method_not_allowed');
/** An unwanted body up to this size is discarded and its connection stays open; after a larger one it is closed. */
const maxUnreadBytes = 64 * 1024;
const upstreamMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The public HTTP server, and the loop that registers the rows of the route table on it. */
export class PublicEdge {
  constructor(
    private readonly parts: EdgeContext & {
      server: EdgeServer;
      eventRoutes: EventRoutes;
      partnerReads: PartnerReads;
      eventIds: EventIdQuestions;
      readData: ReadData;
      proxy: UpstreamProxy;
      docs: DocsSite;
    },
  ) {}

  /** The framework's adapter over a server with the edge's own limits. */
  createAdapter(): FastifyAdapter {
    const { server } = this.parts;
    return createHttpAdapter({
      serverFactory: (handler) => server.create(handler),
      clientErrorHandler: server.answerClientError,
      // Before routing, so the hook on responses does not run.
      frameworkErrors: (error, request, reply) => {
        // In the data API, a path that cannot be decoded contains an identifier that does not exist.
        if (isDataTarget(request.raw.url)) return this.refuse(request, reply, notFound, 'data', []);
        this.addHeaders(request, reply);
        this.sendError(error, request, reply);
      },
      requestIdHeader: false,
      genReqId: requestIdOf,
      routerOptions: { maxParamLength: 2048 },
      skipMiddie: true,
    } as Parameters<typeof createHttpAdapter>[0]);
  }

  /** Registers all routes; call it before the server is ready. */
  open(server: FastifyInstance): void {
    // Methods that the framework does not know would be 404 on known paths; 405 is right.
    for (const method of METHODS) if (!server.supportedMethods.includes(method)) server.addHttpMethod(method);
    // An unknown path is refused before its body is read.
    server.addHook('onRequest', (request, reply, done) => {
      if (request.is404) this.refuse(request, reply, notFound, 'unknown', []);
      else done();
    });
    server.addHook('onSend', (request, reply, payload, done) => {
      this.addHeaders(request, reply);
      this.report(request, reply);
      done(null, payload);
    });
    void server.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => this.sendError(error, request, reply));
      for (const route of routes) this.openRoute(scope, route);
    });
  }

  private openRoute(scope: FastifyInstance, route: Route): void {
    const config = { routeId: route.id };
    switch (route.to) {
      case 'send-event':
      case 'send-event-batch':
      case 'validate-event':
        this.openPath(scope, route, ['POST'], {
          onRequest: takeOver(route.limits, this.parts, this.parts.eventRoutes[route.to]),
          handler: unreachable,
          config,
        });
        return;
      case 'partner-read':
        this.openPath(scope, route, ['GET', 'HEAD'], {
          onRequest: takeOver(route.limits, this.parts, this.parts.partnerReads.handlerOf(route.reads)),
          handler: unreachable,
          config,
        });
        return;
      case 'event-ids': {
        const isReconcile = route.asks === 'reconcile';
        const handler = isReconcile ? this.parts.eventIds.reconcile : this.parts.eventIds.status;
        this.openPath(scope, route, isReconcile ? ['POST'] : ['GET', 'HEAD'], {
          onRequest: takeOver(route.limits, this.parts, handler),
          handler: unreachable,
          config,
        });
        return;
      }
      case 'data':
        this.openPath(scope, route, ['GET', 'HEAD'], {
          onRequest: takeOver(route.limits, this.parts, this.parts.readData),
          handler: unreachable,
          config,
        });
        return;
      case 'upstream':
        this.openPath(scope, route, upstreamMethods, {
          onRequest: this.parts.proxy.takeOver(route),
          handler: unreachable,
          config,
        });
        return;
      case 'docs':
        this.openPath(scope, route, ['GET', 'HEAD'], {
          handler: (request, reply) => this.sendDocs(request, reply),
          config,
        });
        return;
    }
  }

  private openPath(scope: FastifyInstance, route: Route, methods: string[], options: RouteHandling): void {
    const others = METHODS.filter((method) => !methods.includes(method));
    const allow = ['allow', methods.join(', ')];
    for (const url of route.below ? [route.path, `${route.path}/*`] : [route.path]) {
      scope.route({ url, method: methods, exposeHeadRoute: false, ...options });
      scope.route({
        url,
        method: others,
        exposeHeadRoute: false,
        config: options.config,
        onRequest: (request, reply) => this.refuse(request, reply, methodNotAllowed, route.id, allow),
        handler: unreachable,
      });
    }
  }

  private sendDocs(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const page = this.parts.docs.page(request.url.split('?', 1)[0]);
    if (!page) throw new CodedError('not_found');
    reply.code(page.status).headers(page.headers);
    if (page.headers.etag && matchesEtag(request.headers['if-none-match'], page.headers.etag))
      return reply.code(304).send();
    return reply.send(page.body);
  }

  /** Refuses in place of the framework, before the body is read. */
  private refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
    routeId: string,
    headers: readonly string[],
  ): void {
    reply.hijack();
    refuse(request.raw, reply.raw, refusal, {
      headers: ['x-request-id', request.id, ...this.parts.commonHeaders, ...headers],
      close: this.parts.isDraining(),
      maxBodyBytes: maxUnreadBytes,
    });
    this.parts.metrics.request(routeId, refusal.status, reply.elapsedTime);
    this.parts.logger.debug(
      { request_id: request.id, route: routeId, error_code: refusal.code },
      'refused at the edge',
    );
  }

  private sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    reply.header('cache-control', 'no-store');
    const coded = toCodedError(error);
    if (!asksForPage(request.raw)) return sendError(coded, request, reply, this.parts.logger);
    if (coded.status >= 500) this.parts.logger.error({ request_id: request.id, err: error }, coded.message);
    const page = errorPage(coded, request.id);
    void reply.status(coded.status).headers(page.headers).send(page.body);
  }

  private addHeaders(request: FastifyRequest, reply: FastifyReply): void {
    const headers = ['x-request-id', request.id, ...this.parts.commonHeaders];
    for (let at = 0; at < headers.length; at += 2) reply.header(headers[at], headers[at + 1]);
  }

  private report(request: FastifyRequest, reply: FastifyReply): void {
    const exchange = {
      request: request.raw,
      requestId: request.id,
      startedMs: performance.now() - reply.elapsedTime,
    };
    reportResponse(this.parts, exchange, request.routeOptions?.config?.routeId ?? 'unknown', reply.statusCode);
  }
}

interface RouteHandling {
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
  readonly onRequest?: ReturnType<typeof takeOver>;
  readonly config: { routeId: string };
}

function unreachable(): FastifyReply {
  throw new CodedError('internal_error', {
    internal: 'a request reached the handler of a route that should have been taken over',
  });
}
