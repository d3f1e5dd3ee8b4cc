import { Agent, Dispatcher } from 'undici';
import { SpecialAddressError, checkedLookup } from './checked-lookup';
import { Deadline } from './deadline';
import { AddressAllowList, isAllowListed, parsePartnerAddress } from './partner-address-rules';
import { isCompressed } from '@podium/partner-check/protocol/content-encoding';
import { RawResponse } from '@podium/partner-check/protocol/partner-answers';
import { PartnerNames, ResolveName } from './partner-names';
import { PartnerResult, failure } from '@podium/partner-check/protocol/partner-result';
import { NothingSentError, requestOnTime } from './request-on-time';
import { untilAny } from '@podium/runtime/work';

/** Most bytes of a partner's response; nothing compressed is read, so wire bytes are decoded bytes. */
const bodyBytesMax = 64 * 1024;

/** A response with its other headers: the first value of each, by lower-case name. */
export interface HttpResponse extends RawResponse {
  readonly headers: ReadonlyMap<string, string>;
}

/** A complete request to a partner. */
export interface PartnerRequest {
  /** The partner whose connections to use. */
  readonly platform: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Total time, from the name lookup to the last byte of the response. */
  readonly timeoutMs: number;
  /** Ends the request early; its result is then a failure. */
  readonly signal?: AbortSignal;
}

/** Connections of one partner to one host; as many as its concurrent requests, so that none waits for a connection. */
export const connectionsMax = 32;

/**
 * How long an unused connection is kept where the partner does not say how long it does, ms: less than the default of any server
 * that is known. The shortest is that of gunicorn, 2 s. With the 5 s of uvicorn and others, background work of every 5 s would
 * meet connections that are being ended. A request on one is lost, and whether the partner has done it is then unknown.
 */
const unusedMs = 1500;

const agentOptions = {
  connections: connectionsMax,
  pipelining: 1,
  keepAliveTimeout: unusedMs,
  maxHeaderSize: 16 * 1024,
} as const;
const connectMs = 5000;
/**
 * How long an address of a name that has several is tried until the next one takes its place, ms. Node's 250 ms end every attempt
 * but the last at a distant partner, and any whose first packet is lost, which is sent again after a second (RFC 6298). The next address may
 * be an IPv6 one, and not every network has IPv6.
 */
const addressMs = 1500;

/**
 * HTTP to partners' servers: checked addresses only, no redirects, a deadline over the whole exchange, limited response
 * sizes. undici's own limits do not do this: `bodyTimeout` is between chunks, `lookup` is not asked for IP literals.
 * Connections belong to a partner and not to a host, because partners may share one and one of them may hang.
 */
export class PartnerHttp {
  private readonly agents = new Map<string, Agent>();

  constructor(
    private readonly allowList: AddressAllowList,
    private readonly resolve: ResolveName = new PartnerNames().resolve,
  ) {}

