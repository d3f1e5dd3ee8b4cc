import { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { adminClient, AdminClient, createIntegration } from '../../test/admin-client';
import { BrowserAnswer, LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

describe('linking by a redirect from the partner', () => {
  const partner = new LiteralPartner();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let database: Client;
  let integrationId: string;

  beforeAll(async () => {
    await partner.start();
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
    admin = await adminClient(linkage, { '*': 'admin' });
    database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    views.start();
    integrationId = (await integrationWith()).integrationId;
  }, 60_000);

  beforeEach(() => {
    partner.tokenAnswer = null;
    partner.userInfoAnswer = null;
    partner.seen.length = 0;
    views.follow();
  });

  afterEach(() => views.pause());

  afterAll(async () => {
    await views.stop();
    await database.end();
    await linkage.stop();
    await partner.stop();
  });

  const integrationWith = (profile = {}): ReturnType<typeof createIntegration> =>
    createIntegration(admin, partner, {
      ...{ profile, display_name: 'Arena <b>One</b>' },
      authorization_url: `${partner.baseUrl}/authorize?theme=dark`,
    });

  const browserOf = (userId = freshName('user')) => LinkBrowser.of(linkage, userId);
  const linkOf = async (browser: LinkBrowser, id = integrationId) =>
    (await browser.get(`/v1/me/links/${id}`)).json().link as Record<string, string> | null;
  const flows = async (userId: string) =>
    (await database.query(`SELECT * FROM linkage.oauth_flows WHERE user_id = $1`, [userId])).rows;
  /** Resolves when no callback of the user is under way; its page is sent before. */
  async function callbacksEnded(userId: string): Promise<void> {
    const select = `SELECT 1 FROM linkage.flow_callbacks WHERE user_id = $1`;
    while ((await database.query(select, [userId])).rows.length > 0) await sleep(10);
  }

  describe('the callback', () => {
    type Case = (browser: LinkBrowser, back: URLSearchParams) => Promise<string | void> | string | void;
    const unknown = 'This attempt to connect is not valid';
    const unusable = 'The response from the partner was invalid';
    const sessionOver = 'Your log-in here ended or changed';
    const cases: [string, string, Case][] = [
      ['without state', unusable, (_browser, back) => back.delete('state')],
      ['with an unknown state', unknown, (_browser, back) => back.set('state', 'x'.repeat(43))],
      ['with code and error', unusable, (_browser, back) => back.set('error', 'denied')],
      ['with nothing', unusable, (_browser, back) => [...back.keys()].forEach((key) => back.delete(key))],
      ['with a repeated code', unusable, (_browser, back) => back.append('code', 'other')],
      ['with a repeated state', unusable, (_browser, back) => back.append('state', back.get('state') ?? '')],
      ['with another server as iss', 'did not come from', (_browser, back) => back.set('iss', 'https://evil.example')],
      ['of another user', sessionOver, (browser) => browser.logIn('somebody-else')],
      ['of another session', sessionOver, (browser) => browser.logIn(browser.userId, 'another-session')],
      ['after log-out', sessionOver, (browser) => browser.logOut()],
      [
        'after its time',
        'took too long',
        async (browser) => {
          const past = `UPDATE linkage.oauth_flows SET expires_at = now() - interval '1 s' WHERE user_id = $1`;
          await database.query(past, [browser.userId]);
        },
      ],
      ['at another integration', unknown, async () => `/v1/oauth/callback/${(await integrationWith()).integrationId}`],
    ];
    it.each(cases)('is refused %s, before any request to the partner', async (_name, sentence, spoil) => {
      const browser = await browserOf();
      const back = new URL(await browser.atPartner(await browser.begin(integrationId), freshName('sub')), 'http://x');
      partner.seen.length = 0;
      const otherPath = await spoil(browser, back.searchParams);
      const page = await browser.get(`${otherPath ?? back.pathname}${back.search}`);
      expect(page.status).toBe(400);
      expect(page.text).toContain(sentence);
      expect(partner.seen).toEqual([]);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    });

    it('accepts the partner itself as iss', async () => {
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
      expect((await browser.get(`${back}&iss=${encodeURIComponent(partner.baseUrl)}`)).status).toBe(200);
    });

    it('accepts a configured issuer on another host as iss, and no other', async () => {
      const issuer = 'https://login.partner.example/tenants/7';
      const id = (await integrationWith({ issuer })).integrationId;
      const returning = async (iss: string | null): Promise<BrowserAnswer> => {
        const browser = await browserOf();
        const back = await browser.atPartner(await browser.begin(id), freshName('sub'));
        return browser.get(iss === null ? back : `${back}&iss=${encodeURIComponent(iss)}`);
      };
      expect([(await returning(issuer)).status, (await returning(null)).status]).toEqual([200, 200]);
      for (const iss of [`${issuer}/`, issuer.slice(0, -2), new URL(issuer).origin, partner.baseUrl]) {
        const { status, text } = await returning(iss);
        expect([status, text]).toEqual([400, expect.stringContaining('did not come from')]);
      }
    });

    it('has no effect in another browser, and still works in its own', async () => {
      const victim = await browserOf();
      const attacker = await browserOf();
      const back = await victim.atPartner(await victim.begin(integrationId), freshName('sub'));
      expect((await attacker.get(back)).text).toContain(unknown);
      expect((await (await LinkBrowser.of(linkage)).get(back)).text).toContain(unknown);
      expect((await victim.get(back)).status).toBe(200);
    });

    it('works once, even if two requests arrive at the same time', async () => {
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
      const pages = await Promise.all([browser.get(back), browser.get(back)]);
      expect(pages.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect((await browser.get(back)).text).toContain(unknown);
      await callbacksEnded(browser.userId);
    });

    it('serves two tabs of one browser', async () => {
      const browser = await browserOf();
      const sub = freshName('sub');
      const [one, two] = [await browser.begin(integrationId), await browser.begin(integrationId)];
      expect((await browser.get(await browser.atPartner(one, sub))).status).toBe(200);
      expect((await browser.get(await browser.atPartner(two, sub))).status).toBe(200);
    });

    it('keeps the tokens of the tab that came back later when the other one waited for its user info', async () => {
      const browser = await browserOf();
      const sub = freshName('sub');
      const tokens = async (): Promise<unknown[]> => {
        const select = `SELECT t.version, refresh_token_enc FROM linkage.link_tokens t JOIN linkage.links USING (link_id) WHERE sub = $1`;
        return (await database.query(select, [sub])).rows;
      };
      const [one, two] = [await browser.begin(integrationId), await browser.begin(integrationId)];
      const asked = new Promise<ServerResponse>((resolve) => (partner.userInfoAnswer = resolve));
      const first = browser.get(await browser.atPartner(one, sub));
      const userInfo = await asked;
      partner.userInfoAnswer = null;
      expect((await browser.get(await browser.atPartner(two, sub))).status).toBe(200);
      const stored = await tokens();
      userInfo.setHeader('content-type', 'application/json').end(JSON.stringify({ sub }));
      expect((await first).text).toContain('You are connected');
      expect([stored.length, await tokens()]).toEqual([1, stored]);
    });

    it('has no effect when a browser only prefetches it', async () => {
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
      expect((await browser.send('HEAD', back)).status).toBe(204);
      expect((await browser.get(back, { 'sec-purpose': 'prefetch;prerender' })).status).toBe(425);
      expect((await browser.get(back)).status).toBe(200);
    });

    it('ends a flow by an error without state, and shows no text of the partner', async () => {
      const browser = await browserOf();
      await browser.begin(integrationId);
      const error = encodeURIComponent('<script>alert(1)</script>\r\nx: y');
      const path = `/v1/oauth/callback/${integrationId}?error=${error}`;
      const page = await browser.get(path);
      expect(page.text).toContain('was not completed');
      expect(page.text).toContain('reason: it sent an unknown error.');
      expect(page.text).not.toContain('alert(1)');
      expect(page.text).toContain('Arena &lt;b&gt;One&lt;/b&gt;');
      expect(await flows(browser.userId)).toEqual([]);
      await callbacksEnded(browser.userId);
      // Without a flow of this browser, a forged URL shows no text on this page.
      expect((await browser.get(path)).text).not.toContain('reason:');
    });

    it('explains a standard error code in words', async () => {
      const browser = await browserOf();
      const { searchParams } = await browser.begin(integrationId);
      const query = `error=access_denied&error_description=words&state=${searchParams.get('state')}`;
      const page = await browser.get(`/v1/oauth/callback/${integrationId}?${query}`);
      expect(page.text).toContain('reason: the log-in or the consent was declined.');
      expect(page.text).not.toMatch(/access_denied|words/);
    });

    it('ignores an error with the state of another browser', async () => {
      const browser = await browserOf();
      await browser.begin(integrationId);
      const page = await browser.get(`/v1/oauth/callback/${integrationId}?error=denied&state=foreign`);
      expect(page.text).toContain(unknown);
      expect((await flows(browser.userId)).length).toBe(1);
    });

    it('does not wait long for a look-up of checks', async () => {
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
      await database.query('BEGIN');
      await database.query('LOCK TABLE linkage.partner_checks IN ACCESS EXCLUSIVE MODE');
      const startedMs = performance.now();
      const page = await browser.get(back).finally(() => database.query('ROLLBACK'));
      expect(page.text).toContain('You are connected');
      // A statement alone may take 5 s.
      expect(performance.now() - startedMs).toBeLessThan(4000);
    });

    it('links although Postgres does not store the link at first: the code is used', async () => {
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
      await database.query('BEGIN');
      await database.query('LOCK TABLE linkage.links IN ACCESS EXCLUSIVE MODE');
      const page = browser.get(back);
      // A statement of a callback may take 5 s.
      await sleep(6000);
      await database.query('ROLLBACK');
      expect((await page).text).toContain('You are connected');
      expect((await linkOf(browser))?.state).toBe('ready');
      expect(partner.seen.filter(({ path }) => path === '/oauth2/token')).toHaveLength(1);
    });

    it('sends its page before it is stored that the callback has ended', async () => {
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
      partner.tokenAnswer = (response) => {
        const noted = `SELECT FROM linkage.flow_callbacks WHERE user_id = $1 FOR UPDATE`;
        void database
          .query('BEGIN')
          .then(() => database.query(noted, [browser.userId]))
          .finally(() => response.writeHead(503).end());
      };
      const startedMs = performance.now();
      const page = await browser.get(back).finally(() => database.query('ROLLBACK'));
      expect(page.text).toContain('cannot be reached');
      // A statement alone may take 5 s.
      expect(performance.now() - startedMs).toBeLessThan(3000);
      await callbacksEnded(browser.userId);
    });

    it('is refused when the integration was paused in the meantime', async () => {
      const other = await integrationWith();
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(other.integrationId), freshName('sub'));
      await admin.post(`/integrations/${other.integrationId}/pause`);
      expect((await browser.get(back)).text).toContain('cannot be connected at the moment');
      expect((await browser.change('POST', `/v1/me/links/${other.integrationId}/start`)).status).toBe(403);
    });

    it.each([
      [
        'refuses the code',
        { status: 400, body: { error: 'invalid_grant' } },
        'did not confirm',
        'reason: the log-in there is no longer valid.',
      ],
      ['is down', { status: 503, body: '' }, 'cannot be reached', 'cannot be reached'],
      ['answers HTML', { body: '<html>' }, 'was invalid', 'was invalid'],
    ])('has a sentence for a partner that %s', async (_name, answer, sentence, detail) => {
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
      partner.tokenAnswer = answer;
      const page = await browser.get(back);
      expect(page.status).toBe(400);
      expect(page.text).toContain(sentence);
      expect(page.text).toContain(detail);
      expect(await linkOf(browser)).toBeNull();
    });

    it.each([{ nickname: 'n' }, { sub: ' ' }, { sub: 7 }, { sub: 'x'.repeat(300) }])(
      'links no user as %j',
      async (account) => {
        const browser = await browserOf();
        const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
        partner.userInfoAnswer = { body: account };
        expect((await browser.get(back)).text).toContain('was invalid');
        expect(await linkOf(browser)).toBeNull();
      },
    );
  });
});
