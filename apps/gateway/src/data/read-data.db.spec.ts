import { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Redis } from 'ioredis';
import { createKey, decodeScopes, hashKey, scopesHeader } from '@podium/messages';
import { localStack } from '@podium/testing';
import { FakeUpstream, ok, refuseGateway } from '../../test/fake-upstream';
import { internalToken } from '../../test/fake-ingestion';
import { GatewayUnderTest, dataKeyOf, startGateway } from '../../test/gateway-under-test';
import { RawExchange, rawExchange } from '../../test/raw-exchange';

// A separate Redis database, so that flushing it does not disturb other specs.
const redisUrl = new URL('/9', localStack().redisUrl).href;

interface DataAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The code of an error in the format of the data API. */
  readonly code: string | undefined;
}

async function read(
  gateway: GatewayUnderTest,
  target: string,
  init: { method?: string; headers?: Record<string, string>; key?: string } = {},
): Promise<DataAnswer> {
  const { key, headers, ...rest } = init;
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(gateway.url + target, { ...rest, headers: { ...authorization, ...headers } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, code: response.ok ? undefined : codeIn(text) };
}

/** The code of a body in the format `{"errors":[{"message","code","http_status","parameters"}]}`; fails on other formats. */
function codeIn(text: string): string | undefined {
  if (text === '') return undefined;
  const body = JSON.parse(text) as { errors: { code: string }[] };
  expect(body).toEqual({
    errors: [
      {
        message: expect.stringMatching(/^[A-Z].*\.$/) as string,
        code: expect.stringMatching(/^err_[a-z]+0$/) as string,
        http_status: expect.any(Number) as number,
        parameters: [],
      },
    ],
  });
  return body.errors[0].code;
}

describe('the data edge', () => {
  const upstream = new FakeUpstream();
  let gateway: GatewayUnderTest;
  let upstreamUrl: string;
  let key: string;

  beforeAll(async () => {
    upstreamUrl = await upstream.start();
    gateway = await startGateway({ redisUrl, ingestionUrls: [], upstreamUrl });
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  beforeEach(() => {
    upstream.answer = ok;
    upstream.seen.length = 0;
    gateway.viewAgeMs = 0;
    key = gateway.newDataKey().key;
  });

  describe('forwards', () => {
    it('path and query unchanged, with scopes and the internal token in place of the key', async () => {
      const { key: scoped } = gateway.newDataKey({
        scopes: [{ scope: 'data:read' }, { scope: 'queues:organizer', organizer_ids: ['o-1', 'o_2'] }],
      });
      const target = '/data/v4/players/a%2Fb/history?game=cs2&from=%31&x=%zz&expanded=game,organizer';
      const answer = await read(gateway, target, {
        key: scoped,
        headers: {
          'if-none-match': 'W/"a", "b"',
          'if-modified-since': 'Mon, 01 Jan 2024 00:00:00 GMT',
          'accept-encoding': 'br;q=0.5, gzip',
          'x-request-id': 'mine-1',
          [scopesHeader]: 'queues:developer=cs2',
          'x-podium-internal-token': 'forged',
          'x-podium-user': 'forged',
          'x-forwarded-for': '6.6.6.6',
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
          tracestate: 'a=b',
          cookie: 'a=b',
        },
      });
      expect([answer.status, answer.text, answer.headers.get('x-request-id')]).toEqual([200, '{"ok":true}', 'mine-1']);
      const [{ method, url, headers }] = upstream.seen;
      expect([method, url]).toEqual(['GET', target]);
      expect(decodeScopes(String(headers[scopesHeader]))).toEqual([
        { scope: 'data:read' },
        { scope: 'queues:organizer', organizer_ids: ['o-1', 'o_2'] },
      ]);
      expect(headers).toMatchObject({
        'if-none-match': 'W/"a", "b"',
        'if-modified-since': 'Mon, 01 Jan 2024 00:00:00 GMT',
        'accept-encoding': 'br;q=0.5, gzip',
        'x-request-id': 'mine-1',
        'x-podium-internal-token': internalToken,
      });
      for (const name of ['authorization', 'cookie', 'x-podium-user', 'x-forwarded-for', 'traceparent', 'tracestate'])
        expect(headers[name]).toBeUndefined();
    });

    it("the response's bytes and headers unchanged, compressed or not", async () => {
      const body = gzipSync('{"items":[]}');
      upstream.answer = (response) =>
        void response
          .writeHead(200, {
            'content-type': 'application/json; charset=utf-8',
            'content-encoding': 'gzip',
            'content-length': body.length,
            etag: '"v1-abc"',
            vary: 'Accept-Encoding, Authorization',
            'cache-control': 'private, max-age=10',
            link: '</data/v4/games?offset=20>; rel="next", </data/v4/games>; rel="prev"',
          })
          .end(body);
      const raw = await rawExchange(
        gateway.port,
        `GET /data/v4/games HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nAccept-Encoding: gzip\r\n\r\n`,
        { quietMs: 100 },
      );
      expect(Buffer.from(raw.body, 'latin1')).toEqual(body);
      expect(raw.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-encoding': 'gzip',
        'content-length': String(body.length),
        etag: '"v1-abc"',
        vary: 'Accept-Encoding, Authorization',
        'cache-control': 'private, max-age=10',
        link: '</data/v4/games?offset=20>; rel="next", </data/v4/games>; rel="prev"',
        'ratelimit-limit': '1000, 1000;w=1',
      });
      expect(raw.text.match(/x-request-id/gi)).toHaveLength(1);
      expect(raw.closed).toBe(false);
    });

    it('HEAD, 304 and errors of the data service, with the rate headers added', async () => {
      upstream.answer = (response) => void response.writeHead(200, { 'content-length': 1234, etag: '"e"' }).end();
      const head = await read(gateway, '/data/v4/games', { key, method: 'HEAD' });
      expect([head.status, head.headers.get('content-length'), head.headers.get('etag'), head.text]).toEqual([
        200,
        '1234',
        '"e"',
        '',
      ]);
      expect(upstream.seen[0].method).toBe('HEAD');
      upstream.answer = (response) => void response.writeHead(304, { etag: '"e"' }).end();
      const unchanged = await read(gateway, '/data/v4/games', { key, headers: { 'if-none-match': '"e"' } });
      expect([unchanged.status, unchanged.headers.get('etag'), unchanged.text]).toEqual([304, '"e"', '']);
      const body = '{"errors":[{"message":"No such game.","code":"err_nf0","http_status":404,"parameters":[]}]}';
      upstream.answer = (response) => void response.writeHead(404, { 'retry-after': '7' }).end(body);
      const unknown = await read(gateway, '/data/v4/nothing', { key });
      expect([unknown.status, unknown.text, unknown.headers.get('retry-after')]).toEqual([404, body, '7']);
      for (const { headers } of [head, unchanged, unknown])
        expect(headers.get('ratelimit-limit')).toBe('1000, 1000;w=1');
    });

    it('a large response completely, no faster than the client reads', async () => {
      const part = Buffer.alloc(1024 * 1024, 'x');
      let sent = 0;
      upstream.answer = async (response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        for (; sent < 64; sent += 1)
          if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve));
        response.end();
      };
      const response = await fetch(`${gateway.url}/data/v4/large`, { headers: { authorization: `Bearer ${key}` } });
      await sleep(300);
      // Sockets buffer a part of the response; the rest waits.
      expect(sent).toBeLessThan(48);
      expect((await response.arrayBuffer()).byteLength).toBe(64 * part.length);
    });

    it('the disconnect of a client', async () => {
      const gone = new Promise<void>((resolve) => {
        upstream.answer = (response) => void response.once('close', resolve);
      });
      const leaving = new AbortController();
      const reading = fetch(`${gateway.url}/data/v4/slow`, {
        headers: { authorization: `Bearer ${key}` },
        signal: leaving.signal,
      });
      while (upstream.seen.length === 0) await sleep(5);
      leaving.abort();
      await expect(reading).rejects.toThrow();
      await gone;
      for (const endMs = Date.now() + 5_000; ; await sleep(20)) {
        if ((await gateway.registry.metrics()).includes('gateway_requests_total{route="data",status="499"} 1')) break;
        if (Date.now() > endMs) throw new Error('timed out: the disconnect was not counted');
      }
    });
  });

  describe('refuses in its own format', () => {
    const cases: [string, { method?: string; key?: () => string }, number, string, Record<string, RegExp>?][] = [
      ['POST, before its key', { method: 'POST' }, 405, 'err_m0', { allow: /^GET, HEAD$/ }],
      ['DELETE', { method: 'DELETE', key: () => key }, 405, 'err_m0', { allow: /^GET, HEAD$/ }],
      ['OPTIONS', { method: 'OPTIONS', key: () => key }, 405, 'err_m0', { allow: /^GET, HEAD$/ }],
      ['no key', {}, 401, 'err_u0', { 'www-authenticate': /^Bearer realm="podium"$/ }],
      ['a malformed key', { key: () => 'hunter2' }, 401, 'err_u0', { 'www-authenticate': /invalid_token/ }],
      ['an unknown key', { key: () => createKey('test', 'dt').key }, 401, 'err_u0', { 'www-authenticate': /^Bearer/ }],
      ['a key of production', { key: () => createKey('production', 'dt').key }, 403, 'err_f0'],
      ['an event key', { key: () => gateway.newKey('p') }, 401, 'err_u0'],
      ['an expired key', { key: () => gateway.newDataKey({ not_after: 1 }).key }, 401, 'err_u0'],
      ['an expired UUID', { key: () => gateway.newDataKey({ not_after: 1, uuid: true }).key }, 401, 'err_u0'],
      ['a revoked key', { key: () => gateway.newDataKey({ revoked_at: 1 }).key }, 401, 'err_u0'],
    ];
    it.each(cases)('%s', async (_name, { method, key: keyOf }, status, code, headers = {}) => {
      for (const target of ['/data/v4/players/x?y=1', '/data/v4', '/data/v4/']) {
        const answer = await read(gateway, target, { method, key: keyOf?.() });
        expect([answer.status, answer.code]).toEqual([status, code]);
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(answer.headers.get('x-request-id')).toBeTruthy();
        for (const [name, pattern] of Object.entries(headers)) expect(answer.headers.get(name)).toMatch(pattern);
      }
      expect(upstream.seen).toEqual([]);
    });

    const raw = (bytes: string, responses = 1): Promise<RawExchange> =>
      rawExchange(gateway.port, bytes.replaceAll('KEY', key), { quietMs: 200, responses });
    const withKey = (target: string, more = ''): string =>
      `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\n${more}\r\n`;
    const longChunk = `10001\r\n${'x'.repeat(0x10001)}\r\n0\r\n\r\n`;

    it.each([
      ['an identifier that cannot be decoded', withKey('/data/v4/players/%zz'), 404, 'err_nf0'],
      ['a path that leaves the API', withKey('/data/v4/../../internal/v1/events'), 404, 'err_nf0'],
      ['an encoded path that leaves the API', withKey('/data/v4/%2e%2E/x'), 404, 'err_nf0'],
      ['a path that leaves the API by backslashes', withKey('/data/v4/..\\..\\internal'), 404, 'err_nf0'],
      ['a long chunked body', withKey('/data/v4/games', 'Transfer-Encoding: chunked\r\n') + longChunk, 413, 'err_p0'],
      ['a body of 64 KiB and more', withKey('/data/v4/games', 'Content-Length: 65537\r\n'), 413, 'err_p0'],
      ['too many header bytes', withKey('/data/v4/games', `x: ${'y'.repeat(20_000)}\r\n`), 431, 'err_h0'],
      ['too many headers', withKey('/data/v4/games', 'a: b\r\n'.repeat(150)), 431, 'err_h0'],
      ['two Host headers', withKey('/data/v4/games', 'Host: b\r\n'), 400, 'err_br0'],
      ['a malformed header', withKey('/data/v4/games', 'nonsense\r\n'), 400, 'err_br0'],
      ['an unknown expectation', withKey('/data/v4/games', 'Expect: 200-ok\r\n'), 400, 'err_br0'],
      ['an unknown method', 'BREW /data/v4/games HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'err_br0'],
    ])('%s', async (_name, bytes, status, code) => {
      const answer = await raw(bytes);
      expect([answer.status, codeIn(answer.body)]).toEqual([status, code]);
      expect(upstream.seen).toEqual([]);
    });

    it('many requests, without a body for HEAD', async () => {
      const answer = await raw('HEAD /data/v4/games HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3), 3);
      expect(answer.text.match(/HTTP\/1\.1 401 /g)).toHaveLength(3);
      expect(answer.text).not.toContain('err_u0');
    });

    it('all keys while the key view is older than eleven minutes', async () => {
      gateway.viewAgeMs = 600_000;
      expect((await read(gateway, '/data/v4/games', { key })).status).toBe(200);
      gateway.viewAgeMs = 660_001;
      const old = await read(gateway, '/data/v4/games', { key });
      expect([old.status, old.code, old.headers.get('retry-after')]).toEqual([503, 'err_un0', '2']);
    });

    it('only its own paths: other unknown paths keep the other format', async () => {
      const answer = await fetch(`${gateway.url}/data/v4x`, { headers: { authorization: `Bearer ${key}` } });
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
    });
  });

  it('discards the short body of a read and keeps the connection open', async () => {
    const one = `GET /data/v4/games HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: 2\r\n\r\n{}`;
    const twice = await rawExchange(gateway.port, one + one, { quietMs: 200, responses: 2 });
    expect(twice.text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(twice.closed).toBe(false);
  });

  it('admits UUID keys until they are revoked', async () => {
    const { key: uuid, keyId } = gateway.newDataKey({ uuid: true });
    expect((await read(gateway, '/data/v4/games', { key: uuid })).status).toBe(200);
    expect((await read(gateway, '/data/v4/games', { key: uuid.toUpperCase() })).status).toBe(200);
    gateway.dataKeys.setKey(keyId, null);
    const after = await read(gateway, '/data/v4/games', { key: uuid });
    expect([after.status, after.code]).toEqual([401, 'err_u0']);
  });

  it('closes connections while draining', async () => {
    gateway.draining = true;
    const answer = await read(gateway, '/data/v4/games', { key });
    const refused = await read(gateway, '/data/v4/games');
    gateway.draining = false;
    expect([answer.headers.get('connection'), refused.headers.get('connection')]).toEqual(['close', 'close']);
  });

  describe('when the data service fails', () => {
    it('retries a request without a response once', async () => {
      let times = 0;
      upstream.answer = (response) => ((times += 1) === 1 ? void response.destroy() : ok(response));
      expect((await read(gateway, '/data/v4/games', { key })).status).toBe(200);
      expect(times).toBe(2);
    });

    it.each([
      ['does not answer', (response: ServerResponse) => void response.destroy(), 2],
      ['refuses the gateway', refuseGateway, 1],
    ])('returns 503 with the rate headers and Retry-After when it %s', async (_what, failing, asked) => {
      upstream.answer = failing;
      const answer = await read(gateway, '/data/v4/games', { key });
      expect([answer.status, answer.code, answer.headers.get('retry-after')]).toEqual([503, 'err_un0', '2']);
      expect(answer.headers.get('ratelimit-limit')).toBe('1000, 1000;w=1');
      expect(upstream.seen).toHaveLength(asked);
    });

    it('never ends a partial response as if it were complete', async () => {
      upstream.answer = (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"items":[');
        setTimeout(() => response.destroy(), 50);
      };
      await expect(read(gateway, '/data/v4/games', { key })).rejects.toThrow('terminated');
      const { body, closed } = await rawExchange(
        gateway.port,
        `GET /data/v4/games HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`,
        { quietMs: 2000 },
      );
      expect([body.includes('\r\n0\r\n\r\n'), closed]).toEqual([false, true]);
    });

    it('returns 503 when it cannot be connected', async () => {
      const lonely = await startGateway({ redisUrl, ingestionUrls: [], upstreamUrl: 'http://127.0.0.1:1' });
      const answer = await read(lonely, '/data/v4/games', { key: lonely.newDataKey().key });
      await lonely.stop();
      expect([answer.status, answer.code, answer.headers.get('retry-after')]).toEqual([503, 'err_un0', '2']);
      expect(answer.headers.get('ratelimit-remaining')).toBe('999');
    });
  });

  describe('gives each key its own rate', () => {
    const press = (pressed: string, times: number): Promise<DataAnswer[]> =>
      Promise.all(Array.from({ length: times }, () => read(gateway, '/data/v4/games', { key: pressed })));
    const admitted = (answers: DataAnswer[]): number => answers.filter(({ status }) => status === 200).length;

    it('with a burst of the same size, shown on every response', async () => {
      const { key: slow } = gateway.newDataKey({ rate_per_second: 3 });
      const { key: fast } = gateway.newDataKey({ rate_per_second: 500, uuid: true });
      const startedMs = performance.now();
      const [slowly, fastly] = await Promise.all([press(slow, 40), press(fast, 40)]);
      const passedS = (performance.now() - startedMs) / 1000;
      expect(admitted(fastly)).toBe(40);
      expect(admitted(slowly)).toBeGreaterThanOrEqual(3);
      expect(admitted(slowly)).toBeLessThanOrEqual(3 + 3 * passedS);
      const refused = slowly.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      for (const { code, headers } of refused) {
        expect(code).toBe('err_rl0');
        expect(headers.get('retry-after')).toBe('1');
        expect(headers.get('ratelimit-limit')).toBe('3, 3;w=1');
        expect(headers.get('ratelimit-remaining')).toBe('0');
        expect(headers.get('ratelimit-reset')).toBe('1');
      }
      expect(new Set(fastly.map(({ headers }) => headers.get('ratelimit-limit')))).toEqual(new Set(['500, 500;w=1']));
      expect(fastly.every(({ headers }) => headers.get('ratelimit-reset') === '1')).toBe(true);
    });

    it('over all instances, and starts again after Redis has lost its data', async () => {
      const second = await startGateway({ redisUrl, ingestionUrls: [], upstreamUrl });
      const { key: shared, keyId } = gateway.newDataKey({ rate_per_second: 1 });
      second.dataKeys.setKey(keyId, dataKeyOf(keyId, hashKey(shared), { rate_per_second: 1 }));
      const redis = new Redis(redisUrl);
      const startedMs = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, at) => read(at % 2 ? gateway : second, '/data/v4/games', { key: shared })),
      );
      const passedS = (performance.now() - startedMs) / 1000;
      expect(admitted(answers)).toBeGreaterThanOrEqual(1);
      expect(admitted(answers)).toBeLessThanOrEqual(1 + passedS);
      while ((await read(second, '/data/v4/games', { key: shared })).status !== 429);
      expect(await redis.keys('*')).toContain(`gateway:data-rate:${keyId}`);
      await redis.flushdb();
      expect((await read(gateway, '/data/v4/games', { key: shared })).status).toBe(200);
      await redis.quit();
      await second.stop();
    });

    it('limited to its own share while Redis is unavailable', async () => {
      const alone = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [], upstreamUrl });
      const { key: local } = alone.newDataKey({ rate_per_second: 2 });
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => read(alone, '/data/v4/games', { key: local })),
      );
      await alone.stop();
      expect(admitted(answers)).toBeGreaterThanOrEqual(2);
      expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
      expect(new Set(answers.map(({ headers }) => headers.get('ratelimit-limit')))).toEqual(new Set(['2, 2;w=1']));
    });
  });
});
