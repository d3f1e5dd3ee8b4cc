import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Environment } from '@podium/messages';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { DocsSite } from './docs-site';

const realDocs = join(__dirname, '../../../../docs');

describe('/docs', () => {
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [] });
  });
  afterAll(() => gateway.stop());

  it('describes the service at / with links, all of which resolve', async () => {
    const answer = await fetch(gateway.url);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).toContain('<title>Podium</title>');
    expect(page).not.toMatch(/<script|style=|<%/);
    const links = new Set([...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link));
    for (const link of ['/connect', '/docs/', '/docs/data', '/docs/errors', '/docs/api/partner-events'])
      expect(links).toContain(link);
    // Linkage serves /connect, and the built site has the pages below; neither is here.
    for (const path of ['/connect', '/docs/', '/docs/linking', '/docs/data', '/docs/errors']) links.delete(path);
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

  it('serves OpenAPI and a page that renders it with the site’s own scripts only', async () => {
    const api = await fetch(`${gateway.url}/docs/openapi/partner-events.json`);
    expect(await api.json()).toMatchObject({ info: { title: 'Partner events' } });
    const page = await fetch(`${gateway.url}/docs/api/partner-events`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const text = await page.text();
    const links = [...text.matchAll(/(?:src|href)="(\/docs\/(?:assets|openapi)\/[^"]+)"/g)].map(([, link]) => link);
    expect(links).toContain('/docs/assets/openapi-explorer.js');
    // It is part of the built site, which is not here.
    for (const link of links.filter((each) => each !== '/docs/assets/openapi-explorer.js')) {
      const answer = await fetch(gateway.url + link);
      expect(answer.status).toBe(200);
      // A large unread body would keep its connection open.
      await answer.arrayBuffer();
    }
    expect(text).not.toMatch(/<script>/);
  });

  it('lets a reader try the reads of competition data, and events in the test environment alone', async () => {
    const triedIn = (environment: Environment): string[] => {
      const site = new DocsSite({ docsDir: realDocs, publicUrl: 'https://events.example', environment });
      return ['competition-data', 'partner-events', 'operators', 'me-links'].filter(
        (name) => !site.page(`/docs/api/${name}`)?.body.toString().includes('hide-console hide-authentication'),
      );
    };
    expect(triedIn('test')).toEqual(['competition-data', 'partner-events']);
    expect(triedIn('production')).toEqual(['competition-data']);
    const page = await fetch(`${gateway.url}/docs/api/competition-data`);
    const policy = page.headers.get('content-security-policy');
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'"])
      expect(policy).toContain(rule);
  });

  it('leads from each reference to a list of all of them', () => {
    const site = new DocsSite({ docsDir: realDocs, publicUrl: 'https://events.example', environment: 'test' });
    const bodyOf = (path: string): string => site.page(path)?.body.toString() ?? '';
    const names = readdirSync(join(realDocs, 'openapi')).map((file) => file.replace(/\.json$/, ''));
    for (const name of names) {
      const [, path, id] = /href="([^"#]*)(?:#([^"]*))?">All APIs/.exec(bodyOf(`/docs/api/${name}`)) ?? [];
      if (id) expect(bodyOf(path)).toContain(`id="${id}"`);
      for (const each of names) expect(bodyOf(path)).toContain(`href="/docs/api/${each}"`);
    }
  });

  it('returns 304 for unchanged pages and 404 for unknown ones', async () => {
    const { headers } = await fetch(`${gateway.url}/docs/openapi/partner-events.json`);
    const etag = headers.get('etag') ?? '';
    for (const [known, status] of [
      [etag, 304],
      [`W/${etag}`, 304],
      [`"other", ${etag}`, 304],
      ['*', 304],
      ['"other"', 200],
    ] as const) {
      const again = await fetch(`${gateway.url}/docs/openapi/partner-events.json`, {
        headers: { 'if-none-match': known },
      });
      expect([known, again.status]).toEqual([known, status]);
    }
    for (const path of ['/docs/nothing', '/docs/openapi/../../package.json', '/docs/__proto__']) {
      const answer = await fetch(gateway.url + path);
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
    }
    expect((await fetch(`${gateway.url}/docs/openapi/partner-events.json`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${gateway.url}/docs/openapi/partner-events.json`, { method: 'HEAD' })).status).toBe(200);
  });
});
