import { setTimeout as sleep } from 'node:timers/promises';
import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { adminClient, createIntegration } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

describe('a process that stops', () => {
  const partner = new LiteralPartner();
  let linkage: RunningLinkage;

  beforeAll(() => partner.start());
  beforeEach(async () => {
    Object.assign(partner, { delayMs: 0, steps: {}, seen: [] });
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
  }, 60_000);
  afterAll(() => partner.stop());

  const integrationWith = async (profile = {}): Promise<string> => {
    const admin = await adminClient(linkage, { '*': 'admin' });
    return (await createIntegration(admin, partner, { profile })).integrationId;
  };

  /** Stops the process, and returns the rows that it leaves. */
  async function rowsAfterStop(sql: string): Promise<unknown[]> {
    const rows: unknown[] = [];
    await linkage.stop(async () => void rows.push(...(await rowsOf(sql))));
    return rows;
  }

  async function rowsOf(sql: string): Promise<unknown[]> {
    const database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    const { rows } = await database.query<object>(sql);
    await database.end();
    return rows;
  }

  it('waits for a test that goes on after its page', async () => {
    const id = await integrationWith({ timeout_ms: 30_000 });
    const admin = await adminClient(linkage, { '*': 'admin' });
    const started = await admin.post(`/integrations/${id}/test-links`);
    const { pathname, search } = new URL(started.json.url as string);
    const browser = await LinkBrowser.of(linkage);
    const opening = await browser.confirmTest(pathname + search);
    const atPartner = new URL((opening.headers.get('refresh') ?? '').slice('0;url='.length));
    let answer: () => void = () => undefined;
    partner.steps = { received: () => new Promise((resolve) => (answer = resolve)) };
    const page = await browser.get(await browser.atPartner(atPartner, freshName('sub')));
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('The test goes on')]);
    expect(page.text).toContain('Its result will be where you started the test.');
    setTimeout(() => answer(), 2_000);
    const [{ result }] = (await rowsAfterStop(`SELECT result FROM linkage.test_links`)) as { result: unknown }[];
    expect(result).toMatchObject({ passed: ['returned', 'exchanged', 'identified', 'refreshed'], failed_at: null });
  }, 60_000);

  it('refuses a check of a partner while it drains, which it would interrupt', async () => {
    const id = await integrationWith();
    const admin = await adminClient(linkage, { '*': 'admin' });
    linkage.drain();
    const refused = await admin.post(`/integrations/${id}/checks`);
    const { json: kept } = await admin.get(`/integrations/${id}/checks`);
    await linkage.stop();
    expect(refused).toMatchObject({ status: 503, text: expect.stringContaining('Start it again.') as string });
    expect(kept).toEqual({ items: [] });
  }, 60_000);

  it('begins no refresh while it drains, which its end could cut off', async () => {
    const id = await integrationWith();
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    await browser.link(id, freshName('sub'));
    linkage.drain();
    const rows = await rowsOf(`UPDATE linkage.link_tokens SET refresh_due_at = now() RETURNING version`);
    const sent = partner.seen.length;
    // More than a round of background work.
    await sleep(7_500);
    await linkage.stop();
    expect([rows.length, partner.seen.length]).toEqual([1, sent]);
  }, 60_000);

  it('waits for the link of a user who has closed the page', async () => {
    const id = await integrationWith();
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    const back = await browser.atPartner(await browser.begin(id), freshName('sub'));
    partner.delayMs = 2_000;
    const closing = new AbortController();
    const page = browser.get(back, {}, closing.signal);
    while (!partner.seen.some(({ path }) => path === '/oauth2/token')) await sleep(10);
    closing.abort();
    await expect(page).rejects.toThrow('aborted');
    expect(await rowsAfterStop(`SELECT user_id, state FROM linkage.links`)).toEqual([
      { user_id: browser.userId, state: 'linking' },
    ]);
  }, 60_000);
});
