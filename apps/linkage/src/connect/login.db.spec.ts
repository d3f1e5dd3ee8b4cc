import { LinkBrowser } from '../../test/link-browser';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';
import { TestIdp } from '../../test/test-idp';

describe('the log-in of /connect', () => {
  const idp = new TestIdp();
  let linkage: RunningLinkage;

  beforeAll(async () => {
    await idp.start();
    linkage = await startLinkage({ OIDC_ISSUER_URL: idp.issuer });
  });

  afterAll(async () => {
    await linkage?.stop();
    await idp.stop();
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

  it('does not succeed in a browser that did not begin it, nor changes who is logged in there', async () => {
    const path = await begin(await LinkBrowser.of(linkage));
    expect(await open(await LinkBrowser.of(linkage), path)).toEqual([400, null]);
    const other = await LinkBrowser.of(linkage, 'another user');
    expect(await open(other, path)).toEqual([303, '/connect']);
    const { text } = await other.get('/connect');
    expect([text.includes('another user'), text.includes('Maria Gómez')]).toEqual([true, false]);
  });
});
