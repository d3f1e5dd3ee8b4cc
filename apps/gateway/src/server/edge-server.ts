import { IncomingMessage, RequestListener, STATUS_CODES, Server, ServerResponse, createServer } from 'node:http';
import { Socket } from 'node:net';
import { queuedResponses } from '@podium/runtime/http';
import { parseUrl } from '@podium/runtime/url';
import { refuse } from '../http/respond';
import { ConnectionLimit } from './connection-limit';
import { Refusal, bodyFor, refusalOf } from '../http/refusal';
import { newRequestId, requestIdOf } from '../http/request-id';
import { watchTunnels } from './watch-tunnels';

/** Limits of a connection; times in ms, sizes in bytes. */
export interface EdgeLimits {
  readonly maxHeaderBytes: number;
  readonly maxHeaders: number;
  readonly headersTimeoutMs: number;
  /** For the whole request, including the body. */
  readonly requestTimeoutMs: number;
  /** Above the idle time of proxies in front, so that the gateway never closes a connection they are about to use. */
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  /** For an idle connection: longer than any response takes to begin; it also ends clients that do not read theirs. */
  readonly stallTimeoutMs: number;
}

/** The gateway's limits. */
export const edgeLimits: EdgeLimits = {
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 100,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 72_000,
  maxConnections: 10_000,
  stallTimeoutMs: 30_000,
};

const refusals = {
  headers: refusalOf('headers_too_large'),
  timeout: refusalOf('request_timeout'),
  unreadable: refusalOf('invalid_request', { message: 'The request is not well-formed HTTP/1.1.' }),
  host: refusalOf('invalid_request', { message: 'The request needs exactly one Host header.' }),
  hostValue: refusalOf('invalid_request', {
    message: 'The Host header must be a host name or an address, and a port if it is not the usual one.',
  }),
  coding: refusalOf('invalid_request', {
    message: 'Transfer-Encoding: only chunked is supported, and only in HTTP/1.1.',
  }),
  target: refusalOf('invalid_request', { message: 'The request target names another host.' }),
  expectation: refusalOf('invalid_request', { message: 'Expect: only 100-continue is supported.' }),
  tunnel: refusalOf('method_not_allowed', { message: 'CONNECT is not supported here.' }),
};

/** The public HTTP server: it refuses malformed requests before any route sees them, with this API's error bodies. */
export class EdgeServer {
  private readonly publicHosts: ReadonlySet<string>;
  /** Responses after which their connection ends. */
  private readonly lastResponses = new WeakSet<ServerResponse>();

  constructor(
    private readonly options: {
      publicUrl: string;
      /** Addresses that reach this deployment too. */
      furtherPublicUrls: readonly string[];
      connections: ConnectionLimit;
      /** Headers of every response. */
      commonHeaders: readonly string[];
      limits?: EdgeLimits;
    },
  ) {
    const { publicUrl, furtherPublicUrls } = options;
    this.publicHosts = new Set([publicUrl, ...furtherPublicUrls].map((url) => new URL(url).host));
  }

