import { freshName } from '@podium/testing';
import { AdminClient, adminClient } from '../test/admin-client';
import { LinkBrowser } from '../test/link-browser';
import { LinkViews } from '../test/link-views';
import { LiteralPartner } from '../test/literal-partner';
import { RunningLinkage, startLinkage } from '../test/running-linkage';
import { TestIdp } from '../test/test-idp';

describe('responses of linkage', () => {
  const partner = new LiteralPartner();
  const idp = new TestIdp();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let integrationId: string;

  beforeAll(async () => {
    await Promise.all([partner.start(), idp.start()]);
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
    admin = await adminClient(linkage, { '*': 'admin' });
    views.start();
    views.follow();
    const name = freshName('p');
    const { json } = await admin.post('/integrations', {
      ...{ platform: name, partner: name, organizer_id: 'organizer-1', display_name: 'Arena' },
      ...{ authorization_url: `${partner.baseUrl}/authorize`, base_url: partner.baseUrl },
      ...{ client_id: partner.clientId, client_secret: partner.clientSecret },
    });
    integrationId = json.integration_id as string;
  }, 60_000);

  afterAll(async () => {
    await views.stop();
    await linkage.stop();
    await Promise.all([partner.stop(), idp.stop()]);
  });

  it('forbid caching when they belong to one user or operator, or contain a secret', async () => {
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    const back = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
    const answers = {
      'a user’s partners': await browser.get('/v1/me/links'),
      'the start of a flow': await browser.change('POST', `/v1/me/links/${integrationId}/start`),
      'the end of a flow': await browser.get(back),
      'the pages': await browser.get('/connect'),
      'the way to the identity provider': await browser.get('/connect/login'),
      'the log-out': await browser.change('POST', '/connect/logout'),
      'a refusal': await browser.get('/v1/me/links/unknown'),
      'no log-in': await (await LinkBrowser.of(linkage)).get('/v1/me/links'),
    };
    for (const [name, { headers }] of Object.entries(answers))
      expect([name, headers.get('cache-control')]).toEqual([name, 'no-store']);
    const token = await linkage.operatorToken({ '*': 'admin' });
    const key = await fetch(`${linkage.url}/admin/v1/integrations/${integrationId}/keys`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-podium-internal-token': linkage.internalToken,
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect([key.status, key.headers.get('cache-control')]).toEqual([201, 'no-store']);
  });

  it('disclose the URL that contained a code to no other site', async () => {
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    const page = await browser.link(integrationId, freshName('sub'));
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const list = await browser.get('/connect');
    expect(list.headers.get('referrer-policy')).toBe('same-origin');
    const asset = /\/connect\/assets\/connect\.[0-9a-f]+\.css/.exec(list.text)?.[0] ?? '';
    expect((await browser.get(asset)).headers.get('cache-control')).toContain('immutable');
  });

  it('have status 503, never 401, for users and operators while the identity provider’s keys are unavailable', async () => {
    const [user, operator] = [await linkage.userToken('user-1'), await linkage.operatorToken({ '*': 'admin' })];
    // This provider has not been used before, so its keys are not cached.
    const other = await startLinkage({ OIDC_ISSUER_URL: linkage.issuer.url });
    const ask = async (path: string, token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'x-podium-internal-token': other.internalToken };
      const answer = await fetch(other.url + path, { headers });
      return [answer.status, answer.headers.get('retry-after')];
    };
    linkage.issuer.answer = (_path, response) => response.writeHead(500).end('{}') !== null;
    try {
      expect(await ask('/v1/me/links', user)).toEqual([503, expect.any(String)]);
      expect(await ask('/admin/v1/audit', operator)).toEqual([503, expect.any(String)]);
      expect(await ask('/admin/v1/audit', 'made.up.token')).toEqual([401, null]);
    } finally {
      linkage.issuer.answer = () => false;
      await other.stop();
    }
  }, 60_000);

  it('have status 503 when the identity provider becomes unavailable during a log-in', async () => {
    const other = await startLinkage({ OIDC_ISSUER_URL: idp.issuer });
    const browser = await LinkBrowser.of(other);
    const login = await browser.get('/connect/login');
    const there = await fetch(login.headers.get('location') ?? '', { redirect: 'manual' });
    const back = new URL(there.headers.get('location') ?? '');
    await idp.stop();
    try {
      const page = await browser.get(back.pathname + back.search);
      expect([page.status, page.text]).toEqual([503, expect.stringContaining('not possible at the moment')]);
    } finally {
      await idp.start();
      await other.stop();
    }
  }, 60_000);
});
