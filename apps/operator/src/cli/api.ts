import { parseUrl } from '@podium/runtime/url';
import { readLocalStack } from './local-stack';
import { UsageError } from './usage-error';

/** An answer that is no success, with its code of the error catalogue. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** A sentence on what the operator can do. */
    readonly remedy: string,
  ) {
    super(message);
  }
}

/** A page as every list answers it. */
interface Page {
  items: Record<string, unknown>[];
  next_cursor: string | null;
}

const timeoutMs = 20_000;

const remedies: Readonly<Record<string, string>> = {
  invalid_request: 'correct the named field; --help shows what is expected.',
  unauthorized: "get a fresh operator's token and give it by --token or PODIUM_TOKEN.",
  forbidden: 'ask an admin of the organizer for the role, or use a token that has it.',
  not_found: 'check the name or id; things of organizers you have no role for are not shown.',
  conflict: 'read the present state with show or list and decide again.',
  unprocessable: 'change what the message names and send it again.',
  rate_limited: 'wait a few seconds and try again.',
  unavailable: 'wait a few seconds and try again; look at the health of the services if it stays.',
  unreachable: 'check --url, and that the service runs (npm start).',
};

/** Calls the operators' API below /admin/v1. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** The JSON of a successful answer; throws `ApiError`. */
  async call(method: 'GET' | 'POST' | 'PATCH', pathAndQuery: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await this.fetch(method, pathAndQuery, body);
    const text = await response.text();
    const answer = jsonOf(text);
    if (response.ok && answer) return answer;
    const { code, message } = (answer?.error ?? {}) as { code?: unknown; message?: unknown };
    throw new ApiError(
      typeof code === 'string' ? code : `http_${response.status}`,
      typeof message === 'string' ? message : `the answer is not one of Podium's (status ${response.status})`,
      remedies[String(code)] ?? 'try again later; name the time and this code when you report it.',
    );
  }

  /** Items of a list, page by page, at most `max`. */
  async list(
    listPath: string,
    query: Readonly<Record<string, string | undefined>>,
    max: number,
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
    return items;
  }

  private async fetch(method: string, pathAndQuery: string, body: unknown): Promise<Response> {
    try {
      return await fetch(`${this.url}/admin/v1${pathAndQuery}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name;
      throw new ApiError('unreachable', `${this.url} does not answer (${cause})`, remedies.unreachable);
    }
  }
}

/** The API by option, environment, or the running local stack; throws `UsageError` when none says it. */
export function connect(options: { url?: string; token?: string }, env: NodeJS.ProcessEnv): Api {
  const stack = localStack(env);
  const url = options.url ?? env.PODIUM_URL ?? stack?.gateway_url;
  // A token of the local stack is not sent to another address.
  const token = options.token ?? env.PODIUM_TOKEN ?? (url === stack?.gateway_url ? stack?.operator_token : undefined);
  if (!url) throw new UsageError('No address: give --url or PODIUM_URL, or start the local stack with npm start.');
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
    throw new UsageError(`${url} is no address: it must begin with https:// or http://.`);
  if (!token) throw new UsageError("No token: give an operator's by --token or PODIUM_TOKEN.");
  return new Api(url.replace(/\/+$/, ''), token);
}

/** What the running local stack says of itself. */
export function localStack(env: NodeJS.ProcessEnv): {
  gateway_url?: string;
  operator_token?: string;
  services?: Record<string, { health_url: string }>;
} | null {
  return readLocalStack('stack.json', env) as ReturnType<typeof localStack>;
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