  /** Creates the server; `handler` gets well-formed requests. */
  create(handler: RequestListener): Server {
    const limits = this.options.limits ?? edgeLimits;
    const server = createServer(
      {
        maxHeaderSize: limits.maxHeaderBytes,
        // Node's own response to a missing Host has no body; this one names the error.
        requireHostHeader: false,
        headersTimeout: limits.headersTimeoutMs,
        requestTimeout: limits.requestTimeoutMs,
        keepAliveTimeout: limits.keepAliveTimeoutMs,
        connectionsCheckingInterval: 1_000,
      },
      (request, response) => {
        const malformed = malformedRequest(request, this.publicHosts, limits);
        if (malformed) return this.refuseAndClose(request, response, malformed);
        return handler(request, response);
      },
    );
    // Node would silently drop headers above its count; the limit in bytes bounds them, and malformedRequest() counts.
    server.maxHeadersCount = 0;
    server.maxConnections = limits.maxConnections;
    server.timeout = limits.stallTimeoutMs;
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
      this.refuseAndClose(request, response, refusals.expectation),
    );
    const tunnels = watchTunnels(server);
    server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      tunnels.add(socket);
      this.refuseTunnel(socket);
    });
    this.options.connections.watch(server);
    return server;
  }

  /** Responds to what Node could not parse as a request, and closes: 431, 408 or 400 (RFC 9112, section 9.6). */
  readonly answerClientError = (error: ClientError, socket: Socket): void => {
    const { _httpMessage: response, parser } = socket as HttpSocket;
    const { incoming } = parser ?? {};
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const last = lastDue(socket);
    if (last) {
      this.closeAfter(last, socket);
      return;
    }
    // A response that has begun, or that was sent before the body failed, cannot be followed by another one.
    if (response?.headersSent || (incoming && !incoming.complete && !response)) {
      socket.destroySoon();
      return;
    }
    const target = targetOf(error);
    if (error.code === 'HPE_HEADER_OVERFLOW') this.writeAndClose(socket, refusals.headers, target);
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.writeAndClose(socket, refusals.timeout, target);
    else this.writeAndClose(socket, refusals.unreadable, target);
  };

  /** Behind other requests of its connection it gets no response: that would be taken for theirs. */
  private refuseTunnel(socket: HttpSocket): void {
    const last = lastDue(socket);
    if (last) this.closeAfter(last, socket);
    else this.writeAndClose(socket, refusals.tunnel);
  }

  /** Requests that have arrived get their own responses, whatever follows them; then the connection ends (RFC 9112, section 9.3.2). */
  private closeAfter(response: ServerResponse, socket: Socket): void {
    if (this.lastResponses.has(response)) return;
    this.lastResponses.add(response);
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.destroySoon());
  }

  private refuseAndClose(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    refuse(request, response, refusal, {
      headers: ['x-request-id', requestIdOf(request), ...this.options.commonHeaders],
      close: true,
      maxBodyBytes: 0,
    });
  }

  private writeAndClose(socket: Socket, refusal: Refusal, target?: string): void {
    const body = bodyFor(refusal, target);
    const headers = ['x-request-id', newRequestId(), ...this.options.commonHeaders];
    const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
    socket.end(
      [
        `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
        'connection: close',
        `date: ${new Date().toUTCString()}`,
        'cache-control: no-store',
        'content-type: application/json; charset=utf-8',
        `content-length: ${body.length}`,
        ...lines,
        ...(refusal === refusals.tunnel ? ['allow: GET, HEAD, POST'] : []),
        '',
        body.toString(),
      ].join('\r\n'),
    );
    // The client may go on sending; it gets a moment to read the response, then the connection is closed.
    setTimeout(() => socket.destroy(), 500).unref();
  }
}

/** A connection as Node's server tracks it: the response that is due, and the request that is being read. */
type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
};

/** The last response that is due for a request that has arrived; undefined if there is none. */
function lastDue(socket: HttpSocket): ServerResponse | undefined {
  const due = socket._httpMessage ? [socket._httpMessage] : [];
  return [...due, ...queuedResponses(socket)].findLast(({ req }) => req.complete);
}

/** Node's error about a request that it could not parse. */
interface ClientError extends Error {
  code?: string;
  /** The bytes last read, a buffer; fastify's types declare it differently. */
  rawPacket?: unknown;
}

/** The beginning of the target in the request line when that is among the bytes last read: what follows may be the fault. */
function targetOf({ rawPacket }: ClientError): string | undefined {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 256) : '';
  return /^[A-Z]+ (\S+)/.exec(text)?.[1];
}

/** A host and a port as a URI has them (RFC 3986, section 3.2); an empty host is allowed (RFC 9112, section 3.2). */
const hostForm = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

function malformedRequest(
  request: IncomingMessage,
  publicHosts: ReadonlySet<string>,
  limits: EdgeLimits,
): Refusal | null {
  const { rawHeaders } = request;
  // Node's parser also reads HTTP/0.9 and 2.0, whose messages are framed in other ways.
  if (request.httpVersionMajor !== 1) return refusals.unreadable;
  if (rawHeaders.length > limits.maxHeaders * 2) return refusals.headers;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at].length === 4 && rawHeaders[at].toLowerCase() === 'host') hosts += 1;
  if (hosts > 1 || (hosts === 0 && request.httpVersionMinor > 0)) return refusals.host;
  if (!hostForm.test(request.headers.host ?? '')) return refusals.hostValue;
  const coding = request.headers['transfer-encoding'];
  // What forwards HTTP/1.0 may not know of chunks, and take what follows them for other requests (RFC 9112, section 6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersionMinor === 0))
    return refusals.coding;
  return request.url?.charCodeAt(0) === slash ? null : takeAbsoluteTarget(request, publicHosts);
}

const slash = 47;

/** Turns an absolute-form target of this deployment into an ordinary one (RFC 9112, section 3.2.2), and refuses any other. */
function takeAbsoluteTarget(request: IncomingMessage, publicHosts: ReadonlySet<string>): Refusal | null {
  const target = request.url ?? '';
  // OPTIONS * is about the server as a whole; the router treats it like any unknown path.
  if (target === '*') return null;
  const host = /^https?:\/\//i.test(target) ? parseUrl(target)?.host : undefined;
  if (host === undefined) return refusals.target;
  const { localAddress, localPort } = request.socket;
  if (!publicHosts.has(host) && host !== `${localAddress}:${localPort}`) return refusals.target;
  request.url = target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  return request.url.startsWith('/') ? null : refusals.target;
}
