import { topics } from '@podium/messages';
import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { adminClient, AdminClient } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { TopicReader, readTopics } from '../../test/read-topics';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

const returnTo = 'https://play.example/accounts?tab=partners';

describe('linking', () => {
  const partner = new LiteralPartner();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let database: Client;
  let reader: TopicReader;
  let integrationId: string;
  let platform: string;

  beforeAll(async () => {
    await partner.start();
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host, LINK_RETURN_URLS: returnTo });
    admin = await adminClient(linkage, { '*': 'admin' });
    database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    reader = await readTopics([topics.links]);
    views.start();
    ({ integrationId, platform } = await createIntegration());
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
    await reader.stop();
    await database.end();
    await linkage.stop();
    await partner.stop();
  });

  async function createIntegration(profile = {}): Promise<{ integrationId: string; platform: string }> {
    const name = freshName('p');
    const answer = await admin.post('/integrations', {
      platform: name,
      partner: name,
      organizer_id: 'organizer-1',
      display_name: 'Arena <b>One</b>',
      authorization_url: `${partner.baseUrl}/authorize?theme=dark`,
      base_url: partner.baseUrl,
      client_id: partner.clientId,
      client_secret: partner.clientSecret,
      profile,
    });
    expect(answer.status).toBe(201);
    return { integrationId: answer.json.integration_id as string, platform: name };
  }

  const browserOf = (userId = freshName('user')) => LinkBrowser.of(linkage, userId);
  const linkOf = async (browser: LinkBrowser, id = integrationId) =>
    (await browser.get(`/v1/me/links/${id}`)).json().link as Record<string, string> | null;
  const flows = async (userId: string) =>
    (await database.query(`SELECT * FROM linkage.oauth_flows WHERE user_id = $1`, [userId])).rows;

  describe('the authorization request', () => {
    it('is as specified, with PKCE, and keeps only hashes of its secrets', async () => {
      const browser = await browserOf();
      const url = await browser.begin(integrationId);
      expect(url.href).toMatch(`${partner.baseUrl}/authorize?theme=dark&`);
      const query = Object.fromEntries(url.searchParams);
      expect(query).toEqual({
        theme: 'dark',
        client_id: partner.clientId,
        redirect_uri: `https://test.podium.example/v1/oauth/callback/${integrationId}`,
        response_type: 'code',
        state: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      });
      expect(JSON.stringify(await flows(browser.userId))).not.toContain(query.state);
    });

    it('follows the profile: scope added, PKCE left out', async () => {
      const other = await createIntegration({ scope: 'profile read', pkce: false });
      const { searchParams } = await (await browserOf()).begin(other.integrationId);
      expect(searchParams.get('scope')).toBe('profile read');
      expect(searchParams.has('code_challenge')).toBe(false);
    });

    it('keeps at most five open flows of a user, the newest', async () => {
      const browser = await browserOf();
      for (let i = 0; i < 7; i++) await browser.begin(integrationId);
      expect((await flows(browser.userId)).length).toBe(5);
    });

    it('takes return_to from the list only', async () => {
      const token = await linkage.userToken('user-of-a-program');
      const start = (body: unknown) =>
        fetch(`${linkage.url}/v1/me/links/${integrationId}/start`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'x-podium-internal-token': linkage.internalToken,
          },
          body: JSON.stringify(body),
        });
      for (const foreign of ['https://evil.example', `${returnTo}/x`, '//evil.example', 'javascript:alert(1)'])
        expect((await start({ return_to: foreign })).status).toBe(400);
      const started = await start({ return_to: returnTo });
      expect(started.status).toBe(200);
      const cookie = started.headers.getSetCookie()[0];
      expect(cookie).toMatch(
        /^__Host-podium_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure$/,
      );
      const browser = await LinkBrowser.of(linkage);
      const url = new URL(((await started.json()) as { authorization_url: string }).authorization_url);
      const back = await browser.get(await browser.atPartner(url, freshName('sub')), { cookie: cookie.split(';')[0] });
      expect(back.text).toContain('href="https://play.example/accounts?tab=partners"');
      expect(back.text).toContain('data-target-origin="https://play.example"');
    });

    it('needs a user, the gateway, and our own page for a session', async () => {
      const path = `/v1/me/links/${integrationId}/start`;
      const browser = await browserOf();
      expect((await (await LinkBrowser.of(linkage)).change('POST', path)).status).toBe(401);
      expect((await browser.change('POST', path, {})).status).toBe(403);
      expect((await browser.change('POST', path, { origin: 'https://evil.example' })).status).toBe(403);
      const crossSite = { origin: 'https://test.podium.example', 'sec-fetch-site': 'cross-site' };
      expect((await browser.change('POST', path, crossSite)).status).toBe(403);
      expect((await browser.get('/connect', { 'x-podium-internal-token': 'wrong' })).status).toBe(401);
      expect((await browser.change('POST', `/v1/me/links/${integrationId.replace(/.$/, '0')}/start`)).status).toBe(404);
    });
  });

  describe('a link', () => {
    it('is shown as connected only when every group has its record', async () => {
      await views.pause();
      const browser = await browserOf();
      const sub = freshName('sub');
      const finishing = browser.link(integrationId, sub);
      const [linking] = await reader.records(topics.links.name, [platform, sub], 1);
      expect(linking.data).toMatchObject({ state: 'linking', platform_user_id: sub, user_id: browser.userId });
      const [first, ...others] = topics.links.readyWhen;
      await views.commit([first]);
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect(await linkOf(browser)).toMatchObject({ state: 'linking', ready_at: null });
      await views.commit(others);
      const page = await finishing;
      expect(page.status).toBe(200);
      expect(page.text).toContain('You are connected');
      expect(page.text).toContain(`Nick ${sub}`);
      expect(await linkOf(browser)).toMatchObject({ state: 'ready', nickname: `Nick ${sub}` });
      const records = await reader.records(topics.links.name, [platform, sub], 2);
      expect(records.map(({ data }) => data.state)).toEqual(['linking', 'ready']);
      expect(records[1].revision).toBeGreaterThan(records[0].revision);
    });

    it('says that it is being finished when the groups take longer than a page may', async () => {
      await views.pause();
      const browser = await browserOf();
      const page = await browser.link(integrationId, freshName('sub'));
      expect(page.text).toContain('Almost connected');
      expect(page.text).toContain(`data-poll="/v1/me/links/${integrationId}"`);
      views.follow();
      await until(async () => (await linkOf(browser))?.state === 'ready');
    }, 30_000);

    it('has one user per account and one account per user', async () => {
      const [first, second] = [await browserOf(), await browserOf()];
      const sub = freshName('sub');
      await first.link(integrationId, sub);
      const refused = await second.link(integrationId, sub);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('already connected to another user');
      expect(await linkOf(second)).toBeNull();
      expect((await first.link(integrationId, freshName('sub'))).text).toContain('already connected another account');
      expect(await linkOf(first)).toMatchObject({ nickname: `Nick ${sub}` });
    });

    it('goes to exactly one of two users who come back at the same time', async () => {
      const browsers = await Promise.all([browserOf(), browserOf(), browserOf()]);
      const sub = freshName('sub');
      const paths = await Promise.all(
        browsers.map(async (browser) => browser.atPartner(await browser.begin(integrationId), sub)),
      );
      const pages = await Promise.all(browsers.map((browser, i) => browser.get(paths[i])));
      expect(pages.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      const rows = await database.query(`SELECT 1 FROM linkage.links WHERE sub = $1 AND state <> 'unlinked'`, [sub]);
      expect(rows.rowCount).toBe(1);
    });

    it('keeps its id over a reconnect and an unlink, with a new linked_at', async () => {
      const browser = await browserOf();
      const sub = freshName('sub');
      await browser.link(integrationId, sub);
      const first = await linkOf(browser);
      await browser.link(integrationId, sub);
      const second = await linkOf(browser);
      expect(second).toMatchObject({ link_id: first?.link_id, state: 'ready' });
      expect(Date.parse(second?.linked_at ?? '')).toBeGreaterThan(Date.parse(first?.linked_at ?? ''));
      await browser.change('DELETE', `/v1/me/links/${integrationId}`);
      await browser.link(integrationId, sub);
      expect(await linkOf(browser)).toMatchObject({ link_id: first?.link_id, state: 'ready' });
      const states = (await reader.records(topics.links.name, [platform, sub], 7)).map(({ data }) => data.state);
      expect(states).toEqual(['linking', 'ready', 'linking', 'ready', 'unlinked', 'linking', 'ready']);
    });

    it('ends for everybody before its unlinking is confirmed, and its tokens at once', async () => {
      const browser = await browserOf();
      const sub = freshName('sub');
      await browser.link(integrationId, sub);
      const link = await linkOf(browser);
      await views.pause();
      const path = `/v1/me/links/${integrationId}`;
      const answer = await browser.change('DELETE', path);
      expect(answer).toMatchObject({ status: 202 });
      expect(answer.json()).toEqual({ state: 'unlinked', unlinked_at: null });
      expect((await browser.change('DELETE', path)).json()).toEqual({ state: 'unlinked', unlinked_at: null });
      const tokens = await database.query(`SELECT 1 FROM linkage.link_tokens WHERE link_id = $1`, [link?.link_id]);
      expect(tokens.rowCount).toBe(0);
      expect(await linkOf(browser)).toMatchObject({ state: 'unlinked' });
      views.follow();
      await until(async () => (await linkOf(browser)) === null);
      const listed = await admin.get(`/links?platform_user_id=${sub}`);
      expect(listed.json.items).toMatchObject([{ state: 'unlinked', unlinked_at: expect.stringMatching(/Z$/) }]);
      expect((await browser.change('DELETE', path)).status).toBe(404);
      expect((await (await browserOf()).link(integrationId, sub)).status).toBe(200);
    });
  });

  describe('the callback', () => {
    type Case = (browser: LinkBrowser, back: URLSearchParams) => Promise<string | void> | string | void;
    const unknown = 'This attempt to connect is not known here';
    const unusable = 'an answer that cannot be used';
    const cases: [string, string, Case][] = [
      ['without state', unusable, (_browser, back) => back.delete('state')],
      ['with an unknown state', unknown, (_browser, back) => back.set('state', 'x'.repeat(43))],
      ['with code and error', unusable, (_browser, back) => back.set('error', 'denied')],
      ['with nothing', unusable, (_browser, back) => [...back.keys()].forEach((key) => back.delete(key))],
      ['with a repeated code', unusable, (_browser, back) => back.append('code', 'other')],
      ['with a repeated state', unusable, (_browser, back) => back.append('state', back.get('state') ?? '')],
      ['with another server as iss', 'another server', (_browser, back) => back.set('iss', 'https://evil.example')],
      ['of another user', 'changed accounts here', (browser) => browser.logIn('somebody-else')],
      ['of another session', 'changed accounts here', (browser) => browser.logIn(browser.userId, 'another-session')],
      ['after log-out', 'logged out', (browser) => browser.logOut()],
      [
        'after its time',
        'took too long',
        async (browser) => {
          const past = `UPDATE linkage.oauth_flows SET expires_at = now() - interval '1 s' WHERE user_id = $1`;
          await database.query(past, [browser.userId]);
        },
      ],
      [
        'at another integration',
        unknown,
        async () => `/v1/oauth/callback/${(await createIntegration()).integrationId}`,
      ],
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

    it('is worth nothing in another browser, and still works in its own', async () => {
      const victim = await browserOf();
      const attacker = await browserOf();
      const back = await victim.atPartner(await victim.begin(integrationId), freshName('sub'));
      expect((await attacker.get(back)).text).toContain(unknown);
      expect((await (await LinkBrowser.of(linkage)).get(back)).text).toContain(unknown);
      expect((await victim.get(back)).status).toBe(200);
    });

    it('works once, also when it comes twice at the same time', async () => {
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
      const pages = await Promise.all([browser.get(back), browser.get(back)]);
      expect(pages.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect((await browser.get(back)).text).toContain(unknown);
    });

    it('serves two tabs of one browser', async () => {
      const browser = await browserOf();
      const sub = freshName('sub');
      const [one, two] = [await browser.begin(integrationId), await browser.begin(integrationId)];
      expect((await browser.get(await browser.atPartner(one, sub))).status).toBe(200);
      expect((await browser.get(await browser.atPartner(two, sub))).status).toBe(200);
    });

    it('is harmless when a browser only looks ahead', async () => {
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
      expect((await browser.send('HEAD', back)).status).toBe(204);
      expect((await browser.get(back, { 'sec-purpose': 'prefetch;prerender' })).status).toBe(503);
      expect((await browser.get(back)).status).toBe(200);
    });

    it('ends a flow by an error without state, and shows nothing of the partner’s own words', async () => {
      const browser = await browserOf();
      await browser.begin(integrationId);
      const error = encodeURIComponent('<script>alert(1)</script>\r\nx: y');
      const path = `/v1/oauth/callback/${integrationId}?error=${error}`;
      const page = await browser.get(path);
      expect(page.text).toContain('was not completed');
      expect(page.text).toContain('reason: it gave one that is not known here.');
      expect(page.text).not.toContain('alert(1)');
      expect(page.text).toContain('Arena &lt;b&gt;One&lt;/b&gt;');
      expect(await flows(browser.userId)).toEqual([]);
      // Without a flow of this browser, an address made by somebody else says nothing on our page.
      expect((await browser.get(path)).text).not.toContain('reason:');
    });

    it('says in words what a code of a standard means', async () => {
      const browser = await browserOf();
      const { searchParams } = await browser.begin(integrationId);
      const query = `error=access_denied&error_description=words&state=${searchParams.get('state')}`;
      const page = await browser.get(`/v1/oauth/callback/${integrationId}?${query}`);
      expect(page.text).toContain('reason: the log-in or the consent was declined.');
      expect(page.text).not.toMatch(/access_denied|words/);
    });

    it('does not take an error with a foreign state for its own', async () => {
      const browser = await browserOf();
      await browser.begin(integrationId);
      const page = await browser.get(`/v1/oauth/callback/${integrationId}?error=denied&state=foreign`);
      expect(page.text).toContain(unknown);
      expect((await flows(browser.userId)).length).toBe(1);
    });

    it('is refused when the integration was paused meanwhile', async () => {
      const other = await createIntegration();
      const browser = await browserOf();
      const back = await browser.atPartner(await browser.begin(other.integrationId), freshName('sub'));
      await admin.post(`/integrations/${other.integrationId}/pause`);
      expect((await browser.get(back)).text).toContain('cannot be connected right now');
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
      ['answers HTML', { body: '<html>' }, 'cannot be used', 'cannot be used'],
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
      'links nobody as %j',
      async (account) => {
        const browser = await browserOf();
        const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
        partner.userInfoAnswer = { body: account };
        expect((await browser.get(back)).text).toContain('cannot be used');
        expect(await linkOf(browser)).toBeNull();
      },
    );
  });

  it('leaves no code, token, state or secret in logs, topics and plain columns', async () => {
    const browser = await browserOf();
    const url = await browser.begin(integrationId);
    const back = await browser.atPartner(url, freshName('sub'));
    await browser.get(back);
    const secrets = [
      new URLSearchParams(back.split('?')[1]).get('code') ?? '',
      url.searchParams.get('state') ?? '',
      partner.clientSecret,
      partner.seen.findLast(({ path }) => path === '/oauth2/userinfo')?.authorization.slice(7) ?? '',
    ];
    const columns = await Promise.all(
      ['links', 'link_tokens', 'oauth_flows', 'audit', 'integrations'].map((table) =>
        database.query(`SELECT * FROM linkage.${table}`),
      ),
    );
    const outputs = [linkage.logged.join('\n'), reader.everything(), JSON.stringify(columns.map(({ rows }) => rows))];
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(10);
      for (const output of outputs) expect(output).not.toContain(secret);
    }
    expect(linkage.logged.join('')).not.toMatch(/\bat-[0-9a-f]{24}|rt-[0-9a-f]{24}|code-[0-9a-f]{16}/);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 15_000; Date.now() < endMs; await new Promise((resolve) => setTimeout(resolve, 100)))
    if (await holds()) return;
  throw new Error('did not come true in time');
}
