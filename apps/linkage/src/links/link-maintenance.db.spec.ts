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

  it('recovers many refreshes of an instance that has stopped, each once for two instances', async () => {
    const integration = await parts.integration();
    const links = await Promise.all(Array.from({ length: 16 }, () => parts.link(integration)));
    await Promise.all(links.map((link) => parts.expire(link)));
    await parts.pool.query(
      `UPDATE linkage.link_tokens SET refresh_started_at = now() - interval '10 minutes', refresh_started_by = 'gone'
       WHERE link_id = ANY ($1)`,
      [links.map(({ linkId }) => linkId)],
    );
    // The first instance waits for the partner with four of them; meanwhile the second one refreshes all others.
    let [held, open] = [0, (): void => undefined];
    const gate = new Promise<void>((resolve) => (open = resolve));
    parts.partner.steps = { received: async () => void (++held > 4 || (await gate)) };
    const first = instances[0].maintain();
    while (held < 4) await sleep(5);
    await instances[1].maintain();
    open();
    await first;
    parts.partner.steps = {};
    const journals = await Promise.all(links.map((link) => parts.journal(link)));
    expect(journals.map((journal) => journal.filter((outcome) => outcome === 'refreshed'))).toEqual(
      links.map(() => ['refreshed']),
    );
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
