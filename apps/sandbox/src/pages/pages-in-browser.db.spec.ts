import { AddressInfo } from 'node:net';
import fastifyFormbody from '@fastify/formbody';
import { ensureUrlParse } from '@podium/simulated-partner/strict/strict-partner';
import { axeFindings, colourRules } from '@podium/testing/axe-findings';
import { launchBrowser } from '@podium/testing/browser';
import fastify, { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair } from 'jose';
import { Browser, Page } from 'playwright-core';
import { consolePage } from '../console/console-page';
import { createIdentityProvider } from '../identity/identity-provider';
import { mountIdentity } from '../identity/identity-routes';
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
    ensureUrlParse();
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: 'sandbox', alg: 'RS256', use: 'sig' };
    const key = { jwk, privateKey };
    const identity = {
      ...{ issuerUrl: 'http://localhost:7405/idp', publicUrl: 'http://localhost:7400' },
      ...{ clientId: 'podium-connect', clientSecret: 'canary-secret-of-connect', audience: 'podium-api' },
    };
    server = fastify();
    await server.register(fastifyFormbody);
    await mountIdentity(server, createIdentityProvider(identity, key), key, identity);
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

  const logIn = (): string =>
    `/idp/auth?${new URLSearchParams({
      client_id: 'podium-connect',
      redirect_uri: 'http://localhost:7400/connect/callback',
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    }).toString()}`;

  it.each([
    ['console', () => '/console'],
    ['log-in of a partner', () => '/partner'],
    ['log-in of a user', logIn],
    ['end of a log-in', () => '/idp-interaction/gone'],
  ])('have no finding of axe, in light and dark colours: %s', async (name, path) => {
    await page.goto(url + path());
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/sandbox-${name}-${colorScheme}.png` });
      expect(await axeFindings(page, colorScheme === 'light' ? [] : colourRules)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    }
  });

  it('say what is wrong with a user name of spaces, and take the next one', async () => {
    await page.goto(url + logIn());
    const field = page.getByLabel('User name');
    await field.fill('   ');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').getByText('Enter a user name').waitFor({ timeout: 5_000 });
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/idp-interaction/') && response.status() === 303),
      field.fill('ada').then(() => page.keyboard.press('Enter')),
    ]);
    expect(answer.request().postData()).toBe('login=ada');
  });
});
