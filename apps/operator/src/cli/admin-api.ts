import { setTimeout as sleep } from 'node:timers/promises';
import { isUnknown, redirected, remedyOf, unknownOutcome, unreachable } from './api-remedies';
import { approverToken, gatewayAddress, ownApproverToken } from './server-addresses';

/** An error response, with its code of the error catalogue. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** A sentence on what the operator can do. */
    readonly remedy: string,
    /** The HTTP status; undefined without a whole response. */
    readonly status?: number,
    /** How long to wait before the same request, where the response says so. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later: the API, or a proxy in front of it, is unavailable, overloaded or limits the rate. */
  get isTemporary(): boolean {
    return this.code === 'unreachable' || this.status === 429 || (this.status ?? 0) >= 500;
  }
}

/** A page of a list. */
interface Page {
  items: Record<string, unknown>[];
  /** Missing in a list that has one page. */
  next_cursor?: string | null;
}

/** A response with its body. */
interface WholeResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
  /** Where a redirect leads, which is not followed: the token is for the given address alone. */
  readonly location?: string;
  readonly retryAfterMs?: number;
}

/** A line of an export as it was sent, and what it has. */
interface ExportLine {
  readonly text: string;
  readonly value: { readonly cursor: string } & Readonly<Record<string, unknown>>;
}

const timeoutMs = 20_000;

/** An export sends something at least as often, also while it finds nothing. */
const exportSilenceMs = 60_000;

/** Failures of a connection before it can carry a request; the last one is that of a port which fetch refuses. */
const notSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'bad port']);

