import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '@podium/messages';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { DocsSite } from './docs-site';

describe('/docs', () => {
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [] });
  });
  afterAll(() => gateway.stop());

  it('shows a partner how to link, send and retry in this environment', async () => {
    const answer = await fetch(`${gateway.url}/docs`);
    const page = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).toContain('curl -i http://gateway.example/cdp/v1/users/events/send');
    expect(page).toContain('podium_test_ev_');
    for (const word of ['/oauth2/token', 'redirect_uri', 'Retry-After', '/docs/api/partner-events'])
      expect(page).toContain(word);
    expect(page).toContain('name="viewport"');
    expect(page).not.toMatch(/<script|style=|<%/);
  });

  it('describes the service at / with links, all of which resolve', async () => {
    const answer = await fetch(gateway.url);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).toContain('<title>Podium</title>');
    expect(page).not.toMatch(/<script|style=|<%/);
    const links = new Set([...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link));
    for (const link of ['/connect', '/docs', '/docs/data', '/docs/errors', '/docs/api/partner-events'])
      expect(links).toContain(link);
    // Linkage serves /connect; it does not run here.
    links.delete('/connect');
    for (const link of links) expect([link, (await fetch(gateway.url + link)).status]).toEqual([link, 200]);
    expect((await fetch(gateway.url, { method: 'POST' })).status).toBe(405);
  });

  it('serves the icon of its pages, also at /favicon.ico', async () => {
    const svg = await fetch(`${gateway.url}/favicon.svg`);
    expect([svg.headers.get('content-type'), (await svg.text()).slice(0, 5)]).toEqual(['image/svg+xml', '<svg ']);
    const ico = await fetch(`${gateway.url}/favicon.ico`);
    const bytes = Buffer.from(await ico.arrayBuffer());
    expect([ico.status, ico.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
    // The ICO file contains one image, in PNG format.
    expect([bytes.readUInt16LE(4), bytes.toString('latin1', 23, 26)]).toEqual([1, 'PNG']);
  });

  it('lists every code of the catalogue with its own anchor', async () => {
    const page = await (await fetch(`${gateway.url}/docs/errors/`)).text();
    for (const [code, row] of Object.entries(errorCatalogue)) {
      expect(page).toContain(`id="${code}"`);
      expect(page).toContain(row.publicSentence.slice(0, 20).replaceAll("'", '&#39;'));
    }
    expect(page).not.toContain(errorCatalogue.user_not_linked.internalSentence);
  });

  it('serves OpenAPI and a page that renders it with the site’s own scripts only', async () => {
    const api = await fetch(`${gateway.url}/docs/openapi/partner-events.json`);
    expect(await api.json()).toMatchObject({ info: { title: 'Partner events' } });
    const page = await fetch(`${gateway.url}/docs/api/partner-events`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const text = await page.text();
    const links = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, link]) => link);
    expect(links).toContain('/docs/assets/swagger-ui-bundle.js');
    for (const link of links) {
      const answer = await fetch(gateway.url + link);
      expect(answer.status).toBe(200);
      // A large unread body would keep its connection open.
      await answer.arrayBuffer();
    }
    expect(text).not.toMatch(/<script>/);
  });

  it('lets a reader try only the reads of competition data', async () => {
    const script = async (name: string): Promise<string> =>
      (await fetch(`${gateway.url}/docs/assets/${name}.js`)).text();
    expect(await script('competition-data')).toContain('"supportedSubmitMethods":["get","head"]');
    expect(await script('partner-events')).toContain('"supportedSubmitMethods":[]');
    const page = await fetch(`${gateway.url}/docs/api/competition-data`);
    const policy = page.headers.get('content-security-policy');
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'"])
      expect(policy).toContain(rule);
  });

  it('explains how to read data in this environment', async () => {
    const page = await (await fetch(`${gateway.url}/docs/data`)).text();
    for (const word of [
      'podium_test_dt_',
      '/docs/api/competition-data',
      'queues:developer',
      'If-None-Match',
      'err_rl0',
    ])
      expect(page).toContain(word);
    expect(page).not.toMatch(/<script|style=|<%/);
    expect(await (await fetch(`${gateway.url}/docs`)).text()).toContain('href="/docs/data"');
  });

  it('explains linking, with the sequence, two servers and every finding of the check', () => {
    const docsDir = join(__dirname, '../../../../docs');
    const site = new DocsSite({ docsDir, publicUrl: 'http://gateway.example', environment: 'test' });
    const page = site.page('/docs/linking')?.body.toString();
    for (const word of ['podium-partner link-check', 'id="state_missing"', 'partner-server.mjs', 'ThreadingHTTPServer'])
      expect(page).toContain(word);
    expect(page).toContain('<img src="linking.svg" alt="Sequence of linking">');
    expect(page).not.toMatch(/<script|style=|<%/);
    expect(site.page('/docs/linking.svg')?.headers['content-type']).toBe('image/svg+xml');
    expect(site.page('/docs')?.body.toString()).toContain('href="/docs/linking"');
  });

  it('shows a complete example of a partner server in 70 lines', () => {
    const docsDir = join(__dirname, '../../../../docs');
    const site = new DocsSite({ docsDir, publicUrl: 'http://gateway.example', environment: 'test' });
    const page = site.page('/docs/partner-server')?.body.toString();
    const source = readFileSync(join(docsDir, 'examples/partner-server.mjs'), 'utf8');
    expect(page).toContain('&#39;POST /oauth2/token&#39;: ({ headers, form }) =&gt; {');
    for (const name of source.match(/^const \{ (.+) \} = process\.env;$/m)![1].split(', '))
      expect(page).toContain(`<code>${name}</code>`);
    expect(page).not.toMatch(/<script|style=|<%/);
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(70);
    expect(site.page('/docs')?.body.toString()).toContain('href="/docs/partner-server"');
    const without = new DocsSite({
      docsDir: join(docsDir, 'none'),
      publicUrl: 'http://x.example',
      environment: 'test',
    });
    expect(without.page('/docs/partner-server')).toBeUndefined();
    expect(without.page('/docs')?.body.toString()).not.toContain('/docs/partner-server');
  });

  it('returns 304 for unchanged pages and 404 for unknown ones', async () => {
    const { headers } = await fetch(`${gateway.url}/docs`);
    const again = await fetch(`${gateway.url}/docs`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    for (const path of ['/docs/nothing', '/docs/openapi/../../package.json', '/docs/__proto__']) {
      const answer = await fetch(gateway.url + path);
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
    }
    expect((await fetch(`${gateway.url}/docs`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${gateway.url}/docs`, { method: 'HEAD' })).status).toBe(200);
  });
});
