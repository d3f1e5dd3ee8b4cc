import { CheckAnswer, CheckReport, CheckRequest, LogIn, LogInReturn, runCheck } from '../src';

/** An answer in short: status, JSON fields, headers. */
export interface ShortAnswer {
  readonly status: number;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request of the token endpoint as the server sees it. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  /** Whether the client secret is right. */
  readonly isClient: boolean;
  /** Number of the log-in that the code is of; 0 for an unknown code, and for a refresh. */
  readonly logIn: number;
}

/** What a server in memory does otherwise than a right one. Undefined means: as a right one. */
export interface ServerChanges {
  readonly token?: (request: TokenRequest) => ShortAnswer | undefined;
  /** Of the user info with the token of a log-in, from 1; 0 for another token or none. */
  readonly userInfo?: (logIn: number) => ShortAnswer | undefined;
  /** The query of a log-in's redirect; the state of the request is added, unless it has one. */
  readonly redirect?: (logIn: number) => string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Where alone the metadata are; everywhere when left out. */
  readonly metadataPath?: string;
  /** Its base URL; `scriptedBaseUrl` when left out. */
  readonly baseUrl?: string;
  readonly isAccountInUse?: (sub: string) => boolean;
  readonly authorizationUrl?: string;
  /** The authorization page, before a log-in, by the parameters of the request. */
  readonly page?: (query: URLSearchParams) => ShortAnswer | undefined;
  /** By the check's clock; 0 when left out. */
  readonly takesMs?: (request: CheckRequest) => number;
  /** How long the service waits for it, if that is agreed. */
  readonly timeoutMs?: number;
}

/** The answer of a right server to anything that it refuses. */
export const invalidGrant: ShortAnswer = { status: 400, fields: { error: 'invalid_grant' } };
/** The base URL of the server in memory. */
export const scriptedBaseUrl = 'https://shop.example';

/** Checks a server in memory, of which each log-in gives the code `code-<number>` and tokens with that number. */
export async function checkScripted(changes: ServerChanges): Promise<{ report: CheckReport; sent: CheckRequest[] }> {
  const sent: CheckRequest[] = [];
  const { baseUrl = scriptedBaseUrl, timeoutMs } = changes;
  let nowMs = Date.now();
  const report = await runCheck(
    {
      authorizationUrl: changes.authorizationUrl ?? `${baseUrl}/authorize`,
      ...{ baseUrl, clientId: 'podium', clientSecret: 'right-secret' },
      ...{ redirectUri: 'https://podium.example/callback', scope: null, timeoutMs },
    },
    {
      transport: {
        send: async (request) => {
          sent.push(request);
          nowMs += changes.takesMs?.(request) ?? 0;
          return full(answerOf(changes, request));
        },
      },
      browser: { logIn: async (logIn) => redirectOf(changes, logIn) },
      nowMs: () => nowMs,
      isAccountInUse: async (sub) => changes.isAccountInUse?.(sub) ?? false,
    },
  );
  return { report, sent };
}

function redirectOf({ redirect }: ServerChanges, { number, state }: LogIn): LogInReturn {
  const query = redirect?.(number) ?? `code=code-${number}`;
  return { returned: true, query: /\bstate=/.test(query) ? query : `${query}&state=${state}` };
}

function answerOf(changes: ServerChanges, { url, headers, body }: CheckRequest): ShortAnswer {
  const { pathname, searchParams } = new URL(url);
  if (pathname.includes('/.well-known/')) {
    const isThere = changes.metadata && (changes.metadataPath ?? pathname) === pathname;
    return isThere ? { status: 200, fields: changes.metadata } : { status: 404 };
  }
  const path = url.slice((changes.baseUrl ?? scriptedBaseUrl).length).replace(/\?.*/, '');
  if (path === '/authorize') return changes.page?.(searchParams) ?? { status: 200 };
  if (path === '/oauth2/userinfo') {
    const logIn = Number(/^Bearer access-(\d+)/.exec(headers.authorization ?? '')?.[1] ?? 0);
    const right: ShortAnswer =
      logIn === 0
        ? { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }
        : { status: 200, fields: { sub: 'user-of-all', nickname: 'ada' } };
    return changes.userInfo?.(logIn) ?? right;
  }
  const form = new URLSearchParams(body);
  const isClient = Buffer.from((headers.authorization ?? '').slice(6), 'base64')
    .toString()
    .endsWith(':right-secret');
  const logIn = Number(/^code-(\d+)$/.exec(form.get('code') ?? '')?.[1] ?? 0);
  return changes.token?.({ form, isClient, logIn }) ?? rightAnswer({ form, isClient, logIn });
}

/** Codes may be exchanged repeatedly; refresh tokens are numbered as their log-in and do not rotate. */
function rightAnswer({ form, isClient, logIn }: TokenRequest): ShortAnswer {
  if (!isClient) return { status: 401, fields: { error: 'invalid_client' } };
  const of = logIn || Number(/^refresh-(\d+)$/.exec(form.get('refresh_token') ?? '')?.[1] ?? 0);
  return of === 0 ? invalidGrant : tokensOf(of);
}

/** Tokens of a log-in, without a refresh token if it is not wanted. */
export function tokensOf(logIn: number, hasRefreshToken = true): ShortAnswer {
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    fields: {
      ...{ access_token: `access-${logIn}-token`, token_type: 'Bearer', expires_in: 3600 },
      ...(hasRefreshToken ? { refresh_token: `refresh-${logIn}` } : {}),
    },
  };
}

function full({ status, fields, headers = {} }: ShortAnswer): CheckAnswer {
  const body = fields === undefined ? '' : JSON.stringify(fields);
  return { ok: true, status, headers: new Map(Object.entries(headers)), body: Buffer.from(body) };
}
