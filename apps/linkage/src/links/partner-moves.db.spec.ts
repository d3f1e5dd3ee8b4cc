import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { AdminClient, adminClient } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

describe('a partner whose base URL changes its origin', () => {
  const before = new LiteralPartner();
  const after = new LiteralPartner();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let database: Client;

  beforeAll(async () => {
    await Promise.all([before.start(), after.start()]);
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: `${before.host},${after.host}` });
    admin = await adminClient(linkage, { '*': 'admin' });
    database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    views.start();
    views.follow();
  }, 60_000);

  afterAll(async () => {
    await views.stop();
    await database.end();
    await linkage.stop();
    await Promise.all([before.stop(), after.stop()]);
  });

  const addressesAt = (partner: LiteralPartner) => ({
    authorization_url: `${partner.baseUrl}/authorize`,
    base_url: partner.baseUrl,
  });

  async function integration(): Promise<string> {
    const name = freshName('p');
    const answer = await admin.post('/integrations', {
      ...{ platform: name, partner: name, organizer_id: 'organizer-1', display_name: 'Arena' },
      ...addressesAt(before),
      ...{ client_id: before.clientId, client_secret: before.clientSecret },
    });
    expect(answer.status).toBe(201);
    return answer.json.integration_id as string;
  }

  /** The link's state after a user info request. */
  async function stateAfterCheck(browser: LinkBrowser, integrationId: string): Promise<string> {
    await database.query(`UPDATE linkage.links SET user_info_at = now() - interval '1 hour'`);
    const { link } = (await browser.get(`/v1/me/links/${integrationId}?refresh=true`)).json();
    return (link as { state: string }).state;
  }

  it('receives no codes, tokens or secrets of the former origin', async () => {
    const integrationId = await integration();
    const [linked, linking] = [freshName('user'), freshName('user')];
    const [first, second] = [await LinkBrowser.of(linkage, linked), await LinkBrowser.of(linkage, linking)];
    const sub = freshName('sub');
    await first.link(integrationId, sub);
    const back = await second.atPartner(await second.begin(integrationId), freshName('sub'));
    await admin.patch(`/integrations/${integrationId}`, { client_secret: 'rotated' });
    before.seen.length = 0;

    const without = await admin.patch(`/integrations/${integrationId}`, addressesAt(after));
    expect(without.status).toBe(400);
    const moved = await admin.patch(`/integrations/${integrationId}`, {
      ...addressesAt(after),
      client_secret: after.clientSecret,
    });
    expect(moved).toMatchObject({ status: 200, json: { client_secret_rotating: false } });

    expect((await second.get(back)).text).toContain('has changed since you started');
    expect(await stateAfterCheck(first, integrationId)).toBe('needs_reauth');
    expect([...before.seen, ...after.seen]).toEqual([]);

    await first.link(integrationId, sub);
    expect(await stateAfterCheck(first, integrationId)).toBe('ready');
    expect((await second.link(integrationId, freshName('sub'))).text).toContain('You are connected');
  });

  it('keeps its links when only its authorization page moves', async () => {
    const integrationId = await integration();
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    await browser.link(integrationId, freshName('sub'));
    const { authorization_url } = addressesAt(after);
    const moved = await admin.patch(`/integrations/${integrationId}`, {
      authorization_url,
      client_secret: before.clientSecret,
    });
    expect(moved.status).toBe(200);
    expect(await stateAfterCheck(browser, integrationId)).toBe('ready');
  });

  it('gets no refresh request that another instance left open', async () => {
    const integrationId = await integration();
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    await browser.link(integrationId, freshName('sub'));
    await admin.patch(`/integrations/${integrationId}`, { ...addressesAt(after), client_secret: after.clientSecret });
    await database.query(
      `UPDATE linkage.link_tokens SET expires_at = now(), refresh_started_at = now() - interval '1 hour'`,
    );
    after.seen.length = 0;
    expect(await stateAfterCheck(browser, integrationId)).toBe('needs_reauth');
    expect(after.seen).toEqual([]);
  });
});
