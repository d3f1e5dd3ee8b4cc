import { setTimeout as sleep } from 'node:timers/promises';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Link } from './link';

describe('LinkMaintenance', () => {
  let parts: LinkParts;
  let instances: LinkInstance[];

  beforeAll(async () => {
    parts = await LinkParts.start();
    instances = [parts.instance('one'), parts.instance('two')];
  });

  beforeEach(() => {
    parts.partner.userInfoAnswer = null;
    parts.partner.seen.length = 0;
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await parts.stop();
  });

  const checks = () => parts.partner.seen.filter(({ path }) => path === '/oauth2/userinfo').length;
  const uncheck = (link: Link) =>
    parts.pool.query(`UPDATE linkage.links SET user_info_at = now() - interval '25 hours' WHERE link_id = $1`, [
      link.linkId,
    ]);
  const nickname = async (link: Link) =>
    (await parts.pool.query(`SELECT nickname FROM linkage.links WHERE link_id = $1`, [link.linkId])).rows[0].nickname;

  it('refreshes a due token in the background, once for two instances', async () => {
    const link = await parts.link(await parts.integration());
    await parts.expire(link);
    await Promise.all(instances.map((instance) => instance.maintain()));
    expect(await parts.journal(link)).toEqual(['refreshed']);
    expect(await parts.state(link)).toBe('ready');
    await instances[0].maintain();
    expect(await parts.journal(link)).toEqual(['refreshed']);
  });

  it('leaves the links of a paused partner', async () => {
    const integration = await parts.integration();
    const link = await parts.link(integration);
    await parts.expire(link);
    await uncheck(link);
    await parts.pool.query(`UPDATE linkage.integrations SET status = 'paused' WHERE integration_id = $1`, [
      integration.integrationId,
    ]);
    await instances[0].maintain();
    expect(await parts.journal(link)).toEqual([]);
    expect(checks()).toBe(0);
  });

  it('is limited at a partner that hangs, which does not delay the checks of another', async () => {
    const slow = await parts.integration();
    const slowLinks = await Promise.all(Array.from({ length: 30 }, () => parts.link(slow)));
    const fastLink = await parts.link(await parts.integration());
    await Promise.all(slowLinks.map(uncheck));
    parts.partner.userInfoAnswer = () => undefined;
    const { signal } = new AbortController();
    const { maintenance } = instances[0];
    await maintenance.begin(signal);
    await sleep(300);
    expect(checks()).toBe(4);
    parts.partner.userInfoAnswer = null;
    await uncheck(fastLink);
    await maintenance.begin(signal);
    await sleep(700);
    // The four requests of the slow partner still wait for their timeout of two seconds.
    expect(await nickname(fastLink)).toBe(`Nick ${fastLink.sub}`);
    expect(checks()).toBe(5);
    await maintenance.idle();
  });
});
