import { topics } from '@podium/messages';
import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { randomUUID } from 'node:crypto';
import { adminClient, AdminClient, createIntegration } from '../../test/admin-client';
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
    ({ integrationId, platform } = await integrationWith());
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

  describe('the authorization request', () => {
    it('follows the specification, with PKCE, and stores only hashes of its secrets', async () => {
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

    it('is open for 10 minutes', async () => {
      const browser = await browserOf();
      await browser.begin(integrationId);
      const [flow] = (await flows(browser.userId)) as { created_at: Date; expires_at: Date }[];
      expect((flow.expires_at.getTime() - flow.created_at.getTime()) / 1000).toBeCloseTo(600, 1);
    });

    it('follows the profile: with scope, without PKCE', async () => {
      const other = await integrationWith({ scope: 'profile read', pkce: false });
      const { searchParams } = await (await browserOf()).begin(other.integrationId);
      expect(searchParams.get('scope')).toBe('profile read');
      expect(searchParams.has('code_challenge')).toBe(false);
    });

    it('keeps at most the five newest open flows of a user', async () => {
      const browser = await browserOf();
      for (let i = 0; i < 7; i++) await browser.begin(integrationId);
      expect((await flows(browser.userId)).length).toBe(5);
    });

    it('is refused to a user who changes links in a loop, however logged in, and to no other', async () => {
      const browser = await browserOf();
      const unlink = `/v1/me/links/${integrationId}`;
      let startedMs = performance.now();
      const passedS = (): number => (performance.now() - startedMs) / 1000;
      const answers = await Promise.all(Array.from({ length: 80 }, () => browser.change('DELETE', unlink)));
      const refused = answers.filter(({ status }) => status === 429);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
      expect(refused.length).toBeLessThanOrEqual(80 - 60);
      expect(refused.length).toBeGreaterThanOrEqual(80 - 60 - Math.ceil(passedS()));
      expect([refused[0].headers.get('retry-after'), refused[0].json()]).toEqual([
        '1',
        { error: { code: 'rate_limited', message: expect.stringContaining('too often') as string, retry: 'now' } },
      ]);

      startedMs = performance.now();
      await database.query(
        `UPDATE linkage.link_change_rates SET arrival_at = now() + interval '90 s' WHERE user_digest = sha256($1)`,
        [browser.userId],
      );
      const bearer = { authorization: `Bearer ${await linkage.userToken(browser.userId)}` };
      const refusals = [
        await browser.change('POST', `${unlink}/start`),
        await (await LinkBrowser.of(linkage)).send('DELETE', unlink, bearer),
        await browser.change('POST', `/connect/start/${integrationId}`),
        await browser.change('POST', `/connect/disconnect/${integrationId}`),
      ];
      expect(refusals.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
      for (const waitS of refusals.map(({ headers }) => Number(headers.get('retry-after')))) {
        expect(waitS).toBeLessThanOrEqual(31);
        expect(waitS).toBeGreaterThanOrEqual(Math.floor(30 - passedS()));
      }
      for (const { headers, text } of refusals.slice(2))
        expect([headers.get('content-type'), text.includes('very often')]).toEqual(['text/html; charset=utf-8', true]);
      // The limit of a day, long after the last change.
      await database.query(
        `UPDATE linkage.link_change_rates SET arrival_at = now() - interval '1 hour', day_arrival_at = now() + interval '1 day'
         WHERE user_digest = sha256($1)`,
        [browser.userId],
      );
      const ofDay = await browser.change('DELETE', unlink);
      expect(ofDay.status).toBe(429);
      expect(Number(ofDay.headers.get('retry-after'))).toBeGreaterThan(86_400 / 200 - 30);
      expect(Number(ofDay.headers.get('retry-after'))).toBeLessThanOrEqual(86_400 / 200);
      expect(await flows(browser.userId)).toEqual([]);
      expect((await browser.get(unlink)).status).toBe(200);
      await (await browserOf()).begin(integrationId);
    });

    it('accepts only listed values of return_to', async () => {
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

    it('requires a user, the gateway, and for a session the service’s own origin', async () => {
      const path = `/v1/me/links/${integrationId}/start`;
      const browser = await browserOf();
      expect((await (await LinkBrowser.of(linkage)).change('POST', path)).status).toBe(401);
      expect((await browser.change('POST', path, {})).status).toBe(403);
      expect((await browser.change('POST', path, { origin: 'https://evil.example' })).status).toBe(403);
      const crossSite = { origin: 'https://test.podium.example', 'sec-fetch-site': 'cross-site' };
      expect((await browser.change('POST', path, crossSite)).status).toBe(403);
      expect((await browser.get('/connect', { 'x-podium-internal-token': 'wrong' })).status).toBe(401);
      expect((await browser.change('POST', `/v1/me/links/${randomUUID()}/start`)).status).toBe(404);
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

    it('is shown as being set up when the groups take longer than the page waits', async () => {
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

    it('tells its user whether it renews itself and why it needs a log-in', async () => {
      const browser = await browserOf();
      const sub = freshName('sub');
      await browser.link(integrationId, sub);
      expect(await linkOf(browser)).toMatchObject({ problem: null, refreshable: true });
      const path = `/v1/me/links/${integrationId}`;
      await database.query(`UPDATE linkage.links SET user_info_at = now() - interval '1 hour' WHERE sub = $1`, [sub]);
      partner.revoke(sub);
      await browser.get(`${path}?refresh=true`);
      expect(await linkOf(browser)).toMatchObject({ state: 'needs_reauth', problem: 'grant_ended' });
      const page = await browser.get('/connect');
      expect(page.text).toContain('has ended the connection');
      expect(page.text).not.toContain('grant_ended');
      const limited = await browserOf();
      partner.tokenAnswer = { body: { access_token: 'at-without-refresh-token' } };
      partner.userInfoAnswer = { body: { sub: freshName('sub'), nickname: 'n' } };
      await limited.link(integrationId, freshName('sub'));
      expect(await linkOf(limited)).toMatchObject({ problem: null, refreshable: false });
      expect((await limited.get('/connect')).text).toContain('connects for a limited time');
    });

    it('is refreshed ahead of the lifetime that its profile assumes, when the partner states none', async () => {
      const { integrationId: id } = await integrationWith({ access_token_lifetime_s: 600 });
      const sub = freshName('sub');
      await (await browserOf()).link(id, sub);
      const { rows } = await database.query<{ expires: number; due: number }>(
        `SELECT extract(epoch FROM t.expires_at - now())::float8 AS expires,
           extract(epoch FROM t.refresh_due_at - now())::float8 AS due
         FROM linkage.link_tokens t JOIN linkage.links l USING (link_id) WHERE l.sub = $1`,
        [sub],
      );
      // 5 to 15 % before, less the time of the link until here.
      for (const seconds of [rows[0].expires, rows[0].due]) {
        expect(seconds).toBeGreaterThan(480);
        expect(seconds).toBeLessThanOrEqual(570);
      }
    });

    it('goes to exactly one of two users who return at the same time', async () => {
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

    it('keeps linked_at when it is renewed; a reconnect after an unlink keeps the id and sets linked_at', async () => {
      const browser = await browserOf();
      const sub = freshName('sub');
      await browser.link(integrationId, sub);
      const first = await linkOf(browser);
      await browser.link(integrationId, sub);
      const second = await linkOf(browser);
      expect(second).toMatchObject({ link_id: first?.link_id, state: 'ready' });
      expect(second?.linked_at).toBe(first?.linked_at);
      expect(Date.parse(second?.ready_at ?? '')).toBeGreaterThan(Date.parse(first?.ready_at ?? ''));
      await browser.change('DELETE', `/v1/me/links/${integrationId}`);
      await browser.link(integrationId, sub);
      const third = await linkOf(browser);
      expect(third).toMatchObject({ link_id: first?.link_id, state: 'ready' });
      expect(Date.parse(third?.linked_at ?? '')).toBeGreaterThan(Date.parse(first?.linked_at ?? ''));
      const records = await reader.records(topics.links.name, [platform, sub], 7);
      const states = records.map(({ data }) => data.state);
      expect(states).toEqual(['linking', 'ready', 'linking', 'ready', 'unlinked', 'linking', 'ready']);
      const [linkedAt, relinkedAt] = [records[4].data.linked_at, records[5].data.linked_at] as number[];
      const ends = records.map(({ data }) => data.unlinked_at as number | undefined);
      expect(ends).toEqual([undefined, undefined, undefined, undefined, expect.any(Number), undefined, undefined]);
      expect(ends[4]).toBeGreaterThanOrEqual(linkedAt);
      expect(ends[4]).toBeLessThanOrEqual(relinkedAt);
    });

    it('ends for every service before its unlink is confirmed; its tokens are deleted at once', async () => {
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

  it('leaves no code, token, state or secret in logs, topics, metrics, pages, lists or plaintext columns', async () => {
    partner.clientSecret = 'canary/secret+with=signs&%';
    const { integrationId: id } = await integrationWith();
    const browser = await browserOf();
    const url = await browser.begin(id);
    const back = await browser.atPartner(url, freshName('sub'));
    const pages = [(await browser.get(back)).text, (await browser.get('/connect')).text];
    const [token, userInfo] = partner.seen.slice(-2);
    partner.tokenAnswer = { status: 400, body: { error: token.form.get('code'), [url.href]: token.authorization } };
    pages.push((await browser.link(id, freshName('sub'))).text);
    partner.clientSecret = 'canary-partner-secret';
    const secrets = [
      ...[new URLSearchParams(back.split('?')[1]).get('code') ?? '', url.searchParams.get('state') ?? ''],
      ...['canary/secret+with=signs&%', userInfo.authorization.slice(7), token.form.get('code_verifier') ?? ''],
    ];
    const lists: string[] = [];
    for (const list of ['linking', 'exchanges', 'refreshes', ''])
      await until(async () => {
        const { text } = await admin.get(`/integrations/${id}/${list}`);
        lists.push(text);
        return list !== 'exchanges' || text.includes('rejected');
      });
    const columns: unknown[] = [];
    const tables = [
      'links',
      'link_tokens',
      'oauth_flows',
      'audit',
      'integrations',
      'partner_exchanges',
      'partner_counts',
    ];
    for (const table of tables) columns.push((await database.query(`SELECT * FROM linkage.${table}`)).rows);
    const outputs = {
      ...{ logs: linkage.logged.join('\n'), topics: reader.everything(), metrics: await linkage.metrics() },
      ...{ pages: pages.join('\n'), lists: lists.join('\n'), columns: JSON.stringify(columns) },
    };
    for (const form of secrets.flatMap(formsOf))
      for (const [name, output] of Object.entries(outputs)) {
        expect(form.length).toBeGreaterThan(10);
        expect([name, output.includes(form)]).toEqual([name, false]);
      }
    expect(linkage.logged.join('')).not.toMatch(/\bat-[0-9a-f]{24}|rt-[0-9a-f]{24}|code-[0-9a-f]{16}/);
  });
});

/** A secret as it is, in base64 at each alignment, in base64url and percent-encoded. */
function formsOf(secret: string): string[] {
  const aligned = ['', 'x', 'xx'].map((before) => {
    const text = Buffer.from(before + secret).toString('base64');
    // The first and last group also depend on what surrounds the secret.
    return text.slice(before === '' ? 0 : 4, -4);
  });
  return [
    secret,
    ...aligned,
    ...aligned.map((text) => text.replace(/\+/g, '-').replace(/\//g, '_')),
    encodeURIComponent(secret),
  ];
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 15_000; Date.now() < endMs; await new Promise((resolve) => setTimeout(resolve, 100)))
    if (await holds()) return;
  throw new Error('timed out: the condition did not become true');
}
