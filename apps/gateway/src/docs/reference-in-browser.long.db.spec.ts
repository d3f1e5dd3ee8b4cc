import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { axeFindings, colourRules } from '@podium/testing/axe-findings';
import { launchBrowser } from '@podium/testing/browser';
import { Browser, BrowserContext, Page } from 'playwright-core';
import { buildSiteOnce } from '../../test/built-docs';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { cutOff } from '../../test/page-checks';

const docsDir = join(__dirname, '../../../../docs');
/** Folder for screenshots of the pages, for manual review. */
const picturesFolder = process.env.PODIUM_PICTURES;

describe('the API reference in a browser', () => {
  const errors: string[] = [];
  let gateway: GatewayUnderTest;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    buildSiteOnce();
    gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [], docsDir });
    browser = await launchBrowser();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  async function open(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
    errors.length = 0;
    context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && errors.push(message.text()));
    context.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${gateway.url}/`))
        errors.push(request.url());
    });
  }
  afterEach(() => context.close());

  const operations = (): ReturnType<Page['locator']> => page.locator('openapi-explorer .nav-bar-path:visible');
  const show = async (name: string): Promise<void> => {
    await page.goto(`${gateway.url}/docs/api/${name}`, { waitUntil: 'networkidle' });
    await page.locator('openapi-explorer .main-content').waitFor();
  };

  it.each([
    ['partner-events', 'light', 2],
    ['partner-events', 'dark', 2],
    ['competition-data', 'light', 16],
    ['competition-data', 'dark', 16],
  ] as const)(
    '%s has no axe finding in %s colours, and stays within the origin',
    async (name, colours, step) => {
      // In other colours the elements are the same.
      const rules = colours === 'dark' ? colourRules : [];
      await open(1280, colours);
      await show(name);
      expect(await axeFindings(page, rules)).toEqual([]);
      const count = await operations().count();
      expect(count).toBeGreaterThan(7);
      for (let index = 0; index < count; index += step) {
        await operations().nth(index).click();
        await page.locator('openapi-explorer .request-panel').first().waitFor();
        expect(await axeFindings(page, rules)).toEqual([]);
      }
      if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/reference-${name}-${colours}.png` });
      expect(errors).toEqual([]);
    },
    120_000,
  );

  it.each(['partner-events', 'competition-data'])(
    '%s fits 360 px, with every operation open',
    async (name) => {
      await open(360);
      await show(name);
      await page.evaluate(
        `document.querySelector('openapi-explorer').shadowRoot.querySelectorAll('.endpoint-head').forEach((each) => each.click())`,
      );
      expect(await cutOff(page)).toEqual([]);
      expect(await page.evaluate<string[]>(narrowColumns)).toEqual([]);
      expect(await axeFindings(page)).toEqual([]);
      if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/reference-${name}-phone.png` });
      expect(errors).toEqual([]);
    },
    60_000,
  );

  it('filters operations by words of their paths and names', async () => {
    const document = JSON.parse(readFileSync(join(docsDir, 'openapi/competition-data.json'), 'utf8')) as {
      paths: object;
    };
    const expected = Object.keys(document.paths).filter((path) => path.includes('/leaderboards')).length;
    await open(1280);
    await show('competition-data');
    await page.locator('openapi-explorer #nav-bar-search').fill('/leaderboards');
    await operations().nth(expected).waitFor({ state: 'detached' });
    expect(await operations().count()).toBe(expected);
  });

  it('has a body ready for each operation with events that its schema allows', async () => {
    const text = readFileSync(join(docsDir, 'openapi/partner-events.json'), 'utf8');
    const { components } = JSON.parse(text) as { components: object };
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const bodies = ['SendEventDto', 'SendEventBatchDto', 'SendEventDto', 'ReconcileDto'];
    await open(1280);
    await show('partner-events');
    for (const [index, body] of bodies.entries()) {
      await operations().nth(index).click();
      const prepared = page.locator('openapi-explorer textarea').first();
      const validate = ajv.compile({ $ref: `#/components/schemas/${body}`, components });
      validate(JSON.parse(await prepared.inputValue()));
      expect([index, validate.errors]).toEqual([index, null]);
    }
  }, 60_000);

  it('sends a request with the key that the reader gives, to this address', async () => {
    await open(1280);
    await show('competition-data');
    const sent = page.waitForRequest((request) => request.url().includes('/data/v4/games'));
    await page.goto(`${gateway.url}/docs/api/competition-data#?route=auth`);
    await page.locator('openapi-explorer .api-key-input').fill('data-key');
    await page.locator('openapi-explorer').getByRole('button', { name: 'Set' }).first().click();
    await operations().getByText('All games').click();
    await page.locator('openapi-explorer').getByRole('button', { name: 'Execute' }).click();
    const request = await sent;
    expect(new URL(request.url()).origin).toBe(gateway.url);
    expect(request.headers().authorization).toBe('Bearer data-key');
  }, 60_000);
});

/** Columns of schemas and of the authentication in which words would be broken into syllables; a note if a kind is not found. */
const narrowColumns = `(() => {
  const below = (root) =>
    [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? below(each.shadowRoot) : [])]);
  const visible = below(document.body).filter((each) => each.checkVisibility());
  const schemas = visible.filter((each) => /schema-(key|type)/.test(each.getAttribute('part') ?? ''));
  const authentication = visible.filter((each) => each.matches('.m-table[role="presentation"] td'));
  if (schemas.length === 0 || authentication.length === 0) return ['no columns'];
  return [...schemas, ...authentication]
    .filter((each) => each.getBoundingClientRect().width < 100)
    .map((each) => Math.round(each.getBoundingClientRect().width) + ' px: ' + each.textContent.trim().slice(0, 60));
})()`;
