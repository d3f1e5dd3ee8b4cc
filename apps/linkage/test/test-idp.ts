import { createHash, randomBytes } from 'node:crypto';
import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose';

/** An OpenID provider that logs in one configured user without a prompt. */
export class TestIdp {
  /** The user who logs in next. */
  user: { sub: string; name?: string } = { sub: 'user-1', name: 'Maria Gómez' };
  /** Makes the next ID token invalid. */
  spoil: { nonce?: string } = {};
  /** The queries with which browsers came to log out. */
  readonly logOuts: URLSearchParams[] = [];
  private readonly codes = new Map<string, { nonce: string; challenge: string; clientId: string }>();
  private keys: { privateKey: CryptoKey; publicKey: CryptoKey } | null = null;
  private readonly server: Server = createServer((request, response) => void this.handle(request, response));

  constructor(
    /** Path of the issuer's name; endpoints are below it. */
    private readonly path = '',
    /** Whether it has an address for logging out. */
    private readonly endsSessions = true,
  ) {}

  async start(): Promise<void> {
    this.keys = await generateKeyPair('ES256');
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get issuer(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}${this.path}`;
  }

  private get endpoints(): string {
    return this.issuer.replace(/\/$/, '');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.issuer);
    const path = url.pathname.slice(new URL(this.endpoints).pathname.replace(/\/$/, '').length);
    if (path === '/authorize') return this.authorize(url.searchParams, response);
    if (path === '/logout') return this.logOut(url.searchParams, response);
    const bodies: Record<string, () => Promise<unknown>> = {
      '/.well-known/openid-configuration': async () => this.metadata(),
      '/jwks': async () => ({ keys: [{ ...(await exportJWK(this.key().publicKey)), kid: 'k', alg: 'ES256' }] }),
      '/token': async () => this.token(await readForm(request)),
    };
    const body = await bodies[path]?.();
    response.writeHead(body === undefined ? 404 : body === null ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: 'invalid_grant' }));
  }

  private metadata(): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.endpoints}/authorize`,
      token_endpoint: `${this.endpoints}/token`,
      ...(this.endsSessions ? { end_session_endpoint: `${this.endpoints}/logout` } : {}),
      jwks_uri: `${this.endpoints}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  private authorize(query: URLSearchParams, response: ServerResponse): void {
    const code = randomBytes(8).toString('hex');
    const [nonce, challenge, clientId] = ['nonce', 'code_challenge', 'client_id'].map((name) => query.get(name) ?? '');
    this.codes.set(code, { nonce, challenge, clientId });
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    response.writeHead(302, { location: back.href }).end();
  }

  private logOut(query: URLSearchParams, response: ServerResponse): void {
    this.logOuts.push(query);
    response.writeHead(302, { location: query.get('post_logout_redirect_uri') ?? this.issuer }).end();
  }

  private async token(form: URLSearchParams): Promise<object | null> {
    const grant = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || proof !== grant.challenge) return null;
    const idToken = await new SignJWT({ nonce: grant.nonce, name: this.user.name, ...this.spoil })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer(this.issuer)
      .setAudience(grant.clientId)
      .setSubject(this.user.sub)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(this.key().privateKey);
    return { access_token: 'idp-access-token', token_type: 'Bearer', expires_in: 300, id_token: idToken };
  }

  private key(): { privateKey: CryptoKey; publicKey: CryptoKey } {
    if (!this.keys) throw new Error('the provider is not started');
    return this.keys;
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
