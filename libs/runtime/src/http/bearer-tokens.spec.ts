import { CodedError } from '@podium/messages';
import { TestIssuer } from '@podium/testing';
import { SignJWT, decodeProtectedHeader, generateKeyPair } from 'jose';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { BearerTokens } from './bearer-tokens';
import { IssuerKeys } from './issuer-keys';

const discovery = '/.well-known/openid-configuration';

describe('tokens of the identity provider', () => {
  let issuer: TestIssuer;
  let registry: Registry;
  let nowMs: number;

  /** Verifier dependencies with a new registry, which the spec reads. */
  const parts = () => ({
    issuerUrl: issuer.url,
    logger: pino({ level: 'silent' }),
    registry: (registry = new Registry()),
  });
  const tokens = (jwksUrl?: string): BearerTokens =>
    new BearerTokens({ ...parts(), jwksUrl, audience: TestIssuer.audience });
  const code = async (claims: Promise<unknown>): Promise<string> => {
    try {
      await claims;
    } catch (error) {
      if (error instanceof CodedError) return `${error.code} ${error.status}`;
      throw error;
    }
    return 'verified';
  };
  const verdict = async (by: BearerTokens, token: string | Promise<string>): Promise<string> =>
    code(by.claims(`Bearer ${await token}`));

  beforeEach(async () => {
    issuer = await TestIssuer.start();
    nowMs = 0;
  });

  afterEach(() => issuer.stop());

  it('are verified with the keys of the discovery document', async () => {
    const claims = await tokens().claims(`Bearer ${await issuer.token('user-1', { podium_roles: { '*': 'admin' } })}`);
    expect(claims).toMatchObject({ sub: 'user-1', podium_roles: { '*': 'admin' } });
    expect(issuer.asked).toEqual([discovery, issuer.keysPath]);
  });

  it('are verified with keys at a configured address, without discovery', async () => {
    expect(await verdict(tokens(issuer.url + issuer.keysPath), issuer.token('user-1'))).toBe('verified');
    expect(issuer.asked).toEqual([issuer.keysPath]);
  });

  it('are accepted from an issuer whose name ends with a slash', async () => {
    issuer.answer = (path, response) => {
      if (path !== discovery) return false;
      response.end(JSON.stringify({ issuer: `${issuer.url}/`, jwks_uri: issuer.url + issuer.keysPath }));
      return true;
    };
    const token = new SignJWT().setProtectedHeader({ alg: 'ES256', kid: 'key-1' }).setIssuer(`${issuer.url}/`);
    token.setAudience(TestIssuer.audience).setSubject('user-1').setExpirationTime('5m');
    expect(await verdict(tokens(), token.sign(issuer.keys[0].privateKey))).toBe('verified');
  });

  it.each<[string, (response: import('node:http').ServerResponse) => void]>([
    ['responds with status 500', (response) => response.writeHead(500).end('{}')],
    ['responds with status 404', (response) => response.writeHead(404).end('{}')],
    ['responds with HTML', (response) => response.end('<html>')],
    ['sends only headers', (response) => response.flushHeaders()],
    ['cuts the connection', (response) => response.destroy()],
    ['responds with an array', (response) => response.end('[]')],
    ['responds with an object of another shape', (response) => response.end('{"keys":{}}')],
    ['responds with no keys', (response) => response.end('{"keys":[]}')],
    ['responds with invalid keys', (response) => response.end('{"keys":[1]}')],
    ['redirects', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['sends an endless response', (response) => void response.write(Buffer.alloc(1024 * 1024, 32))],
  ])('cannot be verified while it %s: 503, never 401', async (_name, answer) => {
    for (const failingPath of [discovery, issuer.keysPath]) {
      issuer.answer = (path, response) => {
        if (path === failingPath) answer(response);
        return path === failingPath;
      };
      expect(await verdict(tokens(), issuer.token('user-1'))).toBe('unavailable 503');
      expect(await verdict(tokens(), 'made.up.token')).toBe('unauthorized 401');
    }
    expect(issuer.asked).not.toContain('/elsewhere');
  });

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['no keys', { jwks_uri: undefined }],
    ['keys in a file', { jwks_uri: 'file:///etc/passwd' }],
  ])('cannot be judged by a discovery document of %s', async (_name, change) => {
    issuer.answer = (path, response) => {
      if (path !== discovery) return false;
      response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: issuer.url + issuer.keysPath, ...change }));
      return true;
    };
    expect(await verdict(tokens(), issuer.token('user-1'))).toBe('unavailable 503');
  });

  it('cannot be verified while the provider is unavailable, and can be again when it is back', async () => {
    const token = await issuer.token('user-1');
    await issuer.stop();
    const by = tokens();
    expect(await verdict(by, token)).toBe('unavailable 503');
    expect(await registry.metrics()).toContain('identity_keys_failing 1');
    await issuer.open();
    const fresh = tokens();
    expect(await verdict(fresh, token)).toBe('verified');
  });

  it('are 401 when invalid', async () => {
    const by = tokens();
    const { privateKey } = await generateKeyPair('ES256');
    const base = () => new SignJWT().setIssuer(issuer.url).setAudience(TestIssuer.audience).setSubject('u');
    const good = { alg: 'ES256', kid: 'key-1' };
    const [{ privateKey: own }] = issuer.keys;
    const bad = await Promise.all([
      base().setProtectedHeader(good).setExpirationTime('5m').sign(privateKey),
      base()
        .setProtectedHeader({ ...good, kid: 'unknown' })
        .setExpirationTime('5m')
        .sign(privateKey),
      base().setProtectedHeader(good).setExpirationTime('-5m').sign(own),
      base().setProtectedHeader(good).sign(own),
      base().setProtectedHeader(good).setAudience('other').setExpirationTime('5m').sign(own),
      base().setProtectedHeader(good).setIssuer('https://evil.example').setExpirationTime('5m').sign(own),
      base().setProtectedHeader(good).setSubject('').setExpirationTime('5m').sign(own),
      base().setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).setExpirationTime('5m').sign(new Uint8Array(32)),
    ]);
    const none = `${Buffer.from('{"alg":"none","kid":"key-1"}').toString('base64url')}.${bad[0].split('.')[1]}.`;
    for (const token of [...bad, none, 'x', 'a.b.c']) expect(await verdict(by, token)).toBe('unauthorized 401');
    expect(await code(by.claims(undefined))).toBe('unauthorized 401');
    expect(await code(by.claims('Basic x'))).toBe('unauthorized 401');
  });

  it('cannot redirect key lookups by their header', async () => {
    const elsewhere = `${issuer.url}/attackers-keys`;
    const { privateKey } = await generateKeyPair('ES256');
    const header = { alg: 'ES256', kid: elsewhere, jku: elsewhere, x5u: elsewhere, jwk: issuer.keys[0].jwk };
    const token = new SignJWT().setProtectedHeader(header).setIssuer(issuer.url).setAudience(TestIssuer.audience);
    const signed = await token.setSubject('u').setExpirationTime('5m').sign(privateKey);
    expect(decodeProtectedHeader(signed).jku).toBe(elsewhere);
    expect(await verdict(tokens(), signed)).toBe('unauthorized 401');
    expect(issuer.asked.every((path) => path === discovery || path === issuer.keysPath)).toBe(true);
  });

  describe('over time', () => {
    const keys = () => new IssuerKeys(parts(), () => nowMs);
    const keyOf = (from: IssuerKeys, kid: string): Promise<unknown> =>
      (from.keyOf as (header: object, token: object) => Promise<unknown>)({ alg: 'ES256', kid }, {});
    const loads = (): number => issuer.asked.filter((path) => path === issuer.keysPath).length;
    const settled = async (count: number): Promise<void> => {
      while (loads() < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };

    it('are verified with cached keys, which concurrent callers load once', async () => {
      const from = keys();
      await Promise.all(Array.from({ length: 20 }, () => keyOf(from, 'key-1')));
      nowMs += 9 * 60_000;
      await keyOf(from, 'key-1');
      expect(loads()).toBe(1);
      nowMs += 2 * 60_000;
      await keyOf(from, 'key-1');
      await settled(2);
    });

    it('with a new key are accepted once the pause since the last load is over', async () => {
      const from = keys();
      await keyOf(from, 'key-1');
      await issuer.addKey();
      await expect(keyOf(from, 'key-2')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
      nowMs += 5_000;
      await keyOf(from, 'key-2');
      expect(loads()).toBe(2);
    });

    it('with made-up key ids do not flood the provider', async () => {
      const from = keys();
      await keyOf(from, 'key-1');
      nowMs += 5_000;
      const refused = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => keyOf(from, `made-up-${i}`)));
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']));
      expect(loads()).toBe(2);
    });

    it('are verified with cached keys for twelve hours while the provider is unavailable', async () => {
      const from = keys();
      await keyOf(from, 'key-1');
      await issuer.stop();
      nowMs += 11 * 60 * 60_000;
      await keyOf(from, 'key-1');
      nowMs += 60_000;
      await expect(keyOf(from, 'new-key')).rejects.toThrow('cannot be read');
      await expect(keyOf(from, 'new-key')).rejects.toThrow('cannot be read');
      await keyOf(from, 'key-1');
      nowMs += 60 * 60_000;
      await expect(keyOf(from, 'key-1')).rejects.toThrow('cannot be read');
      await issuer.open();
      nowMs += 5_000;
      await keyOf(from, 'key-1');
      expect(await registry.metrics()).toContain('identity_keys_failing 0');
    });

    it('are shown as readable again without another token, because each scrape tries them until they are', async () => {
      const from = keys();
      await issuer.stop();
      await expect(keyOf(from, 'key-1')).rejects.toThrow('cannot be read');
      expect(await registry.metrics()).toContain('identity_keys_failing 1');
      await issuer.open();
      nowMs += 5_000;
      expect(await registry.metrics()).toContain('identity_keys_failing 1');
      await settled(1);
      while (!(await registry.metrics()).includes('identity_keys_failing 0'))
        await new Promise((resolve) => setTimeout(resolve, 5));
      await registry.metrics();
      expect(loads()).toBe(1);
    });
  });
});
