import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { axeFindings, colourRules } from '@podium/testing/axe-findings';
import { launchBrowser } from '@podium/testing/browser';
import { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildSiteOnce } from '../../test/built-docs';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';

const docsDir = join(__dirname, '../../../../docs');
const pages = readdirSync(join(docsDir, 'site'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => (name === 'index.md' ? '/docs/' : `/docs/${name.slice(0, -'.md'.length)}`));
/** Folder for screenshots of the pages, for manual review. */
const picturesFolder = process.env.PODIUM_PICTURES;

describe('the documentation site', () => {
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

  async function open(options: BrowserContextOptions): Promise<Page> {
    return (await browser.newContext(options)).newPage();
  }

  async function visit(page: Page, path: string): Promise<void> {
    await page.goto(gateway.url + path);
    await page.waitForFunction(`document.querySelector('#app').__vue_app__ !== undefined`);
  }

  const picture = async (page: Page, name: string): Promise<void> => {
    if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/site-${name}.png`, fullPage: true });
  };

  // Paper of A4 is about 720 pixels wide; in landscape, 1050.
  it.each([
    [720, 'light'],
    [1050, 'dark'],
  ] as const)(
    'prints every page whole, and black on white: %s px, %s',
    async (width, colorScheme) => {
      const page = await open({ viewport: { width, height: 900 }, colorScheme });
      for (const path of pages) {
        await page.emulateMedia({ media: 'screen' });
        await visit(page, path);
        await page.emulateMedia({ media: 'print' });
        await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
        const state = {
          scrolled: await page.evaluate<string[]>(scrolled),
          menus: await page.locator('.VPNav:visible, .VPLocalNav:visible, .VPSidebar:visible, .aside:visible').count(),
          ground: await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'),
          findings: await axeFindings(page, colourRules),
        };
        expect([path, state]).toEqual([path, { scrolled: [], menus: 0, ground: 'rgb(255, 255, 255)', findings: [] }]);
        await picture(page, `print-${colorScheme}${path.replaceAll('/', '-')}`);
      }
      await page.context().close();
    },
    120_000,
  );

  it('shows in forced colours what opens search and menus, and what is chosen', async () => {
    const page = await open({ viewport: { width: 390, height: 844 }, forcedColors: 'active' });
    await visit(page, '/docs/');
    await page.locator('.VPNavBarHamburger').waitFor();
    expect(await page.evaluate<string[]>(unseenShapes)).toEqual([]);
    const bar = `getComputedStyle(document.querySelector('.vp-code-group input:checked + label'), '::after').backgroundColor`;
    expect(await page.evaluate<string>(bar)).not.toBe(await page.evaluate<string>(ground));
    await picture(page, 'forced-colours');
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('rate');
    await page.locator('.VPLocalSearchBox .result.selected').waitFor();
    expect(await page.evaluate<string[]>(unseenShapes)).toEqual([]);
    const outline = `getComputedStyle(document.querySelector('.VPLocalSearchBox .result.selected')).outlineStyle`;
    expect(await page.evaluate<string>(outline)).toBe('solid');
    await picture(page, 'forced-colours-search');
    await page.context().close();
  });

  it.each([390, 800, 1280])('leads to every page without scripts, and shows no dead button: %s px', async (width) => {
    const page = await open({ viewport: { width, height: 844 }, javaScriptEnabled: false });
    await page.goto(`${gateway.url}/docs/`);
    await picture(page, `no-scripts-${width}`);
    expect(await page.locator('button:visible').allInnerTexts()).toEqual([]);
    const list = page.locator('.VPSidebar');
    expect(await page.evaluate<string>(`getComputedStyle(document.querySelector('.VPSidebar')).opacity`)).toBe('1');
    const links = await Promise.all((await list.getByRole('link').all()).map((link) => link.getAttribute('href')));
    expect(links.toSorted()).toEqual(pages.toSorted());
    expect((await list.boundingBox())?.x).toBe(0);
    await list.getByRole('link', { name: 'Changelog' }).click();
    await page.getByRole('heading', { level: 1, name: 'Changelog' }).waitFor();
    await page.context().close();
  });
});

/** What a reader of a page would have to scroll by itself. */
const scrolled = `[...document.querySelectorAll('.vp-doc, .vp-doc *')]
  .filter((each) => each.checkVisibility() && each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
  .filter((each) => getComputedStyle(each).overflowX !== 'visible' || each.matches('.vp-doc'))
  .map((each) => each.tagName + ' ' + each.textContent.trim().slice(0, 60))`;

const ground = 'getComputedStyle(document.body).backgroundColor';

/** Shapes of buttons that have the colour of the page. */
const unseenShapes = `[...document.querySelectorAll('[class*="vpi-"]:not(.bg), .VPNavBarHamburger .container > span')]
  .filter((each) => each.checkVisibility() && getComputedStyle(each).backgroundColor === ${ground})
  .map((each) => each.className)`;
