import { launchBrowser } from '@podium/testing/browser';
import { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';

/** Folder for screenshots of the pages, for manual review. */
const picturesFolder = process.env.PODIUM_PICTURES;

/** 200 % zoom halves the width that a page has, at twice the pixels. */
const screens: Readonly<Record<string, BrowserContextOptions>> = {
  'desktop 1280': { viewport: { width: 1280, height: 900 } },
  'phone 375': { viewport: { width: 375, height: 740 } },
  '1280 at 200 % zoom': { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
  'dark phone 375': { viewport: { width: 375, height: 740 }, colorScheme: 'dark' },
};

describe('pages for people at the gateway', () => {
  let gateway: GatewayUnderTest;
  let browser: Browser;

  beforeAll(async () => {
    gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [] });
    browser = await launchBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await gateway.stop();
  });

  describe.each(Object.keys(screens))('on a screen: %s', (screen) => {
    const errors: string[] = [];
    let page: Page;

    beforeAll(async () => {
      page = await (await browser.newContext(screens[screen])).newPage();
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    });
    afterAll(() => page.context().close());

    it.each([
      ['/', 200, 'Podium'],
      ['/nothing', 404, 'Page not found'],
      ['/connect', 503, 'Service unavailable'],
    ])('shows %s whole, without a scroll bar below', async (path, status, heading) => {
      errors.length = 0;
      const answer = await page.goto(gateway.url + path);
      expect(answer?.status()).toBe(status);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(await overflowOf(page)).toBe(0);
      // The style sheet and the icon were allowed by the page's own policy; a status that is an error is logged as such.
      expect(errors.filter((text) => !text.includes(`status of ${status}`))).toEqual([]);
      expect(await page.evaluate<string>('getComputedStyle(document.body).fontFamily')).toContain('system-ui');
      const name = `gateway-${heading}-${screen}`.replaceAll(/\W+/g, '-').toLowerCase();
      if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/${name}.png`, fullPage: true });
    });

    it('links from an error to the start page, which links to the guide', async () => {
      await page.goto(`${gateway.url}/nothing`);
      await page.getByRole('link', { name: 'start page' }).click();
      const guide = page.getByRole('link', { name: 'Integration guide' });
      expect(await guide.getAttribute('href')).toBe('/docs/');
    });
  });
});

/** By how many pixels a page is wider than its window. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
