import { launchBrowser } from '@podium/testing/browser';
import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { Browser, BrowserContext, Page } from 'playwright-core';
import { FrontDoor } from '../../test/front-door';
import { HostilePartner } from '../../test/hostile-partner';
import { insertIntegration } from '../../test/insert-integration';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';
import { TestIdp } from '../../test/test-idp';

const notValid = 'This attempt to connect is not valid';

/**
 * Attacks in a real browser between an honest partner and a hostile one, which controls its authorization page, its token
 * endpoint and a website. None may link an account, and nothing of the honest partner may reach the hostile one. The site of
 * the service is `localhost`, both partners are at `127.0.0.1`, so that they are cross-site to it.
 */
describe('attacks on linking', () => {
  const honest = new LiteralPartner();
  const hostile = new HostilePartner();
  const idp = new TestIdp();
  const door = new FrontDoor();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let database: Client;
  let browser: Browser;
  let honestId: string;
  let hostileId: string;
  let victim: Person;

  beforeAll(async () => {
    await Promise.all([honest.start(), hostile.start(), idp.start(), door.start()]);
    linkage = await startLinkage({
      PUBLIC_URL: door.url,
      OIDC_ISSUER_URL: idp.issuer,
      PARTNER_ADDRESS_ALLOW_LIST: `${honest.host},${hostile.host}`,
      LINK_RETURN_URLS: 'https://play.example/accounts',
    });
    door.forwardTo(linkage);
    views.start();
    const { databaseUrl } = linkage;
    database = new Client({ connectionString: databaseUrl });
    await database.connect();
    const platforms = [freshName('honest'), freshName('hostile')];
    honestId = await insertIntegration(databaseUrl, { platform: platforms[0], displayName: 'Honest', partner: honest });
    hostileId = await insertIntegration(databaseUrl, {
      platform: platforms[1],
      displayName: 'Hostile',
      partner: hostile,
    });
    browser = await launchBrowser();
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    await views.stop();
    await database?.end();
    await linkage?.stop();
    await Promise.all([honest.stop(), hostile.stop(), idp.stop(), door.stop()]);
  });

  beforeEach(async () => {
    views.follow();
    hostile.caught.length = 0;
    honest.seen.length = 0;
    hostile.pages = {};
    honest.registeredRedirects = [`${door.url}/v1/oauth/callback/${honestId}`];
    honest.sendsIssuer = false;
    victim = await person('victim');
    honest.browserSub = freshName('victims-account');
  });

  /** After every attack: nobody is linked, and the hostile partner knows nothing of the honest one or of a session. */
  afterEach(async () => {
    expect(await linksOf(victim)).toEqual([]);
    const codes = honest.issuedCodes.splice(0);
    for (const secret of [
      ...codes,
      honest.clientSecret,
      'podium_session',
      'podium_browser',
      '/v1/oauth/callback/' + honestId,
    ])
      expect(hostile.everything()).not.toContain(secret);
    for (const { headers } of hostile.caught) expect(headers.referer ?? '').not.toContain(door.url);
    await victim.context.close();
  });

  interface Person {
    readonly userId: string;
    readonly context: BrowserContext;
    readonly page: Page;
  }

  /** Somebody who is logged in at /connect in a browser of their own. */
  async function person(name: string): Promise<Person> {
    const userId = freshName(name);
    idp.user = { sub: userId, name };
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${door.url}/connect/login`);
    await page.getByRole('heading', { name: 'Connected accounts' }).waitFor();
    return { userId, context, page };
  }

  async function linksOf({ userId }: Person): Promise<string[]> {
    const { rows } = await database.query<{ sub: string }>(
      `SELECT sub FROM linkage.links WHERE user_id = $1 AND state <> 'unlinked'`,
      [userId],
    );
    return rows.map(({ sub }) => sub);
  }

  /** Begins a flow as the page's user; returns the partner's authorization URL. */
  async function begin({ page }: Person, integrationId: string): Promise<URL> {
    await page.goto(`${door.url}/connect`);
    const answer = await page.evaluate(
      async (path) => (await fetch(path, { method: 'POST' })).json() as Promise<{ authorization_url: string }>,
      `/v1/me/links/${integrationId}/start`,
    );
    return new URL(answer.authorization_url);
  }

  /** Logs in at the honest partner and returns the callback, which the browser does not open. */
  async function callbackFor(authorizationUrl: URL, sub: string): Promise<URL> {
    authorizationUrl.searchParams.set('login', sub);
    const answer = await fetch(authorizationUrl, { redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? '');
  }

  const tokenRequests = () => honest.seen.filter(({ path }) => path === '/oauth2/token').length;
  const redirectTo = (location: string) => () => ({ status: 302, headers: { location } });

  it('log-in CSRF: the callback of an attacker does not link the victim to the account of the attacker', async () => {
    const attacker = await person('attacker');
    const callback = await callbackFor(await begin(attacker, honestId), freshName('attackers-account'));
    hostile.pages['/win'] = redirectTo(callback.href);
    await victim.page.goto(`${hostile.baseUrl}/win`);
    await victim.page.getByText(notValid).waitFor();
    // A victim with an open flow of their own is not linked either.
    await begin(victim, honestId);
    await victim.page.goto(`${hostile.baseUrl}/win`);
    await victim.page.getByText(notValid).waitFor();
    expect(tokenRequests()).toBe(0);
    await attacker.context.close();
  });

  it('CSRF: a form on another website can neither begin a flow nor disconnect nor log out', async () => {
    for (const path of [`/connect/start/${honestId}`, `/connect/disconnect/${honestId}`, '/connect/logout']) {
      hostile.pages['/form'] = () => ({
        body: `<form method="post" action="${door.url}${path}"></form><script>document.forms[0].submit()</script>`,
      });
      await victim.page.goto(`${hostile.baseUrl}/form`);
      await victim.page.waitForURL(`${door.url}${path}`);
    }
    const { rowCount } = await database.query(`SELECT FROM linkage.oauth_flows WHERE user_id = $1`, [victim.userId]);
    expect(rowCount).toBe(0);
    await victim.page.goto(`${door.url}/connect`);
    await victim.page.getByRole('heading', { name: 'Connected accounts' }).waitFor();
  });

  it('mix-up: a hostile partner that sends the user on to the honest one gets no code', async () => {
    const atHostile = await begin(victim, hostileId);
    const state = atHostile.searchParams.get('state') ?? '';
    const atHonest = (redirectUri: string): string => {
      const query = { client_id: honest.clientId, response_type: 'code', state, redirect_uri: redirectUri };
      return `${honest.baseUrl}/authorize?${new URLSearchParams(query)}`;
    };
    // An honest partner refuses the redirect URL of another integration (specification, Authorization page, rule 2).
    hostile.pages['/authorize'] = redirectTo(atHonest(`${door.url}/v1/oauth/callback/${hostileId}`));
    await victim.page.goto(atHostile.href);
    await victim.page.getByText('redirect_uri is not registered').waitFor();
    // With the redirect URL of the honest one, the state is that of another integration.
    hostile.pages['/authorize'] = redirectTo(atHonest(`${door.url}/v1/oauth/callback/${honestId}`));
    await victim.page.goto(atHostile.href);
    await victim.page.getByText(notValid).waitFor();
    // A partner that checks no redirect URL, but names itself, is recognised before any token request.
    honest.registeredRedirects = null;
    honest.sendsIssuer = true;
    hostile.pages['/authorize'] = redirectTo(atHonest(`${door.url}/v1/oauth/callback/${hostileId}`));
    await victim.page.goto(atHostile.href);
    await victim.page.getByText('did not come from Hostile').waitFor();
    expect(hostile.caught.filter(({ url }) => url === '/oauth2/token')).toEqual([]);
    expect(tokenRequests()).toBe(0);
  });

  it('fixation: a victim who follows the authorization URL of an attacker does not link the attacker', async () => {
    const attacker = await person('attacker');
    const shared = await begin(attacker, honestId);
    // The browser of the victim has a cookie of its own flows.
    await begin(victim, honestId);
    hostile.pages['/share'] = redirectTo(shared.href);
    await victim.page.goto(`${hostile.baseUrl}/share`);
    await victim.page.getByText(notValid).waitFor();
    expect(await linksOf(attacker)).toEqual([]);
    expect(tokenRequests()).toBe(0);
    await attacker.context.close();
  });

  it('session fixation: cookies that were planted before the log-in are worth nothing after it', async () => {
    const attacker = await person('attacker');
    const planted = (await attacker.context.cookies()).filter(({ name }) => name.startsWith('podium_'));
    const context = await browser.newContext();
    await context.addCookies(planted);
    const page = await context.newPage();
    idp.user = { sub: victim.userId, name: 'victim' };
    await page.goto(`${door.url}/connect/login`);
    await page.getByRole('heading', { name: 'Connected accounts' }).waitFor();
    const session = (await context.cookies()).find(({ name }) => name === 'podium_session');
    expect(planted.map(({ value }) => value)).not.toContain(session?.value);
    const callback = await callbackFor(await begin({ ...victim, page }, honestId), freshName('victims-account'));
    await begin(attacker, honestId);
    await attacker.page.goto(callback.href);
    await attacker.page.getByText(notValid).waitFor();
    expect(await linksOf(attacker)).toEqual([]);
    await Promise.all([context.close(), attacker.context.close()]);
  });

  it('code injection: a stolen code is refused under a fresh state of the attacker', async () => {
    const stolen = await callbackFor(await begin(victim, honestId), freshName('victims-account'));
    const attacker = await person('attacker');
    const fresh = await begin(attacker, honestId);
    const forged = new URL(stolen);
    forged.searchParams.set('state', fresh.searchParams.get('state') ?? '');
    await attacker.page.goto(forged.href);
    await attacker.page.getByText('Honest did not confirm the log-in').waitFor();
    expect(await linksOf(attacker)).toEqual([]);
    // The code is used up, and the flow of the victim cannot bring it back.
    await victim.page.goto(stolen.href);
    await victim.page.getByText('Honest did not confirm the log-in').waitFor();
    await attacker.context.close();
  });

  // Three defences, each of which this fails without: the state belongs to a browser, is taken by one statement, and is deleted.
  it('replay: a callback works in one browser, in one of two tabs, and once', async () => {
    const bystander = await person('bystander');
    const callback = await callbackFor(await begin(bystander, honestId), freshName('account'));
    await begin(victim, honestId);
    await victim.page.goto(callback.href);
    await victim.page.getByText(notValid).waitFor();
    expect(tokenRequests()).toBe(0);
    const tabs = [bystander.page, await bystander.context.newPage()];
    const ends = tabs.map(async (tab) => {
      await tab.goto(callback.href);
      const end = tab.getByText('You are connected').or(tab.getByText(notValid));
      return (await end.first().textContent()) ?? '';
    });
    expect((await Promise.all(ends)).filter((end) => end.includes(notValid))).toHaveLength(1);
    expect(tokenRequests()).toBe(1);
    const linked = await linksOf(bystander);
    expect(linked).toHaveLength(1);
    for (const { page } of [bystander, victim]) {
      await page.goto(callback.href);
      await page.getByText(notValid).waitFor();
    }
    expect([tokenRequests(), await linksOf(bystander)]).toEqual([1, linked]);
    // Neither the address bar nor the history has the code.
    for (const { page } of [bystander, victim]) expect(page.url()).toBe(`${door.url}/connect`);
    await bystander.context.close();
  });

  it('open redirect: no parameter of an address leads away from this site', async () => {
    const evil = `${hostile.baseUrl}/phish`;
    const more = new URLSearchParams({ return_to: evil, redirect_uri: evil, next: evil, error: evil }).toString();
    await begin(victim, honestId);
    for (const path of [
      `/v1/oauth/callback/${honestId}?${more}`,
      `/connect?disconnected=${encodeURIComponent(evil)}&${more}`,
      `/connect/callback?${more}`,
      `/connect/test?entry=${encodeURIComponent(evil)}&${more}`,
      `/connect/disconnect/${honestId}?${more}`,
      `//${hostile.host}/connect`,
    ]) {
      await victim.page.goto(door.url + path);
      expect(new URL(victim.page.url()).origin).toBe(door.url);
      const links = await victim.page
        .locator('a[href]')
        .evaluateAll((all) => all.map((each) => (each as unknown as { href: string }).href));
      for (const link of links) expect(new URL(link).origin).toBe(door.url);
    }
    await victim.page.goto(`${door.url}/connect`);
    const status = await victim.page.evaluate(
      async ([path, returnTo]) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(path, { method: 'POST', headers, body: JSON.stringify({ return_to: returnTo }) })).status;
      },
      [`/v1/me/links/${honestId}/start`, evil],
    );
    expect(status).toBe(400);
    expect(hostile.caught).toEqual([]);
  });

  it('tabnabbing: the page of a partner in the popup cannot reach the page that opened it', async () => {
    hostile.pages['/authorize'] = () => ({
      body: `<p id="seen"></p><script>
        document.getElementById('seen').textContent = 'opener: ' + String(window.opener);
        try { window.opener.location = '/phish' } catch {}
        try { window.opener.postMessage({ type: 'podium.link', linked: true, message: 'Forged' }, '*') } catch {}
        new BroadcastChannel('podium-link').postMessage({ linked: true, message: 'Forged' });
      </script>`,
    });
    await victim.page.goto(`${door.url}/connect`);
    const opened = victim.page.waitForEvent('popup');
    await victim.page.getByRole('button', { name: 'Connect: Hostile' }).click();
    const popup = await opened;
    await popup.getByText('opener: null').waitFor();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(victim.page.url()).toBe(`${door.url}/connect`);
    expect(await victim.page.getByRole('status').textContent()).not.toContain('Forged');
  });

  it('framing: no page of the service opens in a frame of another site', async () => {
    const paths = ['/connect', `/connect/disconnect/${honestId}`, `/v1/oauth/callback/${honestId}?error=access_denied`];
    hostile.pages['/frames'] = () => ({
      body: paths.map((path) => `<iframe src="${door.url}${path}"></iframe>`).join(''),
    });
    await victim.page.goto(`${hostile.baseUrl}/frames`);
    const frames = victim.page.frames().slice(1);
    expect(frames).toHaveLength(paths.length);
    for (const frame of frames) expect(await frame.content()).not.toContain('Podium');
  });
});
