import { Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { CryptoKey, JWK, JWTHeaderParameters, SignJWT, exportJWK, generateKeyPair } from 'jose';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** An identity provider for specs, with its discovery document and keys at its own path; it signs any claims. */
export class TestIssuer {
  static readonly audience = 'podium-api';
  readonly keysPath = '/published/keys.json';
  /** Requested paths. */
  readonly asked: string[] = [];
  /** Published keys; a new one signs at once. */
  readonly keys: SigningKey[] = [];
  /** Responds in place of the provider; returns whether it did. */
  answer: (path: string, response: ServerResponse) => boolean = () => false;
  private server: Server;
  private port = 0;

  static async start(): Promise<TestIssuer> {
    const issuer = new TestIssuer();
    await issuer.addKey();
    await issuer.open();
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts to sign with a new key. */
  async addKey(): Promise<void> {
    const kid = `key-${this.keys.length + 1}`;
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    this.keys.push({ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } });
  }

  /** A token for a subject, signed with the newest key. */
  token(
    subject: string,
    claims: Record<string, unknown> = {},
    header: Partial<JWTHeaderParameters> = {},
  ): Promise<string> {
    const { kid, privateKey } = this.keys[this.keys.length - 1];
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid, ...header })
      .setIssuer(this.url)
      .setAudience(TestIssuer.audience)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(privateKey);
  }

  /** Listens, at the same address as before. */
  async open(): Promise<void> {
    this.server = createServer((request, response) => {
      const path = request.url ?? '';
      this.asked.push(path);
      if (this.answer(path, response)) return;
      const body = this.bodyOf(path);
      response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Stops listening; `open` starts it again. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private bodyOf(path: string): object | null {
    if (path === '/.well-known/openid-configuration')
      return { issuer: this.url, jwks_uri: `${this.url}${this.keysPath}` };
    return path === this.keysPath ? { keys: this.keys.map(({ jwk }) => jwk) } : null;
  }
}
