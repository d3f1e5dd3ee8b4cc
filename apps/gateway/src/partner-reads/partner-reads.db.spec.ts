import { Redis } from 'ioredis';
import { createKey } from '@podium/messages';
import { localStack } from '@podium/testing';
import { internalToken } from '../../test/fake-ingestion';
import { FakeUpstream, ok, refuseGateway } from '../../test/fake-upstream';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';

// A separate Redis database, so that flushing it does not disturb other specs.
const redisUrl = new URL('/10', localStack().redisUrl).href;

describe.each([
  ['/cdp/v1/contract', '/internal/v1/contract'],
  ['/cdp/v1/refusals', '/internal/v1/refusals'],
  ['/cdp/v1/drift', '/internal/v1/drift'],
])('GET %s', (path, internalPath) => {
  const upstream = new FakeUpstream();
  const redis = new Redis(redisUrl);
  let gateway: GatewayUnderTest;
  let key: string;

  beforeAll(async () => {
    const upstreamUrl = await upstream.start();
    gateway = await startGateway({ redisUrl, ingestionUrls: [], upstreamUrl });
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.stop();
    await redis.quit();
  });
  beforeEach(async () => {
    await redis.flushdb();
    key = gateway.newKey('acme');
    gateway.keys.setIntegration('acme', null);
    gateway.viewAgeMs = 0;
    upstream.seen.length = 0;
    upstream.answer = ok;
  });

  function read(given: string | undefined, init: RequestInit & { query?: string } = {}): Promise<Response> {
    const { query = '', headers, ...rest } = init;
    const authorization = given === undefined ? undefined : { authorization: given };
    return fetch(`${gateway.url}${path}${query}`, { ...rest, headers: { ...authorization, ...headers } });
  }

  it('reads of the platform of the key, whatever the client says', async () => {
    const answer = await read(`Bearer ${key}`, {
      query: '?limit=2&platform=zenith',
      headers: { 'x-podium-platform': 'zenith', 'if-none-match': '"x"', cookie: 'a=b' },
    });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
    expect(answer.headers.get('ratelimit-limit')).toBe('40, 40;w=1');
    expect(answer.headers.get('ratelimit-remaining')).toBe('39');
    const [seen] = upstream.seen;
    expect(seen).toMatchObject({ method: 'GET', url: `${internalPath}?limit=2&platform=zenith` });
    expect(seen.headers).toMatchObject({
      ...{ 'x-podium-platform': 'acme', 'x-podium-internal-token': internalToken, 'if-none-match': '"x"' },
      'x-request-id': answer.headers.get('x-request-id'),
    });
    expect(seen.headers.authorization ?? seen.headers.cookie).toBeUndefined();
  });

  it.each<[string, () => string | undefined, number, string]>([
    ['without a key', () => undefined, 401, 'unauthorized'],
    ['with a malformed key', () => 'Bearer x', 401, 'unauthorized'],
    ['with an unknown key', () => `Bearer ${createKey('test', 'ev').key}`, 401, 'unauthorized'],
    ['with a data key', () => `Bearer ${gateway.newDataKey().key}`, 401, 'unauthorized'],
    ['with a revoked key', () => `Bearer ${gateway.newKey('acme', { revokedAtMs: 1 })}`, 401, 'unauthorized'],
    ['with an expired key', () => `Bearer ${gateway.newKey('acme', { notAfterMs: 1 })}`, 401, 'unauthorized'],
    ['of the other environment', () => `Bearer ${createKey('production', 'ev').key}`, 403, 'environment_mismatch'],
    [
      'with a key that only sends',
      () => `Bearer ${gateway.newKey('acme', { scopes: ['events:send'] })}`,
      403,
      'forbidden',
    ],
  ])('refuses a read %s', async (_name, credential, status, code) => {
    const answer = await read(credential());
    expect([answer.status, await answer.json()]).toEqual([
      status,
      { error: expect.objectContaining({ code, message: expect.any(String) as string }) },
    ]);
    expect(answer.headers.has('www-authenticate')).toBe(status === 401);
    expect(upstream.seen).toEqual([]);
  });

  it('refuses while the integration is paused, its record is unreadable, or keys are stale', async () => {
    const outcome = async (): Promise<unknown[]> => {
      const answer = await read(`Bearer ${key}`);
      const { error } = (await answer.json()) as { error: { code: string } };
      return [answer.status, error.code, answer.headers.has('retry-after')];
    };
    gateway.keys.setIntegration('acme', { status: 'paused' });
    expect(await outcome()).toEqual([403, 'integration_paused', true]);
    gateway.keys.setIntegrationUnreadable('acme');
    expect(await outcome()).toEqual([503, 'unavailable', true]);
    gateway.keys.setIntegration('acme', { status: 'active' });
    gateway.viewAgeMs = 60_001;
    expect(await outcome()).toEqual([503, 'unavailable', true]);
  });

  it('takes a request of the rate of the integration, which events share', async () => {
    gateway.keys.setIntegration('acme', { status: 'active', rate_per_second: 3 });
    // Its media type is refused after its rate was charged, so that no event waits for ingestion.
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/plain' };
    const send = (): Promise<Response> =>
      fetch(`${gateway.url}/cdp/v1/users/events/send`, { method: 'POST', headers, body: '{}' });
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 9 }, () => [read(`Bearer ${key}`), send()]).flat());
    const passedS = (performance.now() - startedMs) / 1000;
    const admitted = answers.filter(({ status }) => status !== 429);
    expect(admitted.length).toBeGreaterThanOrEqual(3);
    expect(admitted.length).toBeLessThanOrEqual(3 + 3 * passedS);
    const limited = answers.filter((_answer, at) => at % 2 === 0).find(({ status }) => status === 429)!;
    expect(limited.headers.get('ratelimit-limit')).toBe('3, 3;w=1');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('refuses other methods, other paths and bodies', async () => {
    const posted = await read(`Bearer ${key}`, { method: 'POST', body: '{}' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(`${gateway.url}${path}/x`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(404);
    expect(upstream.seen).toEqual([]);
  });

  it('asks another address when one is unreachable or breaks the connection, and 503 when all are', async () => {
    const [broken, healthy] = [new FakeUpstream(), new FakeUpstream()];
    broken.answer = (response) => response.destroy();
    const urls = ['http://127.0.0.1:9', await broken.start(), await healthy.start()];
    const several = await startGateway({ redisUrl, ingestionUrls: [], partnerReadUrls: urls });
    const headers = { authorization: `Bearer ${several.newKey('acme')}` };
    for (let round = 0; round < 6; round++)
      expect((await fetch(`${several.url}${path}`, { headers })).status).toBe(200);
    expect(healthy.seen).toHaveLength(6);
    // Those that failed rest: they are asked last.
    expect(broken.seen.length).toBeLessThanOrEqual(1);
    await healthy.stop();
    expect((await fetch(`${several.url}${path}`, { headers })).status).toBe(503);
    expect(broken.seen.length).toBeGreaterThanOrEqual(1);
    await several.stop();
    await broken.stop();
  });

  it('answers 503 when ingestion refuses the gateway, because the key of the partner is valid', async () => {
    upstream.answer = refuseGateway;
    const answer = await read(`Bearer ${key}`);
    const { error } = (await answer.json()) as { error: { code: string } };
    expect([answer.status, error.code, answer.headers.has('retry-after')]).toEqual([503, 'unavailable', true]);
    expect(upstream.seen).toHaveLength(1);
    upstream.answer = ok;
    expect((await read(`Bearer ${key}`)).status).toBe(200);
  });

  it('answers 503 when ingestion does not, and passes its 304 on', async () => {
    upstream.answer = (response) => response.destroy();
    const lost = await read(`Bearer ${key}`);
    expect([lost.status, ((await lost.json()) as { error: { code: string } }).error.code]).toEqual([
      503,
      'unavailable',
    ]);
    upstream.answer = (response) => response.writeHead(304, { etag: '"x"' }).end();
    const same = await read(`Bearer ${key}`);
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, '"x"', '']);
  });
});
