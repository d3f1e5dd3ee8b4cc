import { freshName } from '@podium/testing';
import { insertIntegration } from '../../test/insert-integration';
import { LinkBrowser } from '../../test/link-browser';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';
import { TestIdp } from '../../test/test-idp';

describe('the log-in of /connect', () => {
  const idp = new TestIdp();
  const partner = new LiteralPartner();
  let linkage: RunningLinkage;

  beforeAll(async () => {
    await Promise.all([idp.start(), partner.start()]);
    linkage = await startLinkage({
      ...{ OIDC_ISSUER_URL: idp.issuer, OIDC_LOG_OUT: 'provider', PARTNER_ADDRESS_ALLOW_LIST: partner.host },
    });
  });

  afterAll(async () => {
    await linkage?.stop();
    await Promise.all([idp.stop(), partner.stop()]);
  });

  /** Begins a log-in; returns the path to which the identity provider sends the browser back. */
  async function begin(browser: LinkBrowser): Promise<string> {
    const login = await browser.get('/connect/login');
    const there = await fetch(login.headers.get('location') ?? '', { redirect: 'manual' });
    const back = new URL(there.headers.get('location') ?? '');
    return back.pathname + back.search;
  }

  async function open(browser: LinkBrowser, path: string): Promise<[number, string | null]> {
    const { status, headers } = await browser.get(path);
    return [status, headers.get('location')];
  }

  const isLoggedIn = async (browser: LinkBrowser): Promise<boolean> =>
    (await browser.get('/connect')).text.includes('Maria Gómez');

  it.each([
    ['in their order', [0, 1]],
    ['in the other order', [1, 0]],
  ])('succeeds in both of two tabs, %s', async (_, order) => {
    const browser = await LinkBrowser.of(linkage);
    const tabs = [await begin(browser), await begin(browser)];
    for (const at of order) expect(await open(browser, tabs[at])).toEqual([303, '/connect']);
    expect(await isLoggedIn(browser)).toBe(true);
  });

  it('leads to the accounts again when its address is opened again, and to an error when nobody is logged in', async () => {
    const browser = await LinkBrowser.of(linkage);
    const path = await begin(browser);
    for (let count = 0; count < 2; count++) expect(await open(browser, path)).toEqual([303, '/connect']);
    expect(await isLoggedIn(browser)).toBe(true);
    browser.logOut();
    expect(await open(browser, path)).toEqual([400, null]);
    expect(await isLoggedIn(browser)).toBe(false);
  });

  it.each([
    ['goes on when the same user logs in again by another tab', 'user-1', 'did not confirm the log-in'],
    ['ends when another user logs in by another tab', 'user-2', 'Your log-in here ended or changed'],
  ])('a linking flow %s', async (_, second, sentence) => {
    const integrationId = await insertIntegration(linkage.databaseUrl, {
      ...{ platform: freshName('p'), displayName: 'Arena', partner },
    });
    partner.tokenAnswer = { status: 400, body: { error: 'invalid_grant' } };
    const browser = await LinkBrowser.of(linkage);
    await open(browser, await begin(browser));
    const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
    idp.user = { sub: second, name: 'Maria Gómez' };
    expect(await open(browser, await begin(browser))).toEqual([303, '/connect']);
    idp.user = { sub: 'user-1', name: 'Maria Gómez' };
    expect((await browser.get(back)).text).toContain(sentence);
  });

  it('is followed by a log-out that ends also at the identity provider', async () => {
    const browser = await LinkBrowser.of(linkage, 'somebody');
    const page = await browser.change('POST', '/connect/logout');
    const query = new URLSearchParams({
      ...{ post_logout_redirect_uri: 'https://test.podium.example/connect', client_id: 'podium-connect' },
    });
    expect([page.status, page.headers.get('refresh')]).toEqual([200, `0;url=${idp.issuer}/logout?${query}`]);
    expect((await browser.get('/connect')).text).not.toContain('somebody');
  });

  it('is followed by a log-out that ends here when the identity provider was never reached', async () => {
    const alone = await startLinkage({ OIDC_ISSUER_URL: 'http://localhost:1', OIDC_LOG_OUT: 'provider' });
    const browser = await LinkBrowser.of(alone, 'somebody');
    const { status, headers } = await browser.change('POST', '/connect/logout');
    const { text } = await browser.get('/connect');
    await alone.stop();
    expect([status, headers.get('location'), text.includes('somebody')]).toEqual([303, '/connect', false]);
    expect(alone.logged.join()).toContain('did not end the session at the identity provider');
  });

  it('does not succeed in a browser that did not begin it, nor changes who is logged in there', async () => {
    const path = await begin(await LinkBrowser.of(linkage));
    expect(await open(await LinkBrowser.of(linkage), path)).toEqual([400, null]);
    const other = await LinkBrowser.of(linkage, 'another user');
    expect(await open(other, path)).toEqual([303, '/connect']);
    const { text } = await other.get('/connect');
    expect([text.includes('another user'), text.includes('Maria Gómez')]).toEqual([true, false]);
  });
});
