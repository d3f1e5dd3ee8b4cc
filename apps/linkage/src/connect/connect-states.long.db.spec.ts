import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { axeFindings, colourRules } from '@podium/testing/axe-findings';
import { launchBrowser } from '@podium/testing/browser';
import { Browser, Page } from 'playwright-core';
import { ConnectState, connectStates, renderState } from '../../test/connect-states';
import { OwnOrigin } from '../browser/own-origin';
import { Pages } from './pages';

/** Folder for screenshots of the states, if set. */
const picturesFolder = process.env.PODIUM_PICTURES;

/** All states of /connect in a real browser on a phone; needs a browser as `npm test` finds it. */
describe('every state of /connect, 390 px wide', () => {
  const pages = new Pages(new OwnOrigin('https://podium.example'));
  let server: Server;
  let browser: Browser;
  let url: string;
  let shown: ConnectState | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? '');
      const asset = pages.assets.find((each) => path === `/connect/assets/${each.path}`);
      if (asset) return void response.setHeader('content-type', asset.type).end(asset.body);
      // The script reads the list again from /connect.
      const state = path === '/connect' ? shown : connectStates.find(({ name }) => path === `/${name}`);
      if (!state) return void response.writeHead(404).end();
      shown = state;
      response.setHeader('content-type', 'text/html; charset=utf-8').end(renderState(pages, state).html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function newPage(): Promise<Page> {
    return (await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'light' })).newPage();
  }

  /** In dark colours the elements are the same, so only the rules that depend on colours are run again. */
  async function check(page: Page, state: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      const name = `${colorScheme} ${state}`;
      await page.emulateMedia({ colorScheme });
      if (picturesFolder)
        await page.screenshot({ path: `${picturesFolder}/${name.replace(/\W+/g, '-')}.png`, fullPage: true });
      const rules = colorScheme === 'light' ? [] : colourRules;
      expect([name, await axeFindings(page, rules)]).toEqual([name, []]);
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 390]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  it('has no findings of axe and fits, in light and dark colours', async () => {
    const page = await newPage();
    for (const { name } of connectStates) {
      await page.goto(`${url}/${encodeURIComponent(name)}`);
      await check(page, name);
    }
    await page.context().close();
  }, 180_000);

  it('has no findings in what its script shows', async () => {
    const page = await newPage();
    await page.goto(`${url}/partners`);
    await page
      .getByRole('link', { name: /^Disconnect: / })
      .nth(1)
      .click();
    await page.getByRole('dialog').waitFor();
    await check(page, 'dialog');
    await page.keyboard.press('Escape');
    for (const linked of [true, false]) {
      const other = await page.context().newPage();
      await other.goto(`${url}/connect/assets/${pages.assets[2].path}`);
      const report = JSON.stringify({ type: 'podium.link', linked, message: 'A sentence.' });
      await other.evaluate(`new BroadcastChannel('podium-link').postMessage(${report})`);
      await page.getByRole('status').getByText('A sentence.').waitFor();
      await check(page, `notice ${linked ? 'good' : 'bad'}`);
      await other.close();
    }
    await page.evaluate('window.open = () => ({ closed: false, focus() {} }); 0');
    await page.route('**/connect/start/**', (route) => route.abort());
    await page
      .getByRole('button', { name: /^Connect: / })
      .first()
      .click();
    await page.getByRole('status').getByText('Continue in the window').waitFor();
    await check(page, 'in popup');
    await page.context().close();
  }, 60_000);

  it('stays while the server answers with an error, and shows the change afterwards', async () => {
    const page = await browser.newPage();
    let refused = 0;
    await page.route('**/connect', async (route) => {
      // A page that replaced this one would get the error too.
      if (!route.request().isNavigationRequest() && refused > 0) return route.continue();
      refused += 1;
      await route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Unavailable</h1>' });
    });
    await page.goto(`${url}/disconnecting`);
    await page.locator('[data-pending]').waitFor();
    shown = connectStates.find(({ name }) => name === 'disconnected');
    await page.locator('.partner[data-state="none"]').waitFor({ timeout: 10_000 });
    expect([refused, await page.getByText('Unavailable').count()]).toEqual([1, 0]);
    await page.close();
  }, 30_000);
});
