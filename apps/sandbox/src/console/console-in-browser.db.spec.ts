import fastifyFormbody from '@fastify/formbody';
import { launchBrowser } from '@podium/testing/browser';
import fastify, { FastifyInstance } from 'fastify';
import { Browser, Page } from 'playwright-core';
import { Partner } from '../partners/partner';
import { Partners } from '../partners/partners';
import { EventSender } from '../sending/event-sender';
import { JsonFile } from '../storage/json-file';
import { mountConsole } from './console-routes';
import { mountModes } from './mode-routes';
import { amountRule } from './deposit-form';
import { AccountProgress, IssuedAward, PlatformAwards, SegmentMember } from './issued-awards';

/** Folder for screenshots of the page, for manual review. */
const picturesFolder = process.env.PODIUM_PICTURES;

const task = { task_id: 't', name: 'Deposit bonus', goal: { count: { event: 'deposit' } }, state: 'published' };

describe('the console of the sandbox, on a phone', () => {
  let server: FastifyInstance;
  let url: string;
  let partner: Partner;
  let issued: IssuedAward[];
  let progress: AccountProgress[];
  let members: SegmentMember[];
  let canRead: boolean;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  beforeEach(async () => {
    const file = new JsonFile<Record<string, Partner>>('/nowhere', {});
    jest.spyOn(file, 'changed').mockReturnValue();
    const partners = new Partners(file);
    partner = partners.of('acme-bets');
    partners.account(partner, 'lucky-fox');
    issued = [];
    progress = [];
    members = [];
    canRead = true;
    server = fastify();
    await server.register(fastifyFormbody);
    const awards = {
      of: async (): Promise<PlatformAwards | null> =>
        canRead ? { awards: issued, tasks: [task], progress, members } : null,
    };
    mountConsole(server, partners, new EventSender(partners), awards);
    mountModes(server, partners);
    url = await server.listen({ port: 0, host: '127.0.0.1' });
    page = await (await browser.newContext({ viewport: { width: 375, height: 740 } })).newPage();
    await page.goto(url);
  });
  afterEach(async () => {
    await page.context().close();
    await server.close();
  });

  const amount = () => page.getByLabel('Amount in EUR');
  const picture = async (name: string): Promise<void> => {
    if (picturesFolder) await page.screenshot({ path: `${picturesFolder}/sandbox-${name}.png`, fullPage: true });
  };

  /** Simulates that the service accepts the newest event and issues an award. */
  const accept = (): void => {
    const event = partner.events[partner.events.length - 1];
    const answer = `200 {"outcome":"accepted","event_id":"${event.id}","dropped_attributes":[]}`;
    Object.assign(event, { accepted: true, attempts: 1, last_answer: answer });
    issued.push({
      award_id: 'a',
      task_id: 't',
      platform_user_id: event.sub,
      reward: { type: 'bonus_money', amount: '5.00', currency: 'EUR' },
      reached_at: new Date(event.created_at * 1000).toISOString(),
      state: 'issued',
    });
  };

  it('shows a deposit and its award without a reload, and keeps typed input', async () => {
    await page.getByRole('button', { name: 'Make a deposit' }).click();
    await page.getByText('waiting').waitFor();
    await amount().fill('12');
    accept();
    await page.getByText('Award: 5.00 EUR for “Deposit bonus”, issued').waitFor();
    await page.getByText('accepted', { exact: true }).waitFor();
    expect(await amount().inputValue()).toBe('12');
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('amount');
    expect(await overflow()).toBe(0);
    await picture('award');
  });

  it('shows how far an account is with a task', async () => {
    const [sub] = Object.keys(partner.accounts);
    progress.push({ task_id: 't', platform_user_id: sub, value: '120', target: '5000' });
    await page.getByText('Progress: 120 of 5000 for “Deposit bonus”, lucky-fox').waitFor();
    expect(await overflow()).toBe(0);
    await picture('progress');
  });

  it('shows which segment an account is in, until a bet leaves it', async () => {
    const [sub] = Object.keys(partner.accounts);
    members.push(
      { segment_name: 'Depositors', platform_user_id: sub },
      { segment_name: 'Others', platform_user_id: 'x' },
    );
    await page.getByText('In the segment “Depositors”: lucky-fox').waitFor();
    expect(await page.getByText('Others').count()).toBe(0);
    await page.getByRole('button', { name: 'Place a bet' }).click();
    await page.getByText('bet 100.00 dota2').waitFor();
    expect(partner.events).toMatchObject([
      { name: 'bet', sub, attributes: [{ name: 'amount', value: '100.00' }, { name: 'game' }] },
    ]);
    members.length = 0;
    await page.getByText('In the segment').waitFor({ state: 'detached' });
    expect(await overflow()).toBe(0);
  });

  it('sends an accepted event again with its id, and shows that it was a duplicate', async () => {
    await page.getByRole('button', { name: 'Make a deposit' }).click();
    accept();
    const [{ id }] = partner.events;
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('retrying').waitFor();
    expect(partner.events).toMatchObject([{ id, accepted: false, next_at: 0 }]);
    Object.assign(partner.events[0], { accepted: true, last_answer: `200 {"outcome":"duplicate","event_id":"${id}"}` });
    await page.getByText('duplicate', { exact: true }).waitFor();
    expect(await overflow()).toBe(0);
    await picture('duplicate');
    const unknown = await server.inject({ method: 'POST', url: '/console/acme-bets/events/unknown/again' });
    expect(unknown.statusCode).toBe(303);
  });

  it('adds a new account and a new partner, and reports that the sandbox is unreachable', async () => {
    partner.accounts.new = { sub: 'new', nickname: 'swift-otter' };
    await page.locator('option', { hasText: 'swift-otter' }).waitFor({ state: 'attached' });
    canRead = false;
    await page.getByText('Awards cannot be read at the moment.').waitFor();
    await server.close();
    await page.getByText('The sandbox does not answer').waitFor();
    expect(await overflow()).toBe(0);
  });

  it('puts a partner into a mode for its next request, and shows when it is over', async () => {
    await page.getByLabel('How this partner answers').selectOption('html-502');
    await page.getByLabel('only the next request').check();
    await page.getByRole('button', { name: 'Set the mode' }).click();
    await page.getByText('Mode in force: html-502 for 1 more').waitFor();
    expect(partner.modes).toEqual([{ mode: 'html-502', times: 1 }]);
    expect(await page.locator('option[value="tls-expired"]').isDisabled()).toBe(true);
    expect(await overflow()).toBe(0);
    partner.modes = [];
    await page.getByText('This partner follows the specification.').waitFor();
  });

  it('does not send an invalid amount, and explains the format', async () => {
    await amount().fill('abc');
    await page.getByRole('button', { name: 'Make a deposit' }).click();
    expect(await page.evaluate<boolean>('document.forms[0].amount.validity.patternMismatch')).toBe(true);
    expect(await amount().getAttribute('title')).toBe(amountRule);
    expect(partner.events).toEqual([]);
    // Without checks in the browser, the server returns the message next to the field, with the typed input.
    await page.evaluate('document.forms[0].noValidate = true');
    await page.getByRole('button', { name: 'Make a deposit' }).click();
    await page.getByRole('alert').getByText(amountRule).waitFor();
    expect(await amount().inputValue()).toBe('abc');
    expect(partner.events).toEqual([]);
    await picture('refused');
    await amount().fill('25');
    await page.getByRole('button', { name: 'Make a deposit' }).click();
    await page.getByText('25 EUR').waitFor();
  });

  it.each(['abc', '', '-5', '1e3', '25,00', '1.234', '0', '0.00'])(
    'refuses the amount %j on the server too',
    async (typed) => {
      const [account] = Object.keys(partner.accounts);
      const payload = new URLSearchParams({ account, amount: typed }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await server.inject({ method: 'POST', url: '/console/acme-bets/deposit', headers, payload });
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('Enter an amount');
      expect(partner.events).toEqual([]);
    },
  );

  const overflow = (): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
});
