import { launchBrowser } from '@podium/testing/browser';
import { randomUUID } from 'node:crypto';
import { Browser, Page } from 'playwright-core';
import { DemoStack, StackDescription } from '../support/demo-stack';
import { PartnerApi, nowS } from '../support/partner-api';

/** The folder for screenshots of the pages; none are taken without it. */
const picturesFolder = process.env.PODIUM_PICTURES;

/** Tests of connecting a partner in a browser, on a demo stack. */
export function describeConnect(demoOf: () => DemoStack): void {
  describe('a user connects a partner in a browser', () => {
    let stack: StackDescription;
    let partner: PartnerApi;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      const demo = demoOf();
      stack = demo.description;
      partner = new PartnerApi(stack.gateway_url, stack.event_api_key, stack.platform);
      browser = await launchBrowser();
      page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    });

    afterAll(async () => {
      await browser?.close();
    });

    const picture = async (name: string, of: Page = page): Promise<void> => {
      if (picturesFolder) await of.screenshot({ path: `${picturesFolder}/e2e-${name}.png`, fullPage: true });
    };

    const accountOf = async (nickname: string): Promise<string> => {
      const response = await fetch(`${stack.sandbox_url}/dev/partners/${stack.platform}`);
      const { accounts } = (await response.json()) as { accounts: { sub: string; nickname: string }[] };
      return accounts.find((account) => account.nickname === nickname)?.sub ?? '';
    };

    const send = (sub: string): ReturnType<PartnerApi['send']> =>
      partner.send(sub, { id: randomUUID(), name: 'registration', created_at: nowS() });

    /** Opens the partner's page in a popup. */
    const connect = async (): Promise<Page> => {
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Connect: Acme Bets' }).click();
      const popup = await opened;
      await popup.getByRole('heading', { name: 'acme-bets' }).waitFor();
      return popup;
    };

    it('logs in at the identity provider', async () => {
      await page.goto(stack.connect_url);
      await picture('welcome');
      await page.getByRole('link', { name: 'Log in' }).click();
      await page.getByLabel('User name').fill('browser-user');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('heading', { name: 'Connected accounts' }).waitFor();
      await picture('partners');
    });

    it('shows a plain sentence when the log-in at the partner fails', async () => {
      const popup = await connect();
      await popup.getByRole('button', { name: 'Fail the log-in' }).click();
      await page.getByRole('status').getByText('The log-in at Acme Bets was not completed.').waitFor();
      // The partner's code, login_failed, is not a standard one, so the page does not show the partner's text.
      expect(await page.getByRole('status').textContent()).not.toContain('login_failed');
      await picture('failed');
    });

    it('shows the nickname once the link is ready, when an event is accepted at once', async () => {
      const popup = await connect();
      await popup.getByLabel('Account').fill('swift-otter');
      await popup.getByRole('button', { name: 'Log in and connect' }).click();
      await page.getByRole('listitem').getByText('swift-otter').waitFor();
      const answer = await send(await accountOf('swift-otter'));
      expect([answer.status, answer.body.outcome]).toEqual([200, 'accepted']);
      await picture('connected');
    });

    it('refuses events within five seconds of disconnecting, and shows that the user is disconnected', async () => {
      const sub = await accountOf('swift-otter');
      await page.getByRole('link', { name: 'Disconnect: Acme Bets' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      const asked = Date.now();
      for (;;) {
        const answer = await send(sub);
        if (answer.body.error?.code === 'user_not_linked') break;
        expect(Date.now() - asked).toBeLessThan(5000);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await page.getByRole('button', { name: 'Connect: Acme Bets' }).waitFor();
      await picture('disconnected');
    });
  });
}
