import { freshName } from '@podium/testing';
import { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '@podium/testing/browser';
import { FrontDoor } from '../../test/front-door';
import { insertIntegration } from '../../test/insert-integration';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';
import { TestIdp } from '../../test/test-idp';

/** Folder for screenshots of the pages, if set. */
const picturesFolder = process.env.PODIUM_PICTURES;

describe('the pages of /connect', () => {
  const partner = new LiteralPartner();
  const idp = new TestIdp();
  const door = new FrontDoor();
  const views = new LinkViews();
  const integrationIds: Record<string, string> = {};
  let linkage: RunningLinkage;
  let browser: Browser;

  beforeAll(async () => {
    await Promise.all([partner.start(), idp.start(), door.start()]);
    linkage = await startLinkage({
      PUBLIC_URL: door.url,
      OIDC_ISSUER_URL: idp.issuer,
      OIDC_LOG_OUT: 'provider',
      PARTNER_ADDRESS_ALLOW_LIST: partner.host,
    });
    door.forwardTo(linkage);
    views.start();
    browser = await launchBrowser();
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    await views.stop();
    await linkage.stop();
    await Promise.all([partner.stop(), idp.stop(), door.stop()]);
  });

  beforeEach(() => {
    views.follow();
    partner.tokenAnswer = null;
    idp.user = { sub: freshName('user'), name: 'Maria Gómez' };
    idp.spoil = {};
    partner.browserSub = freshName('sub');
  });

  async function integration(displayName: string): Promise<string> {
    const known = integrationIds[displayName];
    if (known) return known;
    const platform = freshName('p');
    return (integrationIds[displayName] = await insertIntegration(linkage.databaseUrl, {
      platform,
      displayName,
      partner,
    }));
  }

  async function open(
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    return { context, page };
  }

  const errors: string[] = [];
  beforeEach(() => void (errors.length = 0));

  async function loggedIn(
    options?: Parameters<Browser['newContext']>[0],
  ): Promise<{ context: BrowserContext; page: Page }> {
    const opened = await open(options);
    await opened.page.goto(`${door.url}/connect`);
    await opened.page.getByRole('link', { name: 'Log in' }).click();
    await opened.page.getByRole('heading', { name: 'Connected accounts' }).waitFor();
    return opened;
  }

  const picture = async (page: Page, name: string): Promise<void> => {
    if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/${name}.png`, fullPage: true });
  };
  const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

  it('logs in at the identity provider and logs out', async () => {
    await integration('Lucky Arena');
    const { context, page } = await open();
    await page.goto(`${door.url}/connect`);
    await picture(page, 'welcome');
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByText('Maria Gómez').waitFor();
    expect(page.url()).toBe(`${door.url}/connect`);
    const session = (await context.cookies()).find(({ name }) => name === 'podium_session');
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(session?.value).not.toContain(Buffer.from(idp.user.sub).toString('base64url'));
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    expect(page.url()).toBe(`${door.url}/connect`);
    expect(idp.logOuts.map((query) => Object.fromEntries(query))).toEqual([
      { client_id: 'podium-connect', post_logout_redirect_uri: `${door.url}/connect` },
    ]);
    expect((await context.cookies()).find(({ name }) => name === 'podium_session')).toBeUndefined();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('refuses an ID token that was issued for another log-in', async () => {
    idp.spoil = { nonce: 'of-another-log-in' };
    const { context, page } = await open();
    await page.goto(`${door.url}/connect/login`);
    await page.getByText('The log-in was not completed').waitFor();
    await page.goto(`${door.url}/connect/callback?code=x&state=y`);
    await page.getByText('The log-in was not completed').waitFor();
    expect((await context.cookies()).find(({ name }) => name === 'podium_session')).toBeUndefined();
    await context.close();
  });

  it('connects in a popup that closes, shows the connection, and disconnects after a confirmation', async () => {
    for (const name of ['Lucky Arena', 'Northwind Trading', 'Ω Games']) await integration(name);
    const { context, page } = await loggedIn();
    await picture(page, 'partners');
    const popupOpened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Connect: Lucky Arena' }).click();
    const popup = await popupOpened;
    if (!popup.isClosed()) await popup.waitForEvent('close');
    const notice = page.getByRole('status');
    await notice.getByText('is now connected').waitFor();
    await row(page, 'Lucky Arena').getByText('Connected', { exact: true }).waitFor();
    expect(await notice.textContent()).toBe(`Your account Nick ${partner.browserSub} at Lucky Arena is now connected.`);
    await picture(page, 'connected');
    expect(page.url()).toBe(`${door.url}/connect`);

    await page.getByRole('link', { name: 'Disconnect: Lucky Arena' }).click();
    await page.getByRole('heading', { name: 'Disconnect Lucky Arena?' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await picture(page, 'dialog');
    await page.keyboard.press('Escape');
    await row(page, 'Lucky Arena').getByText('Connected', { exact: true }).waitFor();
    await views.pause();
    await page.getByRole('link', { name: 'Disconnect: Lucky Arena' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await row(page, 'Lucky Arena').getByText('Disconnecting…').waitFor();
    await notice.getByText('Your account at Lucky Arena is being disconnected.').waitFor();
    await picture(page, 'disconnecting');
    views.follow();
    await row(page, 'Lucky Arena').getByText('Not connected').waitFor();
    await notice.getByText('Your account at Lucky Arena is disconnected.').waitFor();
    expect(page.url()).toBe(`${door.url}/connect`);
    // As after a disconnect of a partner that the list, which has an end, does not have otherwise.
    const unlisted = '<li id="partner-unlisted" data-state="unlinked" data-pending>Unlisted</li>';
    await page.evaluate(`document.getElementById('partners').insertAdjacentHTML('beforeend', '${unlisted}')`);
    await page.getByText('Unlisted').waitFor({ state: 'detached' });
    // The address alone confirms nothing of a partner that was never connected or is unknown.
    for (const id of [
      integrationIds['Northwind Trading'],
      integrationIds['Northwind Trading'].replace(/^./, 'x'),
      '<b>x</b>',
    ]) {
      await page.goto(`${door.url}/connect?disconnected=${encodeURIComponent(id)}`);
      expect(await page.getByRole('status').isVisible()).toBe(false);
    }
    expect(errors).toEqual([]);
    await context.close();
  }, 60_000);

  it('shows an error of the popup in the opener', async () => {
    await integration('Lucky Arena');
    const { context, page } = await loggedIn();
    partner.tokenAnswer = { status: 400, body: { error: '<img src=x onerror=alert(1)>' } };
    await page.getByRole('button', { name: 'Connect: Lucky Arena' }).click();
    await page.getByRole('status').getByText('did not confirm the log-in').waitFor();
    expect(await page.getByRole('status').textContent()).toMatch(/reason: it sent an unknown error\.$/);
    expect(await page.locator('img').count()).toBe(0);
    await picture(page, 'failed');
    await context.close();
  });

  it('continues in the same tab when popups are blocked', async () => {
    await integration('Lucky Arena');
    const { context, page } = await loggedIn();
    await page.evaluate('window.open = () => null; 0');
    await page.getByRole('button', { name: 'Connect: Lucky Arena' }).click();
    await page.getByRole('heading', { name: 'You are connected' }).waitFor();
    await picture(page, 'outcome');
    expect(page.url()).toBe(`${door.url}/connect`);
    await page.getByRole('link', { name: 'Back to your accounts' }).click();
    await row(page, 'Lucky Arena').getByRole('link', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await row(page, 'Lucky Arena').getByText('Not connected').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  }, 60_000);

  it('works without script, on a phone', async () => {
    await integration('Lucky Arena');
    const phone = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false, colorScheme: 'dark' } as const;
    const { context, page } = await loggedIn(phone);
    await picture(page, 'phone-partners');
    await page.getByRole('button', { name: 'Connect: Lucky Arena' }).click();
    await page.getByRole('heading', { name: 'You are connected' }).waitFor();
    await picture(page, 'phone-outcome');
    await page.getByRole('link', { name: 'Back to your accounts' }).click();
    await row(page, 'Lucky Arena').getByText('Connected', { exact: true }).waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    await picture(page, 'phone-connected');
    await page.getByRole('link', { name: 'Disconnect: Lucky Arena' }).click();
    await picture(page, 'phone-disconnect');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page
      .getByText(/Disconnecting…|Not connected/)
      .first()
      .waitFor();
    await context.close();
  }, 60_000);

  it('shows that the link is being set up, and updates when it is ready', async () => {
    await integration('Northwind Trading');
    const { context, page } = await loggedIn();
    await page.evaluate('window.open = () => null; 0');
    await views.pause();
    await page.getByRole('button', { name: 'Connect: Northwind Trading' }).click();
    await page.getByRole('heading', { name: 'Almost connected' }).waitFor();
    await picture(page, 'finishing');
    views.follow();
    await page.getByRole('heading', { name: 'You are connected' }).waitFor();
    await page.getByText('is now connected').waitFor();
    await context.close();
  }, 60_000);
});
