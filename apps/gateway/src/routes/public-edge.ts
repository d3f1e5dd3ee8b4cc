import { METHODS } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '@podium/messages';
import { createHttpAdapter } from '@podium/runtime/app';
import { sendError, toCodedError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { ReadData } from '../data/read-data';
import { DocsSite } from '../docs/docs-site';
import { SendEvent, maxEventBytes } from '../events/send-event';
import { GatewayMetrics } from '../gateway-metrics';
import { refuse } from './answer';
import { isDataTarget } from './data-path';
import { answerClientError, createEdgeServer } from './edge-server';
import { Refusal, refusalOf } from './refusal';
import { requestIdOf } from './request-identity';
import { Route, routes } from './route-table';
import { UpstreamProxy } from './upstream-proxy';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The row of the routes table, for metrics and logs. */
    routeId?: string;
  }
}

const notFound = refusalOf('not_found');
const methodNotAllowed = refusalOf('method_not_allowed');
const upstreamMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The HTTP server that meets the world, and the loop that opens the rows of the routes table on it. */
export class PublicEdge {
  constructor(
    private readonly parts: {
      publicUrl: string;
      sendEvent: SendEvent;
      readData: ReadData;
      proxy: UpstreamProxy;
      docs: DocsSite;
      metrics: GatewayMetrics;
      logger: Logger;
      isDraining: () => boolean;
    },
  ) {}

  /** The framework's adapter over a server with the edge's own limits. */
  createAdapter(): FastifyAdapter {
    const publicHost = new URL(this.parts.publicUrl).host;
    return createHttpAdapter({
      serverFactory: (handler) => createEdgeServer(handler, publicHost),
      clientErrorHandler: answerClientError,
      // Before routing, so that the hook on answers does not run.
      frameworkErrors: (error, request, reply) => {
        // There a path that cannot be decoded holds an identifier that names nothing.
        if (isDataTarget(request.raw.url)) return this.refuse(request, reply, notFound, 'data', []);
        reply.header('x-request-id', request.id);
        this.sendError(error, request, reply);
      },
      requestIdHeader: false,
      genReqId: requestIdOf,
      routerOptions: { maxParamLength: 2048 },
      skipMiddie: true,
    } as Parameters<typeof createHttpAdapter>[0]);
  }

  /** Opens all routes; to be called before the server is ready. */
  open(server: FastifyInstance): void {
    // Methods the framework does not know would be 404 on known paths; they shall be 405.
    for (const method of METHODS) if (!server.supportedMethods.includes(method)) server.addHttpMethod(method);
    // An unknown path is refused before its body is looked at.
    server.addHook('onRequest', (request, reply, done) => {
      if (request.is404) this.refuse(request, reply, notFound, 'unknown', []);
      else done();
    });
    server.addHook('onSend', (request, reply, payload, done) => {
      reply.header('x-request-id', request.id);
      this.report(request, reply);
      done(null, payload);
    });
    void server.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => this.sendError(error, request, reply));
      await this.parts.proxy.install(scope);
      for (const route of routes) this.openRoute(scope, route);
    });
  }

  private openRoute(scope: FastifyInstance, route: Route): void {
    const config = { routeId: route.id };
    switch (route.to) {
      case 'send-event':
        this.openPath(scope, route, ['POST'], {
          onRequest: this.parts.sendEvent.takeOver,
          handler: unreachable,
          config,
        });
        return;
      case 'data':
        this.openPath(scope, route, ['GET', 'HEAD'], {
          onRequest: this.parts.readData.takeOver,
          handler: unreachable,
          config,
        });
        return;
      case 'upstream':
        this.openPath(scope, route, upstreamMethods, {
          handler: (request, reply) => this.parts.proxy.pass(route.upstream, request, reply),
          config,
        });
        return;
      case 'docs':
        this.openPath(scope, route, ['GET', 'HEAD'], {
          handler: (request, reply) => this.answerDocs(request, reply),
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

  private answerDocs(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const page = this.parts.docs.page(request.url.split('?', 1)[0]);
    if (!page) throw new CodedError('not_found');
    reply.headers(page.headers);
    if (request.headers['if-none-match'] === page.headers.etag) return reply.code(304).send();
    return reply.send(page.body);
  }

  /** Answers in place of the framework, before the body is read. */
  private refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
    routeId: string,
    headers: readonly string[],
  ): void {
    reply.hijack();
    refuse(request.raw, reply.raw, refusal, {
      headers: ['x-request-id', request.id, ...headers],
      close: this.parts.isDraining(),
      maxBodyBytes: maxEventBytes,
    });
    this.parts.metrics.request(routeId, refusal.status, reply.elapsedTime);
    this.parts.logger.debug({ request_id: request.id, route: routeId, code: refusal.code }, 'refused at the edge');
  }

  private sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    sendError(toCodedError(error), request, reply, this.parts.logger);
  }

  /** One line per request; without its query, which may hold a code (V8). */
  private report(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions?.config?.routeId ?? 'unknown';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    this.parts.metrics.request(route, reply.statusCode, ms);
    const path = request.url.split('?', 1)[0].slice(0, 200);
    this.parts.logger.info(
      {
        request_id: request.id,
        route,
        method: request.method,
        path,
        status: reply.statusCode,
        ms,
        ...traceFields(spanOfRequest(request.raw)),
      },
      'answered',
    );
  }
}

interface RouteHandling {
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
  readonly onRequest?: SendEvent['takeOver'];
  readonly config: { routeId: string };
}

function unreachable(): FastifyReply {
  throw new CodedError('internal_error', { internal: 'a route that is taken over before its handler reached it' });
}
