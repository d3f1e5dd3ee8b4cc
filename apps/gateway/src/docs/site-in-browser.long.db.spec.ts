import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '@podium/messages';
import { axeFindings, colourRules } from '@podium/testing/axe-findings';
import { launchBrowser } from '@podium/testing/browser';
import { Browser, BrowserContext, Page } from 'playwright-core';
import { buildSiteOnce } from '../../test/built-docs';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { brokenWords, cutOff } from '../../test/page-checks';

const docsDir = join(__dirname, '../../../../docs');
const pages = readdirSync(join(docsDir, 'site'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => (name === 'index.md' ? '/docs/' : `/docs/${name.slice(0, -'.md'.length)}`));
const references = ['/docs/api/partner-events', '/docs/api/competition-data'];
/** Folder for screenshots of the pages, for manual review. */
const picturesFolder = process.env.PODIUM_PICTURES;

describe('the documentation site in a browser', () => {
  let gateway: GatewayUnderTest;
  let browser: Browser;

  beforeAll(async () => {
    buildSiteOnce();
    gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [], docsDir });
    browser = await launchBrowser();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  /** Opens a page; resolves when the site's script has taken over what the server sent. */
  async function visit(page: Page, path: string): Promise<void> {
    await page.goto(gateway.url + path);
    await page.waitForFunction(`document.querySelector('#app').__vue_app__ !== undefined`);
  }

  describe('390 px wide, in light and dark colours', () => {
    const errors: string[] = [];
    const foreign: string[] = [];
    let context: BrowserContext;
    let page: Page;

    beforeAll(async () => {
      context = await browser.newContext({ colorScheme: 'light', viewport: { width: 390, height: 844 } });
      page = await context.newPage();
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => ['error', 'warning'].includes(message.type()) && errors.push(message.text()));
      context.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${gateway.url}/`))
          foreign.push(request.url());
      });
    });
    afterAll(() => context.close());

    it.each(pages)('%s has no axe finding, cuts nothing off, and keeps its policy', async (path) => {
      errors.length = foreign.length = 0;
      await page.emulateMedia({ colorScheme: 'light' });
      await visit(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate<number>(overflow)).toBe(0);
      expect(await cutOff(page)).toEqual([]);
      expect(await brokenWords(page, Object.keys(errorCatalogue))).toEqual([]);
      expect(await axeFindings(page)).toEqual([]);
      const picture = `${picturesFolder}/site${path.replaceAll(/\W+/g, '-')}`;
      if (picturesFolder) await page.screenshot({ path: `${picture}-light.png` });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark').waitFor();
      await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
      // In other colours the elements are the same.
      expect(await axeFindings(page, colourRules)).toEqual([]);
      expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
      if (picturesFolder) await page.screenshot({ path: `${picture}-dark.png` });
    });

    it('opens a page whose file a release has renamed', async () => {
      const map = readFileSync(join(docsDir, 'site/.vitepress/dist/hashmap.json'), 'utf8');
      const { 'linking.md': hash } = JSON.parse(map) as Readonly<Record<string, string>>;
      await visit(page, '/docs/limits');
      const asked: string[] = [];
      await context.route(/\/docs\/(hashmap\.json|assets\/linking\.md\.)/, async (route) => {
        const { pathname } = new URL(route.request().url());
        asked.push(pathname);
        if (pathname.includes(`.${hash}.`)) return route.fulfill({ status: 404, body: '{"error":{}}' });
        const response = await fetch(gateway.url + pathname.replace('.released.', `.${hash}.`));
        const body = (await response.text()).replaceAll(`"${hash}"`, '"released"');
        return route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
      });
      await page.locator('.VPLocalNav button.menu').click();
      await page.locator('.VPSidebar a[href="/docs/linking"]').click();
      await page.getByRole('heading', { level: 1, name: 'Account linking' }).waitFor({ timeout: 5_000 });
      expect(asked).toContain(`/docs/assets/linking.md.${hash}.js`);
      await context.unrouteAll();
    });
  });

  it('shows every language of a sample without scripts, and what the reference needs', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${gateway.url}/docs/`);
    const group = page.locator('.vp-code-group').first();
    const blocks = await group.locator('.blocks > div').all();
    expect(await Promise.all(blocks.map((block) => block.isVisible()))).toEqual([true, true, true]);
    expect(await group.locator('.tabs').isVisible()).toBe(false);
    await page.goto(gateway.url + references[0]);
    expect(await page.locator('noscript').innerText()).toContain('needs JavaScript');
    await context.close();
  });

  it('finds each error code by search, within the origin', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await visit(page, '/docs/');
    await page.keyboard.press('Control+k');
    const box = page.locator('#localsearch-input');
    const missing: string[] = [];
    for (const code of Object.keys(errorCatalogue)) {
      await box.fill(code);
      const found = page.locator(`.VPLocalSearchBox a[href$="/docs/errors#${code}"]`);
      await found.waitFor({ timeout: 5_000 }).catch(() => missing.push(code));
      expect(await brokenWords(page, [code])).toEqual([]);
    }
    expect(missing).toEqual([]);
    if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/site-search.png` });
    await context.close();
  }, 240_000);

  it('copies a sample with the address of this deployment, and shows the focus on its languages', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await visit(page, '/docs/');
    await page.locator('div.language-sh button.copy').first().click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain("curl -i 'http://gateway.example/cdp/v1/users/events/send'");
    await page.locator('.vp-code-group input').first().focus();
    await page.keyboard.press('ArrowRight');
    const outline = await page.evaluate<string>(
      'getComputedStyle(document.activeElement.nextElementSibling).outlineStyle',
    );
    expect(outline).toBe('solid');
    if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/site-desktop.png` });
    await context.close();
  });

  it('has no dead link or anchor, no placeholder, and a hash for each script', async () => {
    const dead: string[] = [];
    const bodies = new Map<string, string>();
    const read = async (path: string): Promise<string | undefined> => {
      const known = bodies.get(path);
      if (known !== undefined) return known;
      const response = await fetch(gateway.url + path);
      const body = await response.text();
      // 503 is a route of a service that does not run here; a path without a route is a 404.
      if (!response.ok && response.status !== 503) return undefined;
      bodies.set(path, body);
      return body;
    };
    for (const path of [...pages, ...references]) {
      const body = (await read(path)) ?? '';
      expect(body).not.toMatch(/podium\.invalid|environmentpodium|<script[^>]* style=/);
      for (const [, link] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const url = new URL(link, gateway.url + path);
        if (url.origin !== gateway.url && url.origin !== 'http://gateway.example') continue;
        const target = await read(url.pathname);
        const id = decodeURIComponent(url.hash.slice(1));
        if (target === undefined || (id && !target.includes(`id="${id}"`))) dead.push(`${path} → ${link}`);
      }
    }
    expect(dead).toEqual([]);
  }, 60_000);

  it('is built from sources that name no address of a deployment', () => {
    for (const name of readdirSync(join(docsDir, 'site/samples')))
      expect([name, readFileSync(join(docsDir, 'site/samples', name), 'utf8')]).toEqual([
        name,
        expect.stringContaining('https://address.podium.invalid'),
      ]);
  });
});

/** By how many pixels a page, or one of its visible texts, is wider than the window; what scrolls by itself may be. */
const overflow = `Math.max(
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
  ...[...document.querySelectorAll('.vp-doc h1, .vp-doc h2, .vp-doc h3, .vp-doc p, .vp-doc li')].map(
    (element) => element.scrollWidth - element.clientWidth,
  ).map((wider) => Math.max(0, wider)),
)`;
