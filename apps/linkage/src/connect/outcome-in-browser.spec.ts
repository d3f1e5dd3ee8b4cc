import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchBrowser } from '@podium/testing/browser';
import { Browser, Page } from 'playwright-core';
import { connectStates, renderState } from '../../test/connect-states';
import { OwnOrigin } from '../browser/own-origin';
import { Pages } from './pages';

/** The last page of a flow whose link is not ready yet, in a browser with a clock of its own. */
describe('the page of a link that is being set up', () => {
  const pages = new Pages(new OwnOrigin('https://podium.example'));
  const linking = connectStates.find(({ name }) => name === 'outcome: linking')!;
  const accounts = connectStates.find(({ name }) => name === 'partners')!;
  const notReady = { link: { state: 'linking', ready_at: null } };
  let server: Server;
  let browser: Browser;
  let page: Page;
  let asked = 0;
  let answer: unknown;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const asset = pages.assets.find(({ path }) => request.url === `/connect/assets/${path}`);
      if (asset) return void response.setHeader('content-type', asset.type).end(asset.body);
      if (request.url?.startsWith('/v1/me/links/')) {
        asked++;
        return void response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      }
      const state = request.url === '/connect' ? accounts : linking;
      response.setHeader('content-type', 'text/html; charset=utf-8').end(renderState(pages, state).html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser();
  }, 60_000);

  beforeEach(async () => {
    asked = 0;
    answer = notReady;
    page = await browser.newPage();
    await page.clock.install();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/oauth/callback/x`);
    await page.getByRole('heading', { name: 'Almost connected' }).waitFor();
  });

  afterEach(() => page.close());

  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Lets the page's time pass until it has asked once more; how long that took, seconds of its clock. */
  async function askedAgainAfter(waitMs = 20): Promise<number> {
    const before = asked;
    for (let passedS = 1; passedS <= 30; passedS++) {
      await page.clock.runFor(1000);
      // The page handles the answer in real time, and then waits by its clock.
      for (let waitedMs = 0; waitedMs < waitMs && asked === before; waitedMs++) await sleep(1);
      if (asked > before) {
        await page.waitForLoadState('networkidle');
        return passedS;
      }
    }
    return Infinity;
  }

  const show = (visibilityState: 'visible' | 'hidden'): Promise<unknown> =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${visibilityState}', configurable: true })`,
    );

  it('asks for as long as it is open, less often after two minutes', async () => {
    for (let time = 1; time <= 125; time++) expect([time, (await askedAgainAfter()) < 30]).toEqual([time, true]);
    expect(await askedAgainAfter()).toBeGreaterThanOrEqual(9);
    answer = { link: { state: 'ready', ready_at: '2026-03-04T05:06:08.000Z' } };
    await askedAgainAfter();
    await page.getByRole('heading', { name: 'You are connected' }).waitFor();
  }, 60_000);

  it('asks nothing while nobody looks at it', async () => {
    await show('hidden');
    expect(await askedAgainAfter()).toBe(Infinity);
    await show('visible');
    expect(await askedAgainAfter(1_000)).toBe(1);
  }, 30_000);

  it('goes on after an answer that is no JSON', async () => {
    answer = '<title>Sign in to this network</title>';
    await askedAgainAfter();
    answer = { link: { state: 'ready', ready_at: '2026-03-04T05:06:08.000Z' } };
    await askedAgainAfter();
    await page.getByRole('heading', { name: 'You are connected' }).waitFor();
  }, 30_000);

  it.each([
    ['is being disconnected', { link: { state: 'unlinked', ready_at: '2026-03-04T05:06:08.000Z' } }],
    ['is disconnected', { link: null }],
  ])(
    'shows the accounts when the link %s',
    async (_name, ended) => {
      answer = ended;
      await askedAgainAfter();
      await page.getByRole('heading', { name: 'Connected accounts' }).waitFor();
    },
    30_000,
  );
});
