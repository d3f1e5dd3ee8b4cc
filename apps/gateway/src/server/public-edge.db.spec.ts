import { createKey } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { FakeIngestion, accepted } from '../../test/fake-ingestion';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { rawExchange } from '../../test/raw-exchange';

const path = '/cdp/v1/users/events/send';
const json = { 'content-type': 'application/json' };

describe('the partner edge', () => {
  const ingestion = new FakeIngestion();
  let gateway: GatewayUnderTest;
  let platform: string;
  let key: string;

  beforeAll(async () => {
    gateway = await startGateway({ redisUrl: localStack().redisUrl, ingestionUrls: [await ingestion.start()] });
  });
  afterAll(async () => {
    await gateway.stop();
    await ingestion.stop();
  });
  beforeEach(() => {
    platform = freshName('p');
    key = gateway.newKey(platform);
    ingestion.answer = accepted;
    ingestion.whole = null;
    ingestion.batches.length = 0;
    gateway.viewAgeMs = 0;
  });

  type Sending = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };
  const send = (init: Sending = {}, target = path): Promise<Response> =>
    fetch(gateway.url + target, {
      method: 'POST',
      body: '{"platform":"x"}',
      ...init,
      headers: { authorization: `Bearer ${key}`, ...json, ...init.headers },
    });
  const code = async (answer: Response): Promise<string> =>
    ((await answer.json()) as { error: { code: string } }).error.code;

  it("responds with ingestion's bytes, the rate headers and a request id", async () => {
    const answer = await send({ headers: { 'x-request-id': 'mine_1-a' } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ outcome: 'accepted', event_id: 'e', dropped_attributes: [] });
    expect(answer.headers.get('x-request-id')).toBe('mine_1-a');
    expect(answer.headers.get('ratelimit-limit')).toBe('40, 40;w=1');
    expect(answer.headers.get('ratelimit-remaining')).toBe('39');
    expect(answer.headers.get('ratelimit-reset')).toBe('1');
    const [[event]] = ingestion.batches;
    expect(event).toMatchObject({ platform, requestId: 'mine_1-a', body: Buffer.from('{"platform":"x"}') });
    expect(ingestion.timesLeftMs.at(-1)).toBeGreaterThan(0);
    expect(ingestion.timesLeftMs.at(-1)).toBeLessThanOrEqual(4_000);
  });

  it('forwards bytes beyond ASCII unchanged', async () => {
    const body = Buffer.from('{"outcome":"accepted","event_id":"é ✓ 🎲","dropped_attributes":[]}');
    ingestion.answer = () => ({ status: 200, retryAfterS: 0, body });
    expect(Buffer.from(await (await send()).arrayBuffer())).toEqual(body);
  });

  it('forwards the status and Retry-After of a refusal by ingestion', async () => {
    const body = Buffer.from('{"error":{"code":"user_not_linked","message":"m"}}');
    ingestion.answer = () => ({ status: 404, retryAfterS: 60, body });
    const answer = await send();
    expect([answer.status, answer.headers.get('retry-after'), await code(answer)]).toEqual([
      404,
      '60',
      'user_not_linked',
    ]);
    expect(await gateway.registry.metrics()).toContain(
      `gateway_events_total{platform="${platform}",outcome="user_not_linked"} 1`,
    );
  });

  it("does not forward a caller's trace context, and replaces a request id that is not plain", async () => {
    await send({ headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } });
    await send({ headers: { 'x-request-id': 'not plain' } });
    const [first, second] = ingestion.batches.flat();
    expect(first.traceparent).toBe('');
    expect(second.requestId).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  });

  describe('refuses, in this order,', () => {
    const lostKey = (): string => createKey('test', 'ev').key;
    const bigBody = 'x'.repeat(64 * 1024 + 1);
    const cases: {
      name: string;
      init: () => Sending;
      target?: string;
      status: number;
      code: string;
      headers?: Record<string, RegExp>;
    }[] = [
      {
        name: 'an unknown path, before any other error',
        init: () => ({ headers: { authorization: '', 'content-type': 'text/xml' }, body: bigBody }),
        target: '/cdp/v1/users/events/sent',
        status: 404,
        code: 'not_found',
      },
      { name: 'a trailing slash', init: () => ({}), target: `${path}/`, status: 404, code: 'not_found' },
      {
        name: 'GET',
        init: () => ({ method: 'GET', body: undefined }),
        status: 405,
        code: 'method_not_allowed',
        headers: { allow: /^POST$/ },
      },
      {
        name: 'PUT before its key',
        init: () => ({ method: 'PUT', headers: { authorization: '' } }),
        status: 405,
        code: 'method_not_allowed',
        headers: { allow: /^POST$/ },
      },
      {
        name: 'an override header, which is ignored',
        init: () => ({ method: 'DELETE', headers: { 'x-http-method-override': 'POST' } }),
        status: 405,
        code: 'method_not_allowed',
      },
      {
        name: 'no key',
        init: () => ({ headers: { authorization: '' } }),
        status: 401,
        code: 'unauthorized',
        headers: { 'www-authenticate': /^Bearer/ },
      },
      {
        name: 'Basic',
        init: () => ({ headers: { authorization: `Basic ${key}` } }),
        status: 401,
        code: 'unauthorized',
        headers: { 'www-authenticate': /^Bearer/ },
      },
      {
        name: 'a malformed key',
        init: () => ({ headers: { authorization: 'Bearer hunter2' } }),
        status: 401,
        code: 'unauthorized',
        headers: { 'www-authenticate': /^Bearer/ },
      },
      {
        name: 'a wrong checksum',
        init: () => ({ headers: { authorization: `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` } }),
        status: 401,
        code: 'unauthorized',
      },
      {
        name: 'a key of production',
        init: () => ({ headers: { authorization: `Bearer ${createKey('production', 'ev').key}` } }),
        status: 403,
        code: 'environment_mismatch',
      },
      {
        name: 'an unknown key',
        init: () => ({ headers: { authorization: `Bearer ${lostKey()}` } }),
        status: 401,
        code: 'unauthorized',
        headers: { 'www-authenticate': /invalid_token/ },
      },
      {
        name: 'a data key',
        init: () => ({ headers: { authorization: `Bearer ${createKey('test', 'dt').key}` } }),
        status: 401,
        code: 'unauthorized',
      },
      {
        name: 'a revoked key',
        init: () => ({ headers: { authorization: `Bearer ${gateway.newKey(platform, { revokedAtMs: 1 })}` } }),
        status: 401,
        code: 'unauthorized',
      },
      {
        name: 'an expired key',
        init: () => ({ headers: { authorization: `Bearer ${gateway.newKey(platform, { notAfterMs: Date.now() })}` } }),
        status: 401,
        code: 'unauthorized',
      },
      {
        name: 'no media type',
        init: () => ({ body: new Blob(['{}']), headers: { 'content-type': '' } }),
        status: 415,
        code: 'unsupported_media_type',
      },
      {
        name: 'another media type, before the size',
        init: () => ({ headers: { 'content-type': 'text/plain' }, body: bigBody }),
        status: 415,
        code: 'unsupported_media_type',
      },
      {
        name: 'a vendor type with the same beginning',
        init: () => ({ headers: { 'content-type': 'application/jsonx' } }),
        status: 415,
        code: 'unsupported_media_type',
      },
      {
        name: 'another charset',
        init: () => ({ headers: { 'content-type': 'application/json; charset=iso-8859-1' } }),
        status: 415,
        code: 'unsupported_media_type',
      },
      {
        name: 'a content coding',
        init: () => ({ headers: { 'content-encoding': 'gzip' } }),
        status: 415,
        code: 'unsupported_media_type',
      },
      { name: 'a body over 64 KiB', init: () => ({ body: bigBody }), status: 413, code: 'payload_too_large' },
    ];
    it.each(cases)('$name', async ({ init, target, status, code: expected, headers = {} }) => {
      const answer = await send(init(), target);
      expect([answer.status, await code(answer)]).toEqual([status, expected]);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      for (const [name, pattern] of Object.entries(headers)) expect(answer.headers.get(name)).toMatch(pattern);
      expect(ingestion.batches).toEqual([]);
    });

    it('every method other than POST', async () => {
      for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PATCH', 'M-SEARCH']) {
        const answer = await rawExchange(gateway.port, `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, {
          quietMs: 50,
        });
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'POST']);
      }
    });
  });

  it('accepts every spelling of JSON in UTF-8', async () => {
    for (const type of ['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"', 'application/json; v=1'])
      expect((await send({ headers: { 'content-type': type } })).status).toBe(200);
    expect((await send({ headers: { 'content-encoding': 'identity' } })).status).toBe(200);
  });

  it('accepts exactly 64 KiB, with or without Content-Length', async () => {
    const body = 'x'.repeat(64 * 1024);
    expect((await send({ body })).status).toBe(200);
    const chunked = new Blob([body]).stream();
    expect((await send({ body: chunked, duplex: 'half' } as Sending)).status).toBe(200);
    expect(ingestion.batches.flat().map((event) => event.body.length)).toEqual([65536, 65536]);
  });

  it('refuses while paused and when a record is unreadable or the view is old', async () => {
    gateway.keys.setIntegration(platform, { status: 'paused' });
    const paused = await send();
    expect([paused.status, await code(paused), paused.headers.get('retry-after')]).toEqual([
      403,
      'integration_paused',
      '300',
    ]);
    gateway.keys.setIntegrationUnreadable(platform);
    expect((await send()).status).toBe(503);
    gateway.keys.setIntegration(platform, { status: 'active' });
    expect((await send()).status).toBe(200);
    gateway.viewAgeMs = 60_001;
    const old = await send();
    expect([old.status, await code(old), old.headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
  });

  it('counts two keys of a platform against one rate and refuses above it before the body is read', async () => {
    const keys = [key, gateway.newKey(platform)];
    const startedMs = performance.now();
    // The requests of each key are sent at once, so that a slow machine does not change the result.
    const exchanges = await Promise.all(
      keys.map((each) => {
        const request = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${each}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
        return rawExchange(gateway.port, request.repeat(80), { quietMs: 100, responses: 80 });
      }),
    );
    const text = exchanges.map((exchange) => exchange.text).join('');
    const admitted = text.match(/HTTP\/1\.1 200 /g)?.length ?? 0;
    const [refused] = /HTTP\/1\.1 429 [^]*?\r\n\r\n[^]*?}}/.exec(text) ?? [''];
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(160);
    expect(admitted).toBeGreaterThanOrEqual(40);
    expect(admitted).toBeLessThanOrEqual(40 + (40 * (performance.now() - startedMs)) / 1000);
    expect(refused).toContain('"code":"rate_limited"');
    expect(refused).toMatch(/^retry-after: 1\r$/m);
    expect(refused).toMatch(/^ratelimit-remaining: 0\r$/m);
    const unread = await send({ headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(70_000) });
    expect([429, 415]).toContain(unread.status);
    const other = await send({ headers: { authorization: `Bearer ${gateway.newKey(freshName('p'))}` } });
    expect(other.status).toBe(200);
  });

  it('closes connections while draining', async () => {
    gateway.draining = true;
    const answer = await send();
    gateway.draining = false;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  });
});
