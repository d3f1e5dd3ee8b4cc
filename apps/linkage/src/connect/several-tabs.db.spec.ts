import { freshName } from '@podium/testing';
import { launchBrowser } from '@podium/testing/browser';
import { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { FrontDoor } from '../../test/front-door';
import { HostilePartner } from '../../test/hostile-partner';
import { insertIntegration } from '../../test/insert-integration';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';
import { TestIdp } from '../../test/test-idp';

/** One browser with two tabs of /connect. The partner "Slow" stays on its authorization page. */
describe('two tabs of /connect', () => {
  const quick = new LiteralPartner();
  const slow = new HostilePartner();
  const idp = new TestIdp();
  const door = new FrontDoor();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let browser: Browser;
  let context: BrowserContext;
  let quickId: string;
  let slowId: string;
  let tabs: readonly [Page, Page];

  beforeAll(async () => {
    await Promise.all([quick.start(), slow.start(), idp.start(), door.start()]);
    linkage = await startLinkage({
      PUBLIC_URL: door.url,
      OIDC_ISSUER_URL: idp.issuer,
      PARTNER_ADDRESS_ALLOW_LIST: `${quick.host},${slow.host}`,
    });
    door.forwardTo(linkage);
    views.start();
    views.follow();
    const insert = (displayName: string, partner: LiteralPartner | HostilePartner): Promise<string> =>
      insertIntegration(linkage.databaseUrl, { platform: freshName('p'), displayName, partner });
    quickId = await insert('Quick', quick);
    slowId = await insert('Slow', slow);
    slow.pages['/authorize'] = () => ({ body: '<title>Log in at Slow</title>' });
    browser = await launchBrowser();
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    await views.stop();
    await linkage?.stop();
    await Promise.all([quick.stop(), slow.stop(), idp.stop(), door.stop()]);
  });

  beforeEach(async () => {
    idp.user = { sub: freshName('user'), name: 'Maria Gómez' };
    quick.browserSub = freshName('sub');
    quick.tokenAnswer = null;
    context = await browser.newContext();
    tabs = [await context.newPage(), await context.newPage()];
    await logIn(tabs[0]);
    await tabs[1].goto(`${door.url}/connect`);
  });

  afterEach(() => context.close());

  async function logIn(page: Page): Promise<void> {
    await page.goto(`${door.url}/connect/login`);
    await page.getByRole('heading', { name: 'Connected accounts' }).waitFor();
  }

  const connect = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name: `Connect: ${name}` }).click();
  const row = (page: Page, name: string): Locator => page.getByRole('listitem').filter({ hasText: name });

  it('leaves the window of one partner open when the other tab has connected another partner', async () => {
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await context.route(`**/connect/start/${slowId}`, async (route) => {
      await held;
      await route.continue();
    });
    const opened = tabs[0].waitForEvent('popup');
    await connect(tabs[0], 'Slow');
    const popup = await opened;
    await connect(tabs[1], 'Quick');
    for (const tab of tabs) await tab.getByRole('status').getByText('is now connected').waitFor();
    await row(tabs[0], 'Quick').getByText('Connected', { exact: true }).waitFor();
    goOn();
    await popup.waitForURL(`${slow.baseUrl}/authorize*`);
  }, 60_000);

  it('shows the name of another user who has logged in by the other tab, together with their accounts', async () => {
    idp.user = { sub: freshName('user'), name: 'Another Person' };
    await logIn(tabs[1]);
    await tabs[0].evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await tabs[0].getByText('Another Person').waitFor();
    expect(await tabs[0].getByText('Maria Gómez').count()).toBe(0);
  }, 60_000);

  it('says in both that the account is disconnected when both disconnect it', async () => {
    await connect(tabs[0], 'Quick');
    await row(tabs[0], 'Quick').getByText('Connected', { exact: true }).waitFor();
    for (const tab of tabs) await tab.goto(`${door.url}/connect/disconnect/${quickId}`);
    for (const tab of tabs) {
      await tab.getByRole('button', { name: 'Disconnect' }).click();
      await tab.getByRole('status').getByText('Your account at Quick is disconnected.').waitFor();
    }
  }, 60_000);

  it('goes on in the tab itself when a popup is blocked after one that was not', async () => {
    const [page] = tabs;
    quick.tokenAnswer = { status: 400, body: { error: 'invalid_grant' } };
    await connect(page, 'Quick');
    await page.getByRole('status').getByText('did not confirm the log-in').waitFor();
    quick.tokenAnswer = null;
    await page.evaluate('window.open = () => null; 0');
    await connect(page, 'Quick');
    await page.getByRole('heading', { name: 'You are connected' }).waitFor();
  }, 60_000);
});
