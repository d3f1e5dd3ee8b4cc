import { createHash, randomBytes } from 'node:crypto';
import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo, Socket } from 'node:net';

/** A user account at the partner. */
export interface PartnerAccount {
  sub: unknown;
  nickname?: unknown;
}

/** The response of an endpoint in place of its normal one; a function writes to the socket itself. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; body: unknown }
  | ((response: ServerResponse, socket: Socket) => void);

/** A request that the partner received. */
export interface SeenRequest {
  path: string;
  method: string;
  authorization: string;
  contentType: string;
  acceptEncoding: string;
  form: URLSearchParams;
}

type JsonAnswer = Extract<Answer, { body: unknown }>;

interface Grant {
  account: PartnerAccount;
  accessToken: string;
  refreshToken: string;
  usedRefreshTokens: Set<string>;
  /** The last refresh, which a partner with grace repeats. */
  last: { token: string; answer: JsonAnswer } | null;
  dead: boolean;
}

/** How the answer to a refresh is lost after it has taken effect. */
export type Loss = 'reset' | 'cut off' | 'never';

/** Called at steps of a refresh; the request waits for the returned promise, and `drop` leaves it without effect. */
export interface RefreshSteps {
  /** Before the partner looks at the token. */
  received?: () => Promise<'drop' | void>;
  /** After the token was used, before the answer. */
  rotated?: () => Promise<void>;
}

/**
 * A partner that follows the specification literally: a token response has only `access_token` and `refresh_token`.
 * Refresh tokens rotate, and using one twice ends its grant.
 */
export class LiteralPartner {
  readonly clientId = 'podium-at-partner';
  clientSecret = 'canary-partner-secret';
  rotates = true;
  /** The user logged in at the authorization page, unless its URL has the parameter `login`. */
  browserSub = 'browser-user';
  /** Redirect URLs that its client has registered (specification, Authorization page, rule 2); null checks nothing. */
  registeredRedirects: readonly string[] | null = null;
  /** Whether redirects name the issuer (RFC 9207). */
  sendsIssuer = false;
  /** Whether the token that was used last may be used again and gets the same answer, as some partners allow for a while. */
  hasGrace = false;
  /** Whether a revocation ends all grants of the account, as at servers that keep one per account and client. */
  endsAllGrants = false;
  /** How the next answers to refreshes are lost. */
  readonly losses: Loss[] = [];
  steps: RefreshSteps = {};
  /** Delay before each token response, ms, so that races can occur. */
  delayMs = 0;
  readonly seen: SeenRequest[] = [];
  /** All codes that it has issued. */
  readonly issuedCodes: string[] = [];
  tokenAnswer: Answer | null = null;
  /** Refresh tokens that always get this response. */
  readonly refreshAnswers = new Map<string, JsonAnswer>();
  userInfoAnswer: Answer | null = null;
  revokeAnswer: JsonAnswer | null = null;
  /** Before each answer to a revocation, which waits for it. */
  revokeStep: (() => Promise<void>) | null = null;
  private readonly codes = new Map<string, { account: PartnerAccount; challenge: string | null }>();
  private readonly grants: Grant[] = [];
  private readonly server: Server = createServer((request, response) => void this.handle(request, response));

  /** Starts on a free port of 127.0.0.1. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** `host:port` for the allow list. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `http://${this.host}`;
  }

  /** Issues a code, as the authorization page does after the log-in. */
  issueCode(account: PartnerAccount, challenge: string | null = null): string {
    const code = `code-${randomBytes(8).toString('hex')}`;
    this.codes.set(code, { account, challenge });
    this.issuedCodes.push(code);
    return code;
  }

  /** Makes all access tokens of a user expire. */
  expireAccessTokens(sub: string): void {
    for (const grant of this.grants) if (grant.account.sub === sub) grant.accessToken = `expired-${grant.accessToken}`;
  }

  /** Ends a user's grant, as when they disconnect at the partner. */
  revoke(sub: string): void {
    for (const grant of this.grants) if (grant.account.sub === sub) grant.dead = true;
  }