/** Calls the operators' API below /admin/v1. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly token: string,
    /** The variable that gives the token. */
    private readonly tokenVariable = 'PODIUM_TOKEN',
  ) {}

  /** The JSON of a successful response; throws `ApiError`. */
  async call(method: 'GET' | 'POST' | 'PATCH', pathAndQuery: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await this.fetch(method, pathAndQuery, body);
    const answer = jsonOf(response.text);
    if (response.ok && answer) return answer;
    throw this.errorOf(method, response);
  }

  /**
   * As a GET of `call`, repeated while the API is temporarily unavailable: for a command that waits for work which goes on without
   * it. Throws `ApiError` when the API has not answered for that long.
   */
  async poll(pathAndQuery: string, patienceMs = 60_000): Promise<Record<string, unknown>> {
    for (const endMs = performance.now() + patienceMs; ; await sleep(1_000))
      try {
        return await this.call('GET', pathAndQuery);
      } catch (error) {
        const isOver = performance.now() >= endMs;
        if (isOver || !(error instanceof ApiError && error.isTemporary)) throw error;
      }
  }

  /** The items of a list that has one page. */
  async items(path: string): Promise<Record<string, unknown>[]> {
    return (await this.page(path)).items;
  }

  /** Items of a list, page by page, at most `max`; `onMore` is called when there are more. */
  async list(
    listPath: string,
    query: Readonly<Record<string, string | undefined>>,
    max: number,
    onMore?: () => void,
  ): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let cursor: string | null = null;
    do {
      const parameters = new URLSearchParams({ limit: String(Math.min(100, max - items.length)) });
      for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
      if (cursor !== null) parameters.set('cursor', cursor);
      const page: Page = await this.page(`${listPath}?${parameters}`);
      items.push(...page.items);
      cursor = page.next_cursor ?? null;
    } while (cursor !== null && items.length < max);
    if (cursor !== null) onMore?.();
    return items;
  }

  /**
   * The lines of an export as they arrive, without empty ones. Throws `ApiError`, also when the response is cut off, after its last whole
   * line, or does not come from Podium.
   */
  async *lines(pathAndQuery: string): AsyncGenerator<ExportLine> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), exportSilenceMs);
    try {
      const response = await this.request('GET', pathAndQuery, undefined, silence.signal);
      if (!response.ok || response.body === null) throw this.errorOf('GET', await wholeOf(response));
      let rest = '';
      let isEmpty = true;
      for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
        timer.refresh();
        isEmpty = false;
        const lines = (rest + part).split('\n');
        rest = lines.pop()!;
        for (const text of lines) if (text !== '') yield this.exportLineOf(text, response);
      }
      // A proxy may end a response that was cut off before it.
      if (rest.startsWith('{')) throw new ApiError('unreachable', `${this.url} ended within a line`, unreachable);
      // An export without items has an empty line.
      if (rest !== '' || isEmpty) throw this.foreign(response);
    } catch (error) {
      throw error instanceof ApiError ? error : this.unreachable('GET', error);
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  private exportLineOf(text: string, response: Response): ExportLine {
    const value = jsonOf(text);
    if (typeof value?.cursor !== 'string') throw this.foreign(response);
    return { text, value: { ...value, cursor: value.cursor } };
  }

  /** Another server may answer with JSON too, where the address is wrong. */
  private async page(pathAndQuery: string): Promise<Page> {
    const response = await this.fetch('GET', pathAndQuery, undefined);
    const answer = jsonOf(response.text);
    if (response.ok && Array.isArray(answer?.items)) return answer as unknown as Page;
    throw this.errorOf('GET', response);
  }

  private async fetch(method: string, pathAndQuery: string, body: unknown): Promise<WholeResponse> {
    try {
      // The connection may also break within the body.
      return await wholeOf(await this.request(method, pathAndQuery, body, AbortSignal.timeout(timeoutMs)));
    } catch (error) {
      throw this.unreachable(method, error);
    }
  }

  private request(method: string, pathAndQuery: string, body: unknown, signal: AbortSignal): Promise<Response> {
    return fetch(`${this.url}/admin/v1${pathAndQuery}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      redirect: 'manual',
    });
  }

  private errorOf(method: string, { status, text, location, retryAfterMs }: WholeResponse): ApiError {
    if (location !== undefined)
      return new ApiError(`http_${status}`, `${this.url} redirects to ${location}`, redirected, status);
    const { code, message } = (jsonOf(text)?.error ?? {}) as { code?: unknown; message?: unknown };
    return new ApiError(
      typeof code === 'string' ? code : `http_${status}`,
      typeof message === 'string' ? message : `the response does not come from Podium (status ${status})`,
      (isUnknown(method, status, code) ? unknownOutcome : '') + remedyOf(status, code, this.tokenVariable),
      status,
      retryAfterMs,
    );
  }

  /** A proxy may answer with a page of its own, and a status of success. */
  private foreign({ ok, status }: Response): ApiError {
    return this.errorOf('GET', { ok, status, text: '' });
  }

  private unreachable(method: string, error: unknown): ApiError {
    const { cause: inner, name } = error as Error & { cause?: { code?: string; message?: string } };
    const cause = inner?.code ?? inner?.message ?? name;
    const outcome = method === 'GET' || notSent.has(cause) ? '' : unknownOutcome;
    return new ApiError('unreachable', `${this.url} does not answer (${cause})`, outcome + unreachable);
  }
}

async function wholeOf(response: Response): Promise<WholeResponse> {
  const seconds = response.headers.get('retry-after') ?? '';
  const whole = {
    ...{ ok: response.ok, status: response.status, text: await response.text() },
    retryAfterMs: /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined,
  };
  const isRedirect = whole.status >= 300 && whole.status < 400;
  return isRedirect ? { ...whole, location: response.headers.get('location') ?? 'nowhere' } : whole;
}

/** The API at the given or default address; throws `UsageError` when there is none. */
export function connect(options: { url?: string; token?: string }, env: NodeJS.ProcessEnv): Api {
  const { url, token } = gatewayAddress(options, env);
  return new Api(url, token);
}

/** As `connect`, as the operator who approves what another one wrote. */
export function connectApprover(
  options: { url?: string; token?: string; approverToken?: string },
  env: NodeJS.ProcessEnv,
): Api {
  const variable = ownApproverToken(options, env) === undefined ? 'PODIUM_TOKEN' : 'PODIUM_APPROVER_TOKEN';
  return new Api(gatewayAddress(options, env).url, approverToken(options, env), variable);
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
