import { topics } from '@podium/messages';
import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { AdminClient, adminClient, createIntegration } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LiteralPartner } from '../../test/literal-partner';
import { TopicReader, readTopics } from '../../test/read-topics';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

const further = 'https://former.podium.example';

describe('test links of operators', () => {
  const partner = new LiteralPartner();
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let database: Client;
  let reader: TopicReader;

  beforeAll(async () => {
    await partner.start();
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host, FURTHER_PUBLIC_URLS: further });
    admin = await adminClient(linkage, { '*': 'admin' });
    database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    reader = await readTopics([topics.links]);
  }, 60_000);

  const resetPartner = () => {
    partner.tokenAnswer = null;
    partner.userInfoAnswer = null;
    partner.revokeAnswer = null;
    partner.endsAllGrants = false;
    partner.seen.length = 0;
  };

  beforeEach(resetPartner);

  afterAll(async () => {
    await reader.stop();
    await database.end();
    await linkage.stop();
    await partner.stop();
  });

  async function integrationWith(profile = {}): Promise<string> {
    return (await createIntegration(admin, partner, { profile })).integrationId;
  }

  interface Started {
    readonly testLinkId: string;
    readonly path: string;
  }

  async function start(id: string): Promise<Started> {
    const { status, json } = await admin.post(`/integrations/${id}/test-links`);
    expect(status).toBe(201);
    return { testLinkId: json.test_link_id as string, path: (json.url as string).replace(/^https:\/\/[^/]+/, '') };
  }

  /** Opens the address in a browser and returns the partner's authorization page. */
  async function open(browser: LinkBrowser, path: string): Promise<URL> {
    const page = await browser.get(path);
    expect(page.text).toContain('Continue only if that is you');
    const opening = await browser.confirmTest(path);
    expect(opening.status).toBe(201);
    return new URL((opening.headers.get('refresh') ?? '').slice('0;url='.length));
  }

  const show = async (id: string, { testLinkId }: Started) =>
    (await admin.get(`/integrations/${id}/test-links/${testLinkId}`)).json;

  /** Everything that a link would leave. */
  async function traces(): Promise<unknown> {
    const tables = ['links', 'link_tokens', 'oauth_flows', 'outbox', 'token_refreshes', 'token_revocations'];
    const counts: unknown[] = [];
    for (const table of [...tables, 'partner_exchanges', 'partner_counts'])
      counts.push((await database.query(`SELECT count(*)::int AS n FROM linkage.${table}`)).rows[0]);
    const metrics = (await linkage.metrics()).split('\n').filter((line) => /^linkage_(link|partner|token)/.test(line));
    return [counts, metrics];
  }

  it('goes through all requests and leaves nothing', async () => {
    const id = await integrationWith({ revocation_path: '/oauth2/revoke' });
    await admin.post(`/integrations/${id}/pause`);
    while ((await database.query(`SELECT 1 FROM linkage.outbox LIMIT 1`)).rowCount !== 0)
      await new Promise((resolve) => setTimeout(resolve, 100));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const before = await traces();
    const browser = await LinkBrowser.of(linkage);
    const started = await start(id);
    expect(await show(id, started)).toMatchObject({ status: 'waiting', result: null });
    const url = await open(browser, started.path);
    expect(await show(id, started)).toMatchObject({ status: 'opened', result: null });
    const sub = freshName('canary-sub');
    const page = await browser.get(await browser.atPartner(url, sub));
    expect(page.text).toContain('The test was successful');
    const shown = await show(id, started);
    expect(shown).toMatchObject({
      status: 'succeeded',
      result: {
        passed: ['returned', 'exchanged', 'identified', 'refreshed', 'revoked'],
        ...{ failed_at: null, reason: null, refreshable: true, expires_in_s: null, revocation_left_out: null },
      },
    });
    expect(partner.isAlive(sub)).toBe(false);
    const secrets = partner.seen.flatMap(({ authorization, form }) => [
      authorization.split(' ')[1] ?? '',
      ...['code', 'code_verifier', 'refresh_token', 'token'].map((name) => form.get(name) ?? ''),
    ]);
    const rows = JSON.stringify((await database.query(`SELECT * FROM linkage.test_links`)).rows);
    for (const secret of ['canary-sub', ...secrets.filter((text) => text !== '')])
      expect(JSON.stringify(shown) + rows + linkage.logged.join('')).not.toContain(secret);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await traces()).toEqual(before);
    expect(reader.everything()).not.toMatch(new RegExp(`${id}|${sub}`));
    const audit = await admin.get(`/audit?subject=integration:${id}&action=integration.test_link_started`);
    expect(audit.json.items).toMatchObject([{ actor: 'operator-1' }]);
  }, 30_000);

  it('names the step that failed and why', async () => {
    const id = await integrationWith();
    const failing = async (answer: () => void): Promise<Record<string, unknown>> => {
      const browser = await LinkBrowser.of(linkage);
      const started = await start(id);
      const back = await browser.atPartner(await open(browser, started.path), freshName('sub'));
      answer();
      expect((await browser.get(back)).text).toContain('The test failed');
      return (await show(id, started)).result as Record<string, unknown>;
    };
    const refused = await failing(() => (partner.tokenAnswer = { status: 401, body: { error: 'invalid_client' } }));
    expect(refused).toMatchObject({
      failed_at: 'exchanged',
      reason: 'partner_refused',
      partner_code: 'invalid_client',
    });
    partner.tokenAnswer = null;
    const html = await failing(() => (partner.userInfoAnswer = { body: '<html>' }));
    expect(html).toMatchObject({ passed: ['returned', 'exchanged'], failed_at: 'identified' });
    expect((html.exchanges as { response: unknown }[])[1].response).toMatchObject({ body: 'HTML or XML, 6 bytes' });
  });

  describe('with an account that is linked, at a partner that keeps one grant per account', () => {
    const sub = freshName('sub');
    let id: string;

    beforeAll(async () => {
      resetPartner();
      id = await integrationWith({ revocation_path: '/oauth2/revoke' });
      const page = await (await LinkBrowser.of(linkage, freshName('user'))).link(id, sub);
      expect(page.status).toBe(200);
    }, 30_000);

    beforeEach(() => {
      partner.endsAllGrants = true;
    });

    async function resultWith(account: string): Promise<Record<string, unknown>> {
      const browser = await LinkBrowser.of(linkage);
      const started = await start(id);
      await browser.get(await browser.atPartner(await open(browser, started.path), account));
      return (await show(id, started)).result as Record<string, unknown>;
    }

    it('leaves the revocation out', async () => {
      const passed = ['returned', 'exchanged', 'identified', 'refreshed'];
      expect(await resultWith(sub)).toMatchObject({ passed, failed_at: null, revocation_left_out: 'account_linked' });
      expect(partner.isAlive(sub)).toBe(true);
    });

    it('leaves it out while it is not known whose the grant is', async () => {
      partner.userInfoAnswer = { status: 503, body: '' };
      expect(await resultWith(sub)).toMatchObject({ failed_at: 'identified', revocation_left_out: 'account_unknown' });
      expect(partner.isAlive(sub)).toBe(true);
    });

    it('revokes the grant of another account', async () => {
      const other = freshName('sub');
      expect(await resultWith(other)).toMatchObject({ failed_at: null, revocation_left_out: null });
      expect([partner.isAlive(other), partner.isAlive(sub)]).toEqual([false, true]);
    });
  });

  it('opens once, only from its own page, and not in another browser', async () => {
    const id = await integrationWith();
    const { path } = await start(id);
    const browser = await LinkBrowser.of(linkage);
    expect((await browser.confirmTest(path, { origin: 'https://evil.example' })).status).toBe(403);
    const back = await browser.atPartner(await open(browser, path), freshName('sub'));
    expect((await browser.get(path)).status).toBe(404);
    expect((await browser.confirmTest(path)).status).toBe(404);
    expect((await (await LinkBrowser.of(linkage, 'a-user')).get(back)).text).toContain('is not valid');
    expect((await browser.get(back)).text).toContain('The test was successful');
    expect((await browser.get(back)).text).toContain('is not valid');
    const late = await start(id);
    await database.query(`UPDATE linkage.test_links SET expires_at = now() - interval '1 s'`);
    expect((await browser.get(late.path)).status).toBe(404);
    expect(await show(id, late)).toMatchObject({ status: 'expired' });
  });

  it('is open as long as its flow, also when it was opened shortly before its address expired', async () => {
    const id = await integrationWith();
    const started = await start(id);
    const browser = await LinkBrowser.of(linkage);
    const url = await open(browser, started.path);
    const change = (assignment: string) =>
      database.query(`UPDATE linkage.test_links SET ${assignment} WHERE test_link_id = $1`, [started.testLinkId]);
    await change(`expires_at = now() - interval '1 s'`);
    expect(await show(id, started)).toMatchObject({ status: 'opened' });
    await change(`opened_at = now() - interval '12 minutes'`);
    expect(await show(id, started)).toMatchObject({ status: 'expired' });
    await browser.get(await browser.atPartner(url, freshName('sub')));
    expect(await show(id, started)).toMatchObject({ status: 'succeeded' });
  });

  describe('during a change of the domain', () => {
    it('a flow keeps the redirect URL that it began with, and continues where the cookies are', async () => {
      const id = await integrationWith({ redirect_base: further });
      const shown = await admin.get(`/integrations/${id}`);
      expect(shown.json.onboarding).toMatchObject({
        test: { further_redirect_urls: [`${further}/v1/oauth/callback/${id}`] },
        production: { further_redirect_urls: [] },
      });
      const browser = await LinkBrowser.of(linkage, freshName('user'));
      const url = await browser.begin(id);
      expect(url.searchParams.get('redirect_uri')).toBe(`${further}/v1/oauth/callback/${id}`);
      // The operator switches while the user is at the partner.
      expect((await admin.patch(`/integrations/${id}`, { profile: { redirect_base: null } })).status).toBe(200);
      const back = await browser.atPartner(url, freshName('sub'));
      const elsewhere = await (
        await LinkBrowser.of(linkage)
      ).get(back, {
        'x-forwarded-host': 'former.podium.example',
      });
      expect(elsewhere.status).toBe(303);
      expect(elsewhere.headers.get('location')).toBe(`https://test.podium.example${back}`);
      expect(elsewhere.headers.get('referrer-policy')).toBe('no-referrer');
      partner.seen.length = 0;
      expect((await browser.get(back, { 'x-forwarded-host': 'test.podium.example' })).status).toBe(200);
      expect(partner.seen[0].form.get('redirect_uri')).toBe(`${further}/v1/oauth/callback/${id}`);
      const next = await (await LinkBrowser.of(linkage, freshName('user'))).begin(id);
      expect(next.searchParams.get('redirect_uri')).toBe(`https://test.podium.example/v1/oauth/callback/${id}`);
    }, 30_000);

    it('accepts only addresses of this deployment', async () => {
      const id = await integrationWith();
      const refused = await admin.patch(`/integrations/${id}`, { profile: { redirect_base: 'https://evil.example' } });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('redirect_base')]);
      const other = await (
        await LinkBrowser.of(linkage)
      ).get(`/v1/oauth/callback/${id}?code=c&state=s`, {
        'x-forwarded-host': 'evil.example',
      });
      expect(other.status).toBe(400);
    });
  });
});
