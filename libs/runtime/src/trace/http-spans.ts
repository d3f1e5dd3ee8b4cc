import { IncomingMessage } from 'node:http';
import { ROOT_CONTEXT, Span, SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from '@opentelemetry/semantic-conventions';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseTraceparent, traceparentHeader } from './traceparent';
import { tracer } from './tracing';

/** Options of HTTP tracing. */
export interface HttpSpanOptions {
  /** Whether the caller is a service of Podium, so that its trace continues here with its sampling decision. */
  readonly isTrusted: (request: IncomingMessage) => boolean;
  /** Makes a request's span the active one of its handler; see `keepActiveSpans`. */
  readonly keepActive: boolean;
}

const spanKey = Symbol('span of a request');

type TracedMessage = IncomingMessage & { [spanKey]?: Span };

/** The span of a request; undefined while tracing is off. */
export function spanOfRequest(request: Pick<IncomingMessage, 'headers'>): Span | undefined {
  return (request as TracedMessage)[spanKey];
}

/**
 * Creates a span for each request, named by its route. An untrusted caller begins a new trace, because its `traceparent`
 * could force sampling and add its spans to this service's traces. It becomes a link of the new trace instead.
 */
export function traceRequests(server: FastifyInstance, options: HttpSpanOptions): void {
  server.addHook('onRequest', (request, _reply, done) => {
    (request.raw as TracedMessage)[spanKey] = startSpan(request, options.isTrusted(request.raw));
    done();
  });
  if (options.keepActive)
    // After the body, whose events run outside of the previously active context.
    server.addHook('preValidation', (request, _reply, done) => {
      const span = spanOfRequest(request.raw);
      if (span?.isRecording()) context.with(trace.setSpan(ROOT_CONTEXT, span), done);
      else done();
    });
  server.addHook('onResponse', (request, reply, done) => {
    end(spanOfRequest(request.raw), reply.raw.statusCode);
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    end(spanOfRequest(request.raw), clientGone);
    done();
  });
}

/** The status recorded for a request whose client disconnected. */
const clientGone = 499;

function startSpan(request: FastifyRequest, isTrusted: boolean): Span | undefined {
  const { raw } = request;
  const method = raw.method ?? 'GET';
  const route = request.is404 ? undefined : request.routeOptions.url;
  const given = raw.headers[traceparentHeader];
  const caller = typeof given === 'string' ? parseTraceparent(given) : null;
  const span = tracer()?.startSpan(
    route === undefined ? method : `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        [ATTR_HTTP_REQUEST_METHOD]: method,
        [ATTR_HTTP_ROUTE]: route,
        'podium.request_id': request.id,
      },
    },
    caller && isTrusted ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT,
  );
  // Added afterwards: a link at the start would influence the sampling decision.
  if (caller && !isTrusted && span?.isRecording()) span.addLink({ context: caller });
  return span;
}

function end(span: Span | undefined, status: number): void {
  if (!span?.isRecording()) return;
  span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
