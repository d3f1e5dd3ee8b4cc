import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { JWK, KoaContextWithOIDC } from 'oidc-provider';
import { LoopbackServer } from '../http/loopback-server';
import { ProviderStore } from './provider-store';
import { StrictClient, createStrictPartner, logInResult, registerStrictClient } from './strict-partner';

/** How the answer to a refresh is lost after the token was rotated. */
export type AnswerLoss = 'reset' | 'cut' | 'never';

/** What the partner itself knows of a grant. */
export interface GrantLog {
  /** How often a refresh token of it was exchanged for another one. */
  rotations: number;
  /** Whether it was ended because a refresh token was sent again. */
  isRevoked: boolean;
}

/** A strict partner on a free port of this machine, for specs, with its own log of grants. */
export class StrictPartnerServer {
  /** By account: each account logs in once, unless it keeps its grant. */
  readonly grants = new Map<string, GrantLog>();
  /** Decides for each refresh that succeeded whether its answer is lost. */
  loseAnswer: () => AnswerLoss | null = () => null;
  private readonly store = new ProviderStore({}, () => undefined);
  /** Whether an account keeps its grant with a client over log-ins, as while the provider remembers its session. */
  keepsGrants = false;
  private readonly grantIds = new Map<string, string>();
  private readonly accounts = new Map<string, string>();
  private provider: Provider;
  private readonly server = new LoopbackServer((request, response) => void this.handle(request, response));

  async start(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    await this.server.start();
    this.provider = createStrictPartner({
      ...{ issuerUrl: this.baseUrl, adapter: this.store.adapter, accessTokenLifetimeS: 3600 },
      cookieKey: randomBytes(16).toString('hex'),
      jwk: { ...(await exportJWK(privateKey)), kid: 'strict', alg: 'RS256', use: 'sig' } as JWK,
      interactionUrl: (uid) => `/log-in/${uid}`,
    });
    this.provider.on('grant.success', (context) => this.noteRotation(context));
    this.provider.on('grant.revoked', (_context, grantId) => {
      const log = this.grants.get(this.accounts.get(grantId) ?? '');
      if (log) log.isRevoked = true;
    });
    this.provider.use(async (context, next) => {
      await next();
      // The provider has put its own context there meanwhile.
      const answered = context as unknown as KoaContextWithOIDC;
      if (isRefresh(answered) && context.status === 200) this.maybeLose(answered);
    });
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  get host(): string {
    return this.server.host;
  }

  get baseUrl(): string {
    return `http://${this.host}`;
  }

  register(client: StrictClient): Promise<void> {
    return registerStrictClient(this.store.adapter, client);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith('/log-in/')) return this.provider.callback()(request, response);
    if (request.method === 'GET') return void response.end('<form method="post"><input name="login"></form>');
    const { params } = await this.provider.interactionDetails(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const account = new URLSearchParams(Buffer.concat(chunks).toString()).get('login') ?? '';
    const key = `${String(params.client_id)} ${account}`;
    const former = this.keepsGrants ? this.grantIds.get(key) : undefined;
    const result = await logInResult(this.provider, String(params.client_id), account, former);
    if (result.consent?.grantId) this.grantIds.set(key, result.consent.grantId);
    await this.provider.interactionFinished(request, response, result);
  }

  private noteRotation({ oidc }: KoaContextWithOIDC): void {
    const { Grant: grant, Account: account } = oidc.entities;
    if (!grant || !account) return;
    const log = this.grants.get(account.accountId) ?? { rotations: 0, isRevoked: false };
    if (oidc.params?.grant_type === 'refresh_token') log.rotations++;
    this.grants.set(account.accountId, log);
    this.accounts.set(grant.jti, account.accountId);
  }

  private maybeLose(context: KoaContextWithOIDC): void {
    const loss = this.loseAnswer();
    if (loss === null) return;
    // The provider leaves the answer to this server.
    context.respond = false;
    if (loss === 'reset') context.req.socket.resetAndDestroy();
    if (loss !== 'cut') return;
    const body = JSON.stringify(context.body);
    context.res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    context.res.write(body.slice(0, -20), () => context.req.socket.destroy());
  }
}

function isRefresh({ oidc }: KoaContextWithOIDC): boolean {
  return oidc?.params?.grant_type === 'refresh_token';
}
