import { AddressInfo } from 'node:net';
import { axeFindings, colourRules } from '@podium/testing/axe-findings';
import { launchBrowser } from '@podium/testing/browser';
import { FastifyInstance } from 'fastify';
import { Browser, Page } from 'playwright-core';
import { identityServer, logInPath, logOutPath } from '../../test/identity-server';
import { consolePage } from '../console/console-page';
import { logInPage } from '../oauth/log-in-page';
import { newPartner } from '../partners/partner';

/** Folder for screenshots of the pages, for manual review. */
const picturesFolder = process.env.PODIUM_PICTURES;

describe('the pages of the sandbox, 360 px wide', () => {
  let server: FastifyInstance;
  let browser: Browser;
  let page: Page;
  let url: string;

  beforeAll(async () => {
    server = await identityServer();
    const partner = newPartner('acme-bets');
    partner.accounts['acme-1'] = { sub: 'acme-1', nickname: 'lucky-fox' };
    partner.modes = [{ mode: 'html-502', times: 1 }];
    const pages = { '/console': consolePage([{ partner, awards: null }]), '/partner': logInPage(partner, {}) };
    for (const [path, html] of Object.entries(pages))
      server.get(path, (_request, reply) => reply.type('text/html; charset=utf-8').send(html));
    await server.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
    page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server.close();
  });

  // A user who has logged in would be sent to the service at once.
  beforeEach(() => page.context().clearCookies());

  const open = async (path: string): Promise<void> => void (await page.goto(url + path));

  async function logInWith(name: string): Promise<void> {
    await open(logInPath());
    await page.getByLabel('User name').fill(name);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  /** Without the page of the service, where a log-in ends: nothing listens there. */
  async function logInAlone(): Promise<void> {
    const { request } = page.context();
    const interaction = (await request.get(url + logInPath())).url();
    const finished = await request.post(interaction, { form: { login: 'ada' }, maxRedirects: 0 });
    const resumed = new URL(finished.headers().location, url);
    await request.get(url + resumed.pathname, { maxRedirects: 0 });
  }

  it.each([
    ['console', () => open('/console')],
    ['log-in of a partner', () => open('/partner')],
    ['log-in of a user', () => open(logInPath())],
    [
      'log-in with an error',
      async () => {
        await logInWith('   ');
        await page.getByRole('alert').waitFor({ timeout: 5_000 });
      },
    ],
    ['end of a log-in', () => open('/idp-interaction/gone')],
    [
      'log-out',
      async () => {
        await logInAlone();
        await open(logOutPath());
        await page.getByRole('button', { name: 'Stay logged in' }).waitFor({ timeout: 5_000 });
      },
    ],
  ])('have no finding of axe, in light and dark colours: %s', async (name, show) => {
    await show();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/sandbox-${name}-${colorScheme}.png` });
      expect(await axeFindings(page, colorScheme === 'light' ? [] : colourRules)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    }
  });

  it('say what is wrong with a user name of spaces, and take the next one', async () => {
    await logInWith('   ');
    const field = page.getByLabel('User name');
    await page.getByRole('alert').getByText('Enter a user name').waitFor({ timeout: 5_000 });
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/idp-interaction/') && response.status() === 303),
      field.fill('ada').then(() => page.keyboard.press('Enter')),
    ]);
    expect(answer.request().postData()).toBe('login=ada');
  });
});
