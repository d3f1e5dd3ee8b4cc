import { freshName } from '@podium/testing';
import { AdminClient, adminClient, createIntegration } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

const couldNot = 'the tokens of a log-in that made no link could not be revoked';

describe('the grant of a log-in that made no link', () => {
  const partner = new LiteralPartner();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let integrationId: string;
  let browser: LinkBrowser;
  let sub: string;

  beforeAll(async () => {
    await partner.start();
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
    admin = await adminClient(linkage, { '*': 'admin' });
    views.start();
    views.follow();
  }, 60_000);

  beforeEach(async () => {
    Object.assign(partner, { userInfoAnswer: null, revokeAnswer: null, revokeStep: null });
    // With the grant of an account, that of its link ends.
    partner.endsAllGrants = true;
    partner.seen.length = 0;
    linkage.logged.length = 0;
    integrationId = await integrationWith({ revocation_path: '/oauth2/revoke' });
    browser = await LinkBrowser.of(linkage, freshName('user'));
    sub = freshName('sub');
  });

  afterAll(async () => {
    await views.stop();
    await linkage.stop();
    await partner.stop();
  });

  async function integrationWith(profile: object): Promise<string> {
    return (await createIntegration(admin, partner, { profile })).integrationId;
  }

  /** Does this while the partner is asked who the user is. */
  function whileIdentifying(work: () => Promise<unknown>): void {
    partner.userInfoAnswer = (response) =>
      void work().then(() => response.end(JSON.stringify({ sub, nickname: 'nick' })));
  }

  const revocations = () => partner.seen.filter(({ path }) => path === '/oauth2/revoke').length;
  const outage = { status: 503, body: '' };

  it('is ended when the user has linked another account, whose grant stays', async () => {
    const linked = freshName('sub');
    await browser.link(integrationId, linked);
    expect((await browser.link(integrationId, sub)).text).toContain('already connected another account');
    expect([partner.isAlive(sub), partner.isAlive(linked)]).toEqual([false, true]);
  });

  it('is ended when the partner was paused meanwhile', async () => {
    whileIdentifying(() => admin.post(`/integrations/${integrationId}/pause`));
    expect((await browser.link(integrationId, sub)).status).toBe(400);
    expect(linkage.logged.join()).toContain('"reason":"integration_paused"');
    expect(partner.isAlive(sub)).toBe(false);
  });

  it('is ended when the user was erased meanwhile', async () => {
    whileIdentifying(() => admin.post('/erasures', { user_id: browser.userId }));
    await browser.link(integrationId, sub);
    expect(linkage.logged.join()).toContain('"reason":"erased"');
    expect(partner.isAlive(sub)).toBe(false);
  });

  it('is ended when the partner does not say who the user is', async () => {
    partner.userInfoAnswer = outage;
    expect((await browser.link(integrationId, sub)).text).toContain('cannot be reached at the moment');
    expect(partner.isAlive(sub)).toBe(false);
  });

  it('is not ended when the account is linked to another user', async () => {
    await (await LinkBrowser.of(linkage, freshName('user'))).link(integrationId, sub);
    expect((await browser.link(integrationId, sub)).text).toContain('already connected to another user');
    expect([revocations(), partner.isAlive(sub)]).toEqual([0, true]);
  });

  it('is not ended when it may be that of the user’s link', async () => {
    await browser.link(integrationId, sub);
    partner.userInfoAnswer = outage;
    await browser.link(integrationId, sub);
    whileIdentifying(() => admin.post(`/integrations/${integrationId}/pause`));
    await browser.link(integrationId, sub);
    expect([revocations(), partner.isAlive(sub)]).toEqual([0, true]);
  });

  it('stays where the partner has no revocation', async () => {
    integrationId = await integrationWith({});
    partner.userInfoAnswer = outage;
    await browser.link(integrationId, sub);
    expect([revocations(), linkage.logged.join().includes(couldNot)]).toEqual([0, false]);
  });

  it('is tried once, with the same page when that fails', async () => {
    await browser.link(integrationId, freshName('sub'));
    partner.revokeAnswer = outage;
    expect((await browser.link(integrationId, sub)).text).toContain('already connected another account');
    expect(linkage.logged.find((line) => line.includes(couldNot))).toContain('"level":30');
    expect(revocations()).toBe(1);
  });

  it('delays the page by two seconds at most', async () => {
    await browser.link(integrationId, freshName('sub'));
    partner.revokeStep = () => new Promise((resolve) => setTimeout(resolve, 6000));
    const back = await browser.atPartner(await browser.begin(integrationId), sub);
    const startedMs = performance.now();
    expect((await browser.get(back)).text).toContain('already connected another account');
    expect(performance.now() - startedMs).toBeLessThan(4000);
    expect(linkage.logged.join()).toContain(couldNot);
  });
});
