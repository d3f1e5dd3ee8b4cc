import { FakeUpstream } from '../../test/fake-upstream';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('errors at the edge', () => {
  const service = new FakeUpstream();
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    const upstreamUrl = await service.start();
    gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [], upstreamUrl });
  });
  afterAll(async () => {
    await gateway.stop();
    await service.stop();
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(gateway.url + path, { headers });

  it.each(['/nothing', '/docs/nothing', '/Connect', '/v1/nothing', '/%zz'])(
    'show a browser a page for %s, with the request id and a link',
    async (path) => {
      const answer = await get(path, { ...browser, 'x-request-id': 'asked-by-a-person' });
      const page = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        path === '/%zz' ? 400 : 404,
        'text/html; charset=utf-8',
      ]);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-request-id')).toBe('asked-by-a-person');
      expect(page).toContain(path === '/%zz' ? '<h1>Request not accepted</h1>' : '<h1>Page not found</h1>');
      expect(page).toContain('<code>asked-by-a-person</code>');
      expect(page).toContain('<a href="/">');
      expect(page).not.toMatch(/<script|style=/);
    },
  );

  describe('of a service behind it', () => {
    const failing = (status: number, headers: Record<string, string> = {}): void => {
      service.answer = (response) =>
        response
          .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'x-kept': 'yes', ...headers })
          .end('{"error":{"code":"c","message":"m"}}');
    };

    it.each([
      [404, 'Page not found'],
      [429, 'Too many requests'],
      [500, 'Something went wrong'],
      [503, 'Service unavailable'],
    ])('become a page when it answers %i in JSON', async (status, title) => {
      failing(status, { 'retry-after': '7', 'x-content-type-options': 'nosniff' });
      const answer = await get('/connect/nothing', browser);
      const page = await answer.text();
      expect([answer.status, page]).toEqual([status, expect.stringContaining(`<h1>${title}</h1>`)]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect([answer.headers.get('x-kept'), answer.headers.get('retry-after')]).toEqual(['yes', '7']);
      if (status === 429) expect(page).toContain('Wait 7 seconds');
    });

    it('stay unchanged for its own scripts, at an API, and when it has its own page', async () => {
      failing(404);
      expect(await (await get('/connect/nothing')).json()).toMatchObject({ error: { code: 'c' } });
      expect(await (await get('/v1/me/links', browser)).json()).toMatchObject({ error: { code: 'c' } });
      failing(404, { 'content-type': 'text/html' });
      expect(await (await get('/connect/nothing', browser)).text()).toContain('"code":"c"');
    });
  });

  it('have Retry-After while a service is unavailable', async () => {
    service.answer = (response) => void response.socket?.destroy();
    const answer = await get('/connect', browser);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    const page = await answer.text();
    expect(page).toContain('<h1>Service unavailable</h1>');
    expect(page).toContain('Wait 2 seconds, then reload this page.');
  });

  it('stay JSON for programs, and at the APIs for all clients', async () => {
    service.answer = (response) => void response.socket?.destroy();
    const asked: readonly [string, Record<string, string>][] = [
      ['/nothing', {}],
      ['/nothing', { accept: 'application/json' }],
      ['/nothing', { accept: '*/*' }],
      ['/docs/nothing', { accept: '*/*' }],
      ['/connect', { accept: 'application/json' }],
      ['/admin/v1/nothing', browser],
      ['/v1/me/links', browser],
      ['/cdp/v1/users/events/send', browser],
      ['/data/v4/games', browser],
    ];
    for (const [path, headers] of asked) {
      const answer = await get(path, headers);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(Object.keys((await answer.json()) as object)).toEqual([path.startsWith('/data') ? 'errors' : 'error']);
    }
  });

  it('have no body for HEAD', async () => {
    const answer = await fetch(`${gateway.url}/nothing`, { method: 'HEAD', headers: browser });
    expect([answer.status, await answer.text()]).toEqual([404, '']);
  });
});