  isAlive(sub: string): boolean {
    return this.grants.some((grant) => grant.account.sub === sub && !grant.dead);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const path = request.url ?? '';
    this.seen.push({
      path,
      method: request.method ?? '',
      authorization: request.headers.authorization ?? '',
      contentType: request.headers['content-type'] ?? '',
      acceptEncoding: String(request.headers['accept-encoding'] ?? ''),
      form,
    });
    if (path.startsWith('/authorize')) return this.authorize(new URL(path, this.baseUrl), response);
    if (path === '/oauth2/revoke') {
      await this.revokeStep?.();
      const { status, body: text } = this.revokeAnswer ?? this.revokeToken(form.get('token') ?? '');
      return void response.writeHead(status ?? 200).end(typeof text === 'string' ? text : JSON.stringify(text));
    }
    const isToken = path === '/oauth2/token';
    if (isToken && this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    const isRefresh = isToken && form.get('grant_type') === 'refresh_token';
    if (isRefresh && (await this.steps.received?.()) === 'drop') return;
    const ofToken = isRefresh ? this.refreshAnswers.get(form.get('refresh_token') ?? '') : undefined;
    const special = ofToken ?? (isToken ? this.tokenAnswer : this.userInfoAnswer);
    if (typeof special === 'function') return special(response, request.socket);
    const answer = special ?? (isToken ? this.token(request, form) : this.userInfo(request));
    const body =
      typeof answer.body === 'string' || Buffer.isBuffer(answer.body) ? answer.body : JSON.stringify(answer.body);
    if (isRefresh) await this.steps.rotated?.();
    const loss = isRefresh ? this.losses.shift() : undefined;
    if (loss === 'never') return;
    if (loss === 'reset') return void request.socket.destroy();
    const sent = loss === 'cut off' ? body.slice(0, -8) : body;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(sent);
  }

  /** Logs in the test user without a prompt; the parameter `login` of the URL is their sub. */
  private authorize(url: URL, response: ServerResponse): void {
    const query = url.searchParams;
    const target = new URL(query.get('redirect_uri') ?? '');
    const isRegistered = this.registeredRedirects?.includes(target.href) ?? true;
    if (!isRegistered) return void response.writeHead(400).end('redirect_uri is not registered');
    const sub = url.searchParams.get('login') ?? this.browserSub;
    target.searchParams.set('code', this.issueCode({ sub, nickname: `Nick ${sub}` }, query.get('code_challenge')));
    target.searchParams.set('state', query.get('state') ?? '');
    if (this.sendsIssuer) target.searchParams.set('iss', this.baseUrl);
    response.writeHead(302, { location: target.href }).end();
  }

  /** RFC 7009: a refresh token ends the grant, and so does an access token here. */
  private revokeToken(token: string): JsonAnswer {
    const revoked = this.grants.find((grant) => [grant.accessToken, grant.refreshToken].includes(token));
    if (revoked) revoked.dead = true;
    if (revoked && this.endsAllGrants) this.revoke(String(revoked.account.sub));
    return { body: '' };
  }

  private token(request: IncomingMessage, form: URLSearchParams): JsonAnswer {
    const basic = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
    if (request.headers.authorization !== `Basic ${basic}`) return { status: 401, body: { error: 'invalid_client' } };
    if (form.get('grant_type') === 'authorization_code') return this.exchange(form);
    return this.refresh(form.get('refresh_token') ?? '');
  }

  private exchange(form: URLSearchParams): JsonAnswer {
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const proven = !code?.challenge || createHash('sha256').update(verifier).digest('base64url') === code.challenge;
    if (!code || !proven) return { status: 400, body: { error: 'invalid_grant' } };
    const grant: Grant = {
      account: code.account,
      ...newTokens(),
      usedRefreshTokens: new Set<string>(),
      last: null,
      dead: false,
    };
    this.grants.push(grant);
    return { body: { access_token: grant.accessToken, refresh_token: grant.refreshToken } };
  }

  private refresh(refreshToken: string): JsonAnswer {
    const repeated = this.grants.find(({ last, dead }) => last?.token === refreshToken && !dead)?.last;
    if (repeated && this.hasGrace) return repeated.answer;
    const reused = this.grants.find((grant) => grant.usedRefreshTokens.has(refreshToken));
    if (reused) reused.dead = true;
    const grant = this.grants.find((candidate) => candidate.refreshToken === refreshToken && !candidate.dead);
    if (!grant) return { status: 400, body: { error: 'invalid_grant' } };
    const fresh = newTokens();
    grant.accessToken = fresh.accessToken;
    if (!this.rotates) return { body: { access_token: grant.accessToken } };
    grant.usedRefreshTokens.add(refreshToken);
    grant.refreshToken = fresh.refreshToken;
    grant.last = {
      token: refreshToken,
      answer: { body: { access_token: grant.accessToken, refresh_token: grant.refreshToken } },
    };
    return grant.last.answer;
  }

  private userInfo(request: IncomingMessage): JsonAnswer {
    const grant = this.grants.find(
      (candidate) => `Bearer ${candidate.accessToken}` === request.headers.authorization && !candidate.dead,
    );
    return grant ? { body: grant.account } : { status: 401, body: { error: 'invalid_token' } };
  }
}

function newTokens(): { accessToken: string; refreshToken: string } {
  return {
    accessToken: `at-${randomBytes(12).toString('hex')}`,
    refreshToken: `rt-${randomBytes(12).toString('hex')}`,
  };
}
