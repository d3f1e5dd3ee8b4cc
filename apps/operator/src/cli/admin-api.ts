import { approverToken, gatewayAddress } from './server-addresses';

/** An error response, with its code of the error catalogue. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** A sentence on what the operator can do. */
    readonly remedy: string,
    /** The HTTP status; undefined without a whole response. */
    readonly status?: number,
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
  next_cursor: string | null;
}

/** A response with its body. */
interface WholeResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

const timeoutMs = 20_000;

const remedies: Readonly<Record<string, string>> = {
  invalid_request: 'correct the named field; --help shows what is expected.',
  unauthorized: "get a fresh operator's token and give it by PODIUM_TOKEN.",
  forbidden: 'ask an admin of the organizer for the role, or use a token that has it.',
  not_found: 'check the name or id; resources of organizers for which you have no role are not shown.',
  conflict: 'read the current state with show or list and decide again.',
  unprocessable: 'change what the message names and send it again.',
  rate_limited: 'wait a few seconds and try again.',
  unavailable: 'wait a few seconds and try again; if the problem persists, check the health of the services.',
  unreachable: 'check --url, and that the gateway runs (npm start).',
};

/** Calls the operators' API below /admin/v1. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** The JSON of a successful response; throws `ApiError`. */
  async call(method: 'GET' | 'POST' | 'PATCH', pathAndQuery: string, body?: unknown): Promise<Record<string, unknown>> {
    const { ok, status, text } = await this.fetch(method, pathAndQuery, body);
    const answer = jsonOf(text);
    if (ok && answer) return answer;
    const { code, message } = (answer?.error ?? {}) as { code?: unknown; message?: unknown };
    throw new ApiError(
      typeof code === 'string' ? code : `http_${status}`,
      typeof message === 'string' ? message : `the response does not come from Podium (status ${status})`,
      remedies[String(code)] ?? 'try again later; if the problem persists, report it with the time and this code.',
      status,
    );
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
      const page: Page = (await this.call('GET', `${listPath}?${parameters}`)) as unknown as Page;
      items.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null && items.length < max);
    if (cursor !== null) onMore?.();
    return items;
  }

  private async fetch(method: string, pathAndQuery: string, body: unknown): Promise<WholeResponse> {
    try {
      const response = await fetch(`${this.url}/admin/v1${pathAndQuery}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
      // The connection may also break within the body.
      return { ok: response.ok, status: response.status, text: await response.text() };
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name;
      throw new ApiError('unreachable', `${this.url} does not answer (${cause})`, remedies.unreachable);
    }
  }
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
  return new Api(gatewayAddress(options, env).url, approverToken(options, env));
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
