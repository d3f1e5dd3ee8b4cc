import { IncomingHttpHeaders } from 'node:http';
import { InternalToken, internalTokenHeader } from '@podium/runtime/http';
import { Exchange } from '../http/exchange';
import { traceparentOf } from '../http/request-id';

// Headers that end at this hop (RFC 9110, section 7.6.1), that the gateway sets itself, or that only it may claim.
const ownOrHopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'content-length',
  'host',
  'upgrade',
  'expect',
  'forwarded',
  'x-real-ip',
  // The caller's trace context is not forwarded.
  'traceparent',
  'tracestate',
  'baggage',
]);

/** Makes the headers of a request to a service: the client's, and the gateway's own about the client. */
export class UpstreamHeaders {
  private readonly proto: string;
  private readonly host: string;
  /** Hosts by what the header Host may be. */
  private readonly furtherHosts: ReadonlyMap<string, string>;

  constructor(
    publicUrl: string,
    /** Addresses that reach this deployment too; the host of a request counts only if it is one of them. */
    furtherPublicUrls: readonly string[],
    private readonly internalToken: InternalToken,
  ) {
    const { protocol, host } = new URL(publicUrl);
    this.proto = protocol.slice(0, -1);
    this.host = host;
    this.furtherHosts = new Map(furtherPublicUrls.flatMap(hostHeaders));
  }

  of({ request, requestId }: Exchange, client: string): Record<string, string | readonly string[]> {
    const headers: Record<string, string | readonly string[]> = {};
    const named = namedByConnection(request.headers);
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined && !ownOrHopHeaders.has(name) && !isSetByGateway(name) && !named.has(name))
        headers[name] = value;
    headers[internalTokenHeader] = this.internalToken.header;
    headers['x-request-id'] = requestId;
    const traceparent = traceparentOf(request);
    if (traceparent !== undefined) headers.traceparent = traceparent;
    headers['x-forwarded-for'] = client;
    headers['x-forwarded-proto'] = this.proto;
    const asked = request.headers.host?.toLowerCase() ?? '';
    headers['x-forwarded-host'] = this.furtherHosts.get(asked) ?? this.host;
    return headers;
  }
}

/** Some proxies in front write the usual port too, which makes it the same host (RFC 9110, section 4.2.3). */
function hostHeaders(url: string): [header: string, host: string][] {
  const { protocol, host, port } = new URL(url);
  const usualPort = protocol === 'https:' ? 443 : 80;
  return port === '' ? [host, `${host}:${usualPort}`].map((header) => [header, host]) : [[host, host]];
}

function isSetByGateway(name: string): boolean {
  return name.startsWith('x-podium-') || name.startsWith('x-forwarded-');
}

/** Headers that the client declares as hop-by-hop. */
function namedByConnection({ connection = '' }: IncomingHttpHeaders): ReadonlySet<string> {
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}
