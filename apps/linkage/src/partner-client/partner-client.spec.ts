import * as net from 'node:net';
import { gzipSync } from 'node:zlib';
import { CertificateAuthority, startListener } from '@podium/simulated-partner';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Answer, LiteralPartner } from '../../test/literal-partner';
import { Deadline } from './deadline';
import { PartnerClient } from './partner-client';
import { PartnerHttp } from './partner-http';
import { PartnerConnection, PartnerProfile } from './partner-profile';

const profile: PartnerProfile = {
  scope: null,
  clientAuth: 'basic_raw',
  clientIdInBody: false,
  pkce: true,
  accessTokenLifetimeS: 3600,
  revocationPath: null,
  redirectBase: null,
  issuer: null,
  timeoutMs: 700,
};
const logged: string[] = [];
const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });

let partner: LiteralPartner;
let client: PartnerClient;
let platforms = 0;

/** Each call returns its own platform, so that no open circuit breaker affects another case. */
function connection(
  change: Partial<PartnerConnection> = {},
  profileChange: Partial<PartnerProfile> = {},
): PartnerConnection {
  return {
    platform: `partner-${platforms++}`,
    baseUrl: partner.baseUrl,
    clientId: partner.clientId,
    clientSecret: partner.clientSecret,
    previousClientSecret: null,
    secretNames: { current: 'name-of-current', previous: 'name-of-previous' },
    profile: { ...profile, ...profileChange },
    ...change,
  };
}

/** Each case has its own partner, because an abandoned request may still arrive during the next case. */
beforeEach(async () => {
  partner = new LiteralPartner();
  await partner.start();
  client = new PartnerClient(new PartnerHttp(new Set([partner.host, '127.0.0.1:1'])), logger, new Registry());
  logged.length = 0;
});

