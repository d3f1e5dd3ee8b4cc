import { setTimeout as sleep } from 'node:timers/promises';
import { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { EventScope, createKey, eventStatusPath, recordKey, platformHeader, reconcilePath } from '@podium/messages';
import { internalTokenHeader } from '@podium/runtime/http';
import { localStack } from '@podium/testing';
import { Redis } from 'ioredis';
import { internalToken } from '../../test/fake-ingestion';
import { FakeUpstream, refuseGateway } from '../../test/fake-upstream';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';

// A separate Redis database, so that flushing it does not disturb other specs.
const redisUrl = new URL('/8', localStack().redisUrl).href;
const paths = { reconcile: '/cdp/v1/users/events/reconcile', status: '/cdp/v1/users/events/status' };
const mib = 1024 * 1024;

describe('questions about event ids at the edge', () => {
  const engagement = new FakeUpstream();
  const redis = new Redis(redisUrl);
  const gateways: GatewayUnderTest[] = [];
  let bodies: string[];
  let upstreamUrl: string;
  let platforms = 0;

  beforeAll(async () => {
    upstreamUrl = await engagement.start();
    for (let each = 0; each < 2; each++)
      gateways.push(await startGateway({ redisUrl, ingestionUrls: [], upstreamUrl }));
  });

  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    await engagement.stop();
    redis.disconnect();
  });

  beforeEach(() => {
    bodies = [];
    engagement.seen.length = 0;
    engagement.answer = (response, request) => void answer(request, response.end.bind(response));
  });

  it('forwards ids and query as bytes, with the platform of the key and never the key', async () => {
    const key = newKey('a/b ü');
    const body = '{"ids":["a","\\u0062"]}';
    const reconciled = await reconcile(key, body, { headers: { [platformHeader]: 'other' } });
    expect([reconciled.status, await reconciled.json()]).toEqual([200, { missing: [] }]);
    expect(reconciled.headers.get('ratelimit-limit')).toBe('4, 4;w=1');
    await status(key, '?id=a%2Fb&x=%zz');
    expect(bodies).toEqual([body, '']);
    expect(engagement.seen.map(({ method, url }) => [method, url])).toEqual([
      ['POST', reconcilePath],
      ['GET', `${eventStatusPath}?id=a%2Fb&x=%zz`],
    ]);
    for (const { headers } of engagement.seen) {
      expect(headers[platformHeader]).toBe(encodeURIComponent('a/b ü'));
      expect(headers[internalTokenHeader]).toBe(internalToken);
      expect(JSON.stringify(headers)).not.toContain(key);
    }
  });

  const anyBody = '{"ids":[]}';
  it.each<[string, number, string, () => Promise<Response>]>([
    ['no key', 401, 'unauthorized', () => fetch(gateways[0].url + paths.reconcile, { method: 'POST', body: anyBody })],
    ['a data key', 401, 'unauthorized', () => reconcile(gateways[0].newDataKey({}).key, anyBody)],
    ['an unknown key', 401, 'unauthorized', () => reconcile(createKey('test', 'ev').key, anyBody)],
    ['a key of production', 403, 'environment_mismatch', () => reconcile(createKey('production', 'ev').key, anyBody)],
    ['an expired key', 401, 'unauthorized', () => reconcile(gateways[0].newKey('acme', { notAfterMs: 1 }), anyBody)],
    ['another method', 405, 'method_not_allowed', () => reconcile(newKey(), undefined, { method: 'GET' })],
    ['a post of a status', 405, 'method_not_allowed', () => status(newKey(), '?id=a', { method: 'POST' })],
    ['a path below', 404, 'not_found', () => fetch(`${gateways[0].url}${paths.status}/a`)],
    [
      'no media type',
      415,
      'unsupported_media_type',
      () => reconcile(newKey(), anyBody, { headers: { 'content-type': 'text/plain' } }),
    ],
    [
      'a compressed body',
      415,
      'unsupported_media_type',
      () => reconcile(newKey(), anyBody, { headers: { 'content-encoding': 'gzip' } }),
    ],
    ['more than 3 MiB', 413, 'payload_too_large', () => reconcile(newKey(), ' '.repeat(3 * mib + 1))],
    ['a status without a key', 401, 'unauthorized', () => fetch(`${gateways[0].url}${paths.status}?id=a`)],
  ])('refuses %s with %i %s, without asking engagement', async (_what, expected, code, request) => {
    const response = await request();
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      expected,
      code,
    ]);
    expect(engagement.seen).toEqual([]);
  });

  it('refuses a paused integration', async () => {
    const platform = newPlatform();
    const key = newKey(platform);
    for (const { keys } of gateways)
      keys.setIntegration(recordKey(platform), { status: 'paused', rate_per_second: 40 });
    expect((await status(key, '?id=a')).status).toBe(403);
  });

  it('needs the scope to read', async () => {
    for (const key of [newKey(newPlatform(), ['events:send']), newKey(newPlatform(), [])]) {
      const answers = [await status(key, '?id=a'), await reconcile(key, anyBody)];
      expect(answers.map((each) => each.status)).toEqual([403, 403]);
    }
    expect((await status(newKey(newPlatform(), ['events:read']), '?id=a')).status).toBe(200);
  });

  it('takes 3 MiB, and at most 4 questions of a platform at once over both instances', async () => {
    const key = newKey();
    expect((await reconcile(key, `{"ids":["a"]${' '.repeat(3 * mib - 13)}}`)).status).toBe(200);
    const startedMs = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => status(key, '?id=a', { gateway: gateways[at % 2] })),
    );
    const tookS = (performance.now() - startedMs) / 1000;
    const refused = answers.filter((each) => each.status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(Math.max(1, Math.floor(24 - 4 - 4 * tookS)));
    expect(refused[0].headers.get('retry-after')).toBe('1');
    // Nobody else is slowed down.
    expect((await status(newKey(), '?id=a')).status).toBe(200);
  });

  it('has one reconcile request of a platform under way over both instances, also after FLUSHALL within one', async () => {
    let release = (): void => undefined;
    engagement.answer = (response, request) => void (release = () => void answer(request, response.end.bind(response)));
    const [key, other] = [newKey(), newKey()];
    const first = reconcile(key, anyBody);
    while (engagement.seen.length === 0) await sleep(5);
    for (const gateway of gateways) expect((await reconcile(key, anyBody, { gateway })).status).toBe(429);
    await redis.flushdb();
    expect((await reconcile(key, anyBody, { gateway: gateways[0] })).status).toBe(429);
    release();
    expect((await first).status).toBe(200);
    engagement.answer = (response, request) => void answer(request, response.end.bind(response));
    expect((await reconcile(other, anyBody, { gateway: gateways[1] })).status).toBe(200);
    await sleep(1_000);
    expect((await reconcile(key, anyBody, { gateway: gateways[1] })).status).toBe(200);
  });

  it('passes errors of engagement on, and answers 503 when it does not answer or refuses the gateway', async () => {
    engagement.answer = (response) =>
      response.writeHead(503, { 'retry-after': '2', 'content-type': 'application/json' }).end('{"error":{}}');
    const behind = await status(newKey(), '?id=a');
    expect([behind.status, behind.headers.get('retry-after')]).toEqual([503, '2']);
    engagement.answer = (response) => void response.destroy();
    const gone = await reconcile(newKey(), anyBody);
    expect([gone.status, await gone.json()]).toEqual([
      503,
      { error: expect.objectContaining({ code: 'unavailable' }) as unknown },
    ]);
    engagement.answer = refuseGateway;
    const refused = [await status(newKey(), '?id=a'), await reconcile(newKey(), anyBody)];
    expect(refused.map((each) => [each.status, each.headers.get('www-authenticate')])).toEqual([
      [503, null],
      [503, null],
    ]);
  });

  function newPlatform(): string {
    return `platform-${(platforms += 1)}-${process.pid}`;
  }

  /** A key that all gateways know. */
  function newKey(platform = newPlatform(), scopes?: EventScope[]): string {
    const { key, keyId, hash } = createKey('test', 'ev');
    for (const { keys } of gateways)
      keys.setKey(keyId, {
        ...{ key_id: keyId, kind: 'event', hash, integration_id: 'integration', platform, scopes: [] },
        ...(scopes && { event_scopes: scopes }),
        ...{ rate_per_second: 40, not_after: null, revoked_at: null },
      });
    return key;
  }

  async function answer(request: IncomingMessage, end: (body: string) => void): Promise<void> {
    bodies.push(await text(request));
    end(request.url === reconcilePath ? '{"missing":[]}' : '{"accepted":true}');
  }

  interface Asked {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly gateway?: GatewayUnderTest;
  }

  function reconcile(key: string, body: string | undefined, asked: Asked = {}): Promise<Response> {
    const { method = 'POST', headers, gateway = gateways[0] } = asked;
    const own = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
    return fetch(gateway.url + paths.reconcile, { method, body, headers: own });
  }

  function status(key: string, query: string, { method, gateway = gateways[0] }: Asked = {}): Promise<Response> {
    return fetch(gateway.url + paths.status + query, { method, headers: { authorization: `Bearer ${key}` } });
  }
});