  /** Sends one request; every fault of network or shape is a value. */
  async send(request: PartnerRequest): Promise<PartnerResult<HttpResponse>> {
    const address = parsePartnerAddress(request.url, this.allowList);
    if (!address.ok) return failure('address_refused', `the partner's address ${address.problem}`, { notSent: true });
    const { url } = address;
    const agent = this.agentOf(request.platform, isAllowListed(url, this.allowList));
    const deadline = Deadline.within(request.timeoutMs);
    const signals = [AbortSignal.timeout(request.timeoutMs), ...(request.signal ? [request.signal] : [])];
    try {
      return await untilAny(signals, (signal) => exchange(agent, url, request, { signal, deadline }));
    } catch (error) {
      return failureOf(error);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
  }

  private agentOf(platform: string, allowListed: boolean): Agent {
    const key = `${allowListed ? 'listed' : 'public'} ${platform}`;
    let agent = this.agents.get(key);
    if (!agent) {
      // Hosts of the allow list are the deployment's own, so the system's lookup, with its search domains, is used.
      const lookup = allowListed ? undefined : checkedLookup(this.resolve);
      const connect = { timeout: connectMs, autoSelectFamilyAttemptTimeout: addressMs, lookup };
      agent = new Agent({ ...agentOptions, connect });
      this.agents.set(key, agent);
    }
    return agent;
  }
}

/**
 * One request with its response. A status that says that the partner is busy or broken counts whatever its body is: that may be a
 * proxy's large or compressed page, of which only the beginning is kept.
 */
async function exchange(
  agent: Agent,
  url: URL,
  request: PartnerRequest,
  until: { readonly signal: AbortSignal; readonly deadline: Deadline },
): Promise<PartnerResult<HttpResponse>> {
  const answer = await requestOnTime(agent, until, {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'podium', ...request.headers },
    body: request.body,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const isSaidByStatus = answer.statusCode === 429 || answer.statusCode >= 500;
  if (!isSaidByStatus && isCompressed(answer.headers['content-encoding'])) {
    discard(answer.body);
    return failure('malformed', 'the response is compressed although identity was requested', {
      status: answer.statusCode,
      fault: 'compressed',
    });
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyBytesMax) {
      discard(answer.body);
      if (isSaidByStatus) break;
      return failure('malformed', `the response is larger than ${bodyBytesMax} bytes`, {
        status: answer.statusCode,
        fault: 'size',
      });
    }
    chunks.push(chunk);
  }
  const { 'retry-after': retryAfter, 'www-authenticate': challenge } = answer.headers;
  return {
    ok: true,
    value: {
      status: answer.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      challenge: typeof challenge === 'string' ? challenge : challenge?.join(', '),
      body: Buffer.concat(chunks),
      headers: firstValues(answer.headers),
    },
  };
}

function firstValues(headers: Dispatcher.ResponseData['headers']): ReadonlyMap<string, string> {
  const named = Object.entries(headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value[0] : value] as const,
  );
  return new Map(named.filter((header): header is readonly [string, string] => header[1] !== undefined));
}

/** Closes the connection instead of reading the rest. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined);
  body.destroy();
}

/** A failure after a request has begun leaves open whether the partner did it. */
function failureOf(thrown: unknown): PartnerResult<never> {
  const outcomeUnknown = !(thrown instanceof NothingSentError);
  const error = outcomeUnknown ? thrown : thrown.cause;
  if (findCause(error, (cause) => cause instanceof SpecialAddressError))
    return failure('address_refused', "the partner's name resolves to a private or special address");
  const code = codeOf(error);
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW')
    return failure('malformed', 'the response is not HTTP within the limits', { outcomeUnknown: true, fault: 'http' });
  if (/^CERT_|^ERR_TLS_CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ALTNAME/.test(code))
    return failure('unavailable', `the partner's certificate is not valid (${code})`, { outcomeUnknown });
  if (!outcomeUnknown && /^ERR_(SSL|TLS)_|^EPROTO$/.test(code))
    return failure('unavailable', `no TLS connection with the partner (${code})`, { outcomeUnknown });
  return failure('unavailable', `no response from the partner (${code})`, { outcomeUnknown });
}

function codeOf(error: unknown): string {
  const { name, code, errors } = (error ?? {}) as { name?: unknown; code?: unknown; errors?: unknown };
  if (name === 'TimeoutError') return 'deadline';
  if (name === 'HTTPParserError') return 'HPE_INVALID';
  // Only codes by their format, because no text of a partner may get into a reason.
  if (typeof code === 'string') return /^[A-Z][A-Z0-9_]{0,59}$/.test(code) ? code : 'unknown';
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return typeof name === 'string' && /^[A-Za-z]{1,40}$/.test(name) ? name : 'unknown';
}

function findCause(error: unknown, is: (cause: unknown) => boolean): boolean {
  if (is(error)) return true;
  const { cause, errors } = (error ?? {}) as { cause?: unknown; errors?: unknown };
  if (Array.isArray(errors) && errors.some(is)) return true;
  return cause !== undefined && findCause(cause, is);
}