afterEach(async () => {
  await client.stop();
  await partner.stop();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const exchange = (to = connection()) =>
  client.exchangeCode(to, { code: 'code-canary-1', redirectUri: 'https://podium.example/cb', codeVerifier: null });

const ok = (accessToken: string, refreshToken: string | null, expiresInS: number | null) => ({
  ok: true,
  value: { accessToken, refreshToken, expiresInS },
});
const tokens = { access_token: 'at', refresh_token: 'rt' };
const malformed = { ok: false, kind: 'malformed' };

describe('token responses', () => {
  const cases: [string, Answer, object][] = [
    ['as specified, without token_type', { body: tokens }, ok('at', 'rt', null)],
    ['token_type bearer in another case', { body: { ...tokens, token_type: 'BEARER' } }, ok('at', 'rt', null)],
    ['odd token_type', { body: { ...tokens, token_type: 'mac' } }, malformed],
    ['token_type a number', { body: { ...tokens, token_type: 1 } }, malformed],
    ['expires_in a number', { body: { ...tokens, expires_in: 60 } }, ok('at', 'rt', 60)],
    ['expires_in as digits', { body: { ...tokens, expires_in: '60' } }, ok('at', 'rt', 60)],
    ['expires_in other text', { body: { ...tokens, expires_in: 'soon' } }, ok('at', 'rt', null)],
    ['expires_in null', { body: { ...tokens, expires_in: null } }, ok('at', 'rt', null)],
    ['expires_in negative', { body: { ...tokens, expires_in: -5 } }, ok('at', 'rt', null)],
    ['expires_in zero', { body: { ...tokens, expires_in: 0 } }, ok('at', 'rt', null)],
    ['expires_in a float', { body: { ...tokens, expires_in: 3.5 } }, ok('at', 'rt', null)],
    ['expires_in 1e15', { body: { ...tokens, expires_in: 1e15 } }, ok('at', 'rt', null)],
    ['access_token empty', { body: { ...tokens, access_token: '' } }, malformed],
    ['access_token blank', { body: { ...tokens, access_token: '  ' } }, malformed],
    ['access_token a number', { body: { ...tokens, access_token: 7 } }, malformed],
    ['access_token absent', { body: { refresh_token: 'rt' } }, malformed],
    ['access_token of 64 KB', { body: { ...tokens, access_token: 'a'.repeat(64_000) } }, malformed],
    ['access_token with control characters', { body: { ...tokens, access_token: 'a\r\nx: y' } }, malformed],
    ['access_token beyond ASCII', { body: { ...tokens, access_token: 'tøken' } }, malformed],
    ['refresh_token absent', { body: { access_token: 'at' } }, ok('at', null, null)],
    ['refresh_token null', { body: { ...tokens, refresh_token: null } }, ok('at', null, null)],
    ['refresh_token empty', { body: { ...tokens, refresh_token: '' } }, ok('at', null, null)],
    ['refresh_token a number', { body: { ...tokens, refresh_token: 9 } }, malformed],
    ['scope an array', { body: { ...tokens, scope: ['a'] } }, ok('at', 'rt', null)],
    ['duplicate keys', { body: '{"access_token":"at","access_token":"other"}' }, malformed],
    ['duplicate keys by escape', { body: '{"access_token":"at","acc\\u0065ss_token":"other"}' }, malformed],
    ['byte order mark', { body: '\ufeff{"access_token":"at"}' }, malformed],
    ['deep nesting', { body: `{"access_token":"at","x":${'['.repeat(9)}${']'.repeat(9)}}` }, malformed],
    ['nesting of 20,000', { body: `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}` }, malformed],
    ['top-level array', { body: [tokens] }, malformed],
    ['top-level null', { body: 'null' }, malformed],
    ['__proto__', { body: '{"__proto__":{"access_token":"at"}}' }, malformed],
    ['Latin-1 bytes', { body: Buffer.from('{"access_token":"at","name":"é"}', 'latin1') }, malformed],
    ['unpaired surrogate', { body: '{"access_token":"at","x":"\\ud800"}' }, malformed],
    ['JSON as text/plain', { headers: { 'content-type': 'text/plain' }, body: tokens }, ok('at', 'rt', null)],
    ['HTML with 200', { headers: { 'content-type': 'text/html' }, body: '<html></html>' }, malformed],
    ['truncated JSON', { body: '{"access_token":"at"' }, malformed],
    [
      'gzip although identity was requested',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync('{}') },
      malformed,
    ],
    ['error with 200', { body: { error: 'nope' } }, { ...malformed, partnerCode: 'other' }],
    ['success with 201', { status: 201, body: tokens }, malformed],
    ['204', { status: 204, body: '' }, malformed],
    ['redirect', { status: 302, headers: { location: 'http://169.254.169.254/' }, body: '' }, malformed],
    [
      '4XX with a code of a standard',
      { status: 400, body: { error: 'invalid_grant' } },
      { partnerCode: 'invalid_grant' },
    ],
    [
      '4XX with a non-standard code',
      { status: 400, body: { error: 'bad_code' } },
      { kind: 'rejected', partnerCode: 'other' },
    ],
    ['4XX with error an object', { status: 400, body: { error: {} } }, { kind: 'rejected', partnerCode: 'other' }],
    ['4XX with error a number', { status: 403, body: { error: 5 } }, { kind: 'rejected', partnerCode: 'other' }],
    ['4XX without error', { status: 400, body: {} }, { kind: 'rejected', partnerCode: undefined }],
    ['4XX with an empty body', { status: 400, body: '' }, { kind: 'rejected', partnerCode: undefined }],
    [
      '4XX with error twice',
      { status: 400, body: '{"error":"x","error":"invalid_grant"}' },
      { partnerCode: undefined },
    ],
    ['4XX in HTML', { status: 404, body: '<html>' }, { kind: 'rejected', status: 404, partnerCode: undefined }],
    ['502 in HTML', { status: 502, body: '<html>' }, { kind: 'unavailable', status: 502 }],
    ['503', { status: 503, headers: { 'retry-after': '7' }, body: '' }, { kind: 'unavailable', retryAfterS: 7 }],
    ['429 with seconds', { status: 429, headers: { 'retry-after': '99999' }, body: '' }, { retryAfterS: 3600 }],
    [
      '429 with a date',
      { status: 429, headers: { 'retry-after': new Date(Date.now() + 90_000).toUTCString() }, body: '' },
      { kind: 'unavailable', retryAfterS: expect.any(Number) },
    ],
    [
      'an error code with script and line breaks',
      { status: 400, body: { error: `<script>\r\n${'x'.repeat(10_000)}` } },
      { partnerCode: 'other' },
    ],
  ];
  it.each(cases)('%s', async (_name, answer, expected) => {
    partner.tokenAnswer = answer;
    expect(await exchange()).toMatchObject(expected);
  });
});

describe('transport', () => {
  const unavailable = { ok: false, kind: 'unavailable' };
  const cases: [string, Answer, object][] = [
    ['reset before a response', (_response, socket) => socket.destroy(), { ...unavailable, outcomeUnknown: true }],
    [
      'reset in the body',
      (response, socket) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"access');
        setTimeout(() => socket.destroy(), 20);
      },
      unavailable,
    ],
    ['no response', () => undefined, { ...unavailable, reason: expect.stringContaining('deadline') }],
    ['headers, then silence', (response) => response.writeHead(200).flushHeaders(), unavailable],
    [
      'one byte every 50 ms',
      (response) => {
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      },
      { ...unavailable, reason: expect.stringContaining('deadline') },
    ],
    [
      'an endless body',
      (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
        };
        response.on('drain', more);
        more();
      },
      malformed,
    ],
    ['200 KB of headers', (response) => response.writeHead(200, { 'x-a': 'a'.repeat(200_000) }).end('{}'), malformed],
    ['not HTTP', (_response, socket) => void socket.end('SSH-2.0-x\r\n\r\n'), malformed],
  ];
  it.each(cases)('%s', async (_name, answer, expected) => {
    partner.tokenAnswer = answer;
    const startMs = Date.now();
    expect(await exchange()).toMatchObject(expected);
    expect(Date.now() - startMs).toBeLessThan(profile.timeoutMs + 3000);
  });

  it('reports that nothing was sent when the connection is refused', async () => {
    const result = await exchange(connection({ baseUrl: 'http://127.0.0.1:1' }));
    expect(result).toMatchObject({ kind: 'unavailable', outcomeUnknown: false });
  });

  it('ends by the deadline while a TLS handshake hangs, and reports that nothing was sent', async () => {
    const authority = new CertificateAuthority();
    const silent = await startListener('silent_tls', { authority, handler: () => undefined });
    const hanging = new PartnerClient(new PartnerHttp(new Set([silent.host])), logger, new Registry());
    const grant = { code: 'c', redirectUri: 'r', codeVerifier: null };
    const startMs = Date.now();
    const result = await hanging.exchangeCode(connection({ baseUrl: silent.baseUrl('p') }), grant);
    expect(result).toMatchObject({ kind: 'unavailable', outcomeUnknown: false });
    expect(Date.now() - startMs).toBeLessThan(profile.timeoutMs + 3000);
    await silent.stop();
    await hanging.stop();
    authority.remove();
  });

  it.each([
    ['resets the connection before the handshake', (socket: net.Socket) => void socket.resetAndDestroy()],
    ['does not speak TLS', (socket: net.Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('reports that nothing was sent when a server %s', async (_, answer) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
    const secure = new PartnerClient(new PartnerHttp(new Set([host])), logger, new Registry());
    const grant = { code: 'c', redirectUri: 'r', codeVerifier: null };
    const result = await secure.exchangeCode(connection({ baseUrl: `https://${host}` }), grant);
    expect(result).toMatchObject({ kind: 'unavailable', outcomeUnknown: false });
    await secure.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  it('stops requests to an unavailable partner by a circuit breaker of its own', async () => {
    partner.tokenAnswer = { status: 503, body: '' };
    const down = connection();
    for (let i = 0; i < 12; i++) await exchange(down);
    const asked = partner.seen.length;
    expect(await exchange(down)).toMatchObject({
      kind: 'unavailable',
      reason: 'the circuit breaker of the partner is open',
    });
    expect(partner.seen.length).toBe(asked);
    expect(await exchange()).toMatchObject({ kind: 'unavailable', status: 503 });
  });

  it('keeps connections for another partner at the same host while one hangs', async () => {
    partner.tokenAnswer = () => undefined;
    partner.userInfoAnswer = { body: { sub: 'u-1', nickname: 'n' } };
    const patient = { timeoutMs: 30_000 };
    let ended = 0;
    const hanging = connection({}, patient);
    const waiting = Array.from({ length: 32 }, () => exchange(hanging).finally(() => ended++));
    await until(() => partner.seen.length === 32);
    expect(await client.userInfo(connection({}, patient), 'at')).toMatchObject({ ok: true });
    expect(ended).toBe(0);
    await client.stop();
    await Promise.all(waiting);
  });

  it('ends requests by the deadline of the waiting user, even if the profile allows more time', async () => {
    partner.tokenAnswer = () => undefined;
    const rotating = connection({ previousClientSecret: 'other' }, { timeoutMs: 30_000 });
    const deadline = Deadline.within(600);
    const late = await client.exchangeCode(rotating, { code: 'c', redirectUri: 'r', codeVerifier: null }, { deadline });
    expect(late).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining('deadline') });
    expect(await client.userInfo(rotating, 'at', { deadline })).toMatchObject({
      reason: 'no time is left for a request to the partner',
    });
    expect(partner.seen.length).toBe(1);
  });

  it('limits concurrent requests to one partner', async () => {
    partner.tokenAnswer = () => undefined;
    const slow = connection();
    const results = await Promise.all(Array.from({ length: 40 }, () => exchange(slow)));
    const refused = results.filter((result) => !result.ok && result.reason.startsWith('too many'));
    expect(refused.length).toBe(8);
  });
});

describe('requests', () => {
  it('follow the specification', async () => {
    partner.tokenAnswer = { body: tokens };
    await client.exchangeCode(connection(), {
      code: 'a b',
      redirectUri: 'https://p.example/?x=1&y',
      codeVerifier: 'v',
    });
    expect(partner.seen[0]).toMatchObject({
      method: 'POST',
      path: '/oauth2/token',
      contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
      authorization: `Basic ${Buffer.from('podium-at-partner:canary-partner-secret').toString('base64')}`,
      acceptEncoding: 'identity',
    });
    expect([...partner.seen[0].form]).toEqual([
      ['grant_type', 'authorization_code'],
      ['code', 'a b'],
      ['redirect_uri', 'https://p.example/?x=1&y'],
      ['code_verifier', 'v'],
    ]);
  });

  it('form-encode the Basic credentials and send client_id in the body only if the profile says so', async () => {
    partner.tokenAnswer = { body: tokens };
    const odd = { clientSecret: 'a%b+c:d/e=f g' };
    await exchange(connection(odd));
    await exchange(connection(odd, { clientAuth: 'basic_form_encoded', clientIdInBody: true }));
    const [raw, encoded] = partner.seen.map(({ authorization }) =>
      Buffer.from(authorization.slice(6), 'base64').toString(),
    );
    expect(raw).toBe('podium-at-partner:a%b+c:d/e=f g');
    expect(encoded).toBe('podium-at-partner:a%25b%2Bc%3Ad%2Fe%3Df+g');
    expect(partner.seen.map(({ form }) => form.get('client_id'))).toEqual([null, 'podium-at-partner']);
  });

  it('try the previous client secret of a rotation once', async () => {
    const code = partner.issueCode({ sub: 'u', nickname: 'n' });
    partner.clientSecret = 'old-secret';
    const rotating = connection({ clientSecret: 'new-secret', previousClientSecret: 'old-secret' });
    const result = await client.exchangeCode(rotating, { code, redirectUri: 'https://p.example', codeVerifier: null });
    expect(result.ok).toBe(true);
    expect(partner.seen.length).toBe(2);
  });

  it('leave the previous client secret unused when the partner refuses a grant with 401', async () => {
    partner.tokenAnswer = { status: 401, body: { error: 'invalid_grant' } };
    const rotating = connection({ previousClientSecret: 'old-secret' });
    expect(await client.refresh(rotating, 'revoked')).toMatchObject({ kind: 'rejected', partnerCode: 'invalid_grant' });
    expect(partner.seen.length).toBe(1);
  });

  it('write no secret to the log, even if the partner echoes it', async () => {
    for (const echo of ['code-canary-1', 'canary-partner-secret', 'x canary-partner-secret y']) {
      partner.tokenAnswer = { status: 400, body: { error: echo } };
      expect(await exchange()).toMatchObject({ kind: 'rejected', partnerCode: 'other' });
    }
    partner.tokenAnswer = { body: { access_token: 'at-canary', refresh_token: 'rt-canary', token_type: 'mac' } };
    await exchange();
    expect(logged.length).toBe(4);
    expect(logged.join()).not.toMatch(/canary/);
  });
});

describe('user info', () => {
  const read = () => client.userInfo(connection(), 'at');
  const user = (sub: string, nickname: string) => ({ ok: true, value: { sub, nickname } });
  const cases: [string, Answer, object][] = [
    ['as specified', { body: { sub: 'u-1', nickname: 'Nick' } }, user('u-1', 'Nick')],
    ['sub absent', { body: { nickname: 'n' } }, malformed],
    ['sub empty', { body: { sub: '' } }, malformed],
    ['sub blank', { body: { sub: ' \t ' } }, malformed],
    ['sub a number', { body: { sub: 12 } }, malformed],
    ['sub of 10 KB', { body: { sub: 'a'.repeat(10_000) } }, malformed],
    ['sub of 255 bytes', { body: { sub: 'a'.repeat(255) } }, user('a'.repeat(255), 'a'.repeat(100))],
    ['sub of 256 bytes in fewer characters', { body: { sub: 'é'.repeat(128) } }, malformed],
    ['sub with spaces is kept byte for byte', { body: { sub: ' a b ', nickname: 'n' } }, user(' a b ', 'n')],
    ['sub with NUL', { body: { sub: 'a\0b' } }, malformed],
    ['nickname absent', { body: { sub: 'u-1' } }, user('u-1', 'u-1')],
    ['nickname null', { body: { sub: 'u-1', nickname: null } }, user('u-1', 'u-1')],
    ['nickname a number', { body: { sub: 'u-1', nickname: 4 } }, user('u-1', 'u-1')],
    ['nickname with emoji', { body: { sub: 'u', nickname: '🎮 pro' } }, user('u', '🎮 pro')],
    ['nickname right to left', { body: { sub: 'u', nickname: '\u202eevil\u202c שלום' } }, user('u', 'evil שלום')],
    ['nickname of joined emoji', { body: { sub: 'u', nickname: '👩\u200d💻' } }, user('u', '👩\u200d💻')],
    ['nickname HTML stays text', { body: { sub: 'u', nickname: '<b>x</b>' } }, user('u', '<b>x</b>')],
    ['401', { status: 401, body: { error: 'invalid_token' } }, { kind: 'rejected', status: 401 }],
    ['403', { status: 403, body: { error: 'no' } }, { kind: 'rejected', status: 403, partnerCode: 'other' }],
    [
      '401 as RFC 6750 has it, in a header',
      { status: 401, headers: { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' }, body: '' },
      { kind: 'rejected', partnerCode: 'invalid_token' },
    ],
    [
      '401 with challenges of other schemes before that one',
      { status: 401, headers: { 'www-authenticate': 'DPoP algs="ES256", Bearer error="invalid_token"' }, body: '' },
      { kind: 'rejected', partnerCode: 'invalid_token' },
    ],
    [
      '401 with another error in that header',
      { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token_x"' }, body: '' },
      { kind: 'rejected', partnerCode: undefined },
    ],
    ['500', { status: 500, body: '' }, { kind: 'unavailable' }],
    ['HTML', { body: '<html>' }, malformed],
  ];
  it.each(cases)('%s', async (_name, answer, expected) => {
    partner.userInfoAnswer = answer;
    expect(await read()).toMatchObject(expected);
    expect(partner.seen[0]).toMatchObject({ method: 'GET', path: '/oauth2/userinfo', authorization: 'Bearer at' });
  });
});
