import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '@podium/runtime/metrics';
import { queryable } from '@podium/runtime/postgres';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Link } from './link';
import { overdueRefreshes } from './overdue-refreshes';

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
  /** Links of a new partner whose refreshes are due, more than two claims take. */
  const manyDue = async () => {
    const integration = await parts.integration();
    const links = await Promise.all(Array.from({ length: 50 }, () => parts.link(integration)));
    await Promise.all(links.map((link) => parts.expire(link)));
    return links;
  };
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
      `UPDATE linkage.link_tokens SET refresh_started_at = now() - interval '10 minutes', refresh_started_by = NULL
       WHERE link_id = ANY ($1)`,
      [links.map(({ linkId }) => linkId)],
    );
    // Their claims were given up. The first instance waits for the partner with four of them; meanwhile the second one refreshes all others.
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

  it('deletes old rows of the journal of a link that needs a log-in, so that no round reads them again', async () => {
    const link = await parts.link(await parts.integration());
    await parts.pool.query(
      `INSERT INTO linkage.token_refreshes (link_id, token_version, instance, begun_at, ended_at, outcome)
       SELECT $1, 1, 'one', now() - age, now() - age, 'ended' FROM unnest(ARRAY[interval '8 days', interval '6 days']) age`,
      [link.linkId],
    );
    await parts.pool.query(`UPDATE linkage.links SET state = 'needs_reauth' WHERE link_id = $1`, [link.linkId]);
    await instances[0].maintain();
    expect(await parts.journal(link)).toEqual(['ended']);
  });

  it('deletes rates of users that are over, or that no clock of the present wrote', async () => {
    await parts.pool.query(
      `INSERT INTO linkage.link_change_rates (user_digest, arrival_at, day_arrival_at)
       SELECT sha256(convert_to(n::text, 'UTF8')), now() + make_interval(secs => s), now() + make_interval(secs => day)
       FROM unnest(ARRAY[-1, 50, 3600, -2, -3], ARRAY[NULL, NULL, NULL, 7200, 90000]) WITH ORDINALITY AS r (s, day, n)`,
    );
    await instances[0].maintain();
    const { rows } = await parts.pool.query(
      `SELECT round(extract(epoch FROM greatest(arrival_at, day_arrival_at) - now()) / 10)::int AS tens
       FROM linkage.link_change_rates ORDER BY 1`,
    );
    expect(rows).toEqual([{ tens: 5 }, { tens: 720 }]);
  });

  it('refreshes all due links of a partner that answers in one round, four at once', async () => {
    const links = await manyDue();
    let [atOnce, mostAtOnce] = [0, 0];
    parts.partner.steps = {
      received: async () => {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        while (mostAtOnce < 4) await sleep(1);
        await sleep(2);
      },
      rotated: async () => void atOnce--,
    };
    await instances[0].maintain();
    parts.partner.steps = {};
    const { rows } = await parts.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM linkage.token_refreshes WHERE outcome = 'refreshed' AND link_id = ANY ($1)`,
      [links.map(({ linkId }) => linkId)],
    );
    expect([rows[0].n, mostAtOnce]).toEqual([links.length, 4]);
  });

  it('sends no more than one claim in a round to a partner that refuses most refreshes', async () => {
    const links = await manyDue();
    parts.partner.tokenAnswer = { status: 503, body: '' };
    await instances[0].maintain();
    parts.partner.tokenAnswer = null;
    const { rows } = await parts.pool.query<{ n: number }>(
      `SELECT count(DISTINCT link_id)::int AS n FROM linkage.token_refreshes WHERE link_id = ANY ($1)`,
      [links.map(({ linkId }) => linkId)],
    );
    expect(rows[0].n).toBe(20);
  });

  it('does not refresh without a pause at a partner whose tokens live a second, which users’ requests do', async () => {
    const link = await parts.link(await parts.integration(), { expiresInS: 1 });
    parts.partner.tokenAnswer = { body: { access_token: 'canary-brief', expires_in: 1 } };
    await sleep(1_000);
    await instances[0].maintain();
    expect(await parts.journal(link)).toEqual([]);
    expect(await instances[0].accessTokens.accessTokenFor(link.linkId)).toMatchObject({ accessToken: 'canary-brief' });
    await sleep(1_000);
    await instances[0].maintain();
    parts.partner.tokenAnswer = null;
    expect(await parts.journal(link)).toEqual(['refreshed']);
  });

  it('measures how long the oldest due refresh of a partner has waited', async () => {
    const [late, current, paused] = await Promise.all([1, 2, 3].map(() => parts.integration()));
    const links = [await parts.link(late), await parts.link(late), await parts.link(paused)];
    await parts.link(current);
    await parts.pool.query(
      `UPDATE linkage.link_tokens SET refresh_due_at = now() - make_interval(mins => array_position($1::uuid[], link_id))
       WHERE link_id = ANY ($1)`,
      [links.map(({ linkId }) => linkId)],
    );
    await parts.pool.query(`UPDATE linkage.integrations SET status = 'paused' WHERE integration_id = $1`, [
      paused.integrationId,
    ]);
    const registry = new Registry();
    await overdueRefreshes(queryable(parts.pool), registry).run();
    const text = await registry.metrics();
    const overdueS = ({ platform }: { platform: string }) =>
      /(?<= )\d+/.exec(text.split('\n').find((line) => line.includes(`"${platform}"`)) ?? '')?.[0];
    expect(Number(overdueS(late))).toBeGreaterThanOrEqual(120);
    expect(Number(overdueS(late))).toBeLessThan(180);
    expect([overdueS(current), overdueS(paused)]).toEqual(['0', undefined]);
  });

  it('deletes notes of callbacks whose instance has stopped', async () => {
    const { integrationId } = await parts.integration();
    await parts.pool.query(
      `INSERT INTO linkage.flow_callbacks (integration_id, user_id, begun_at)
       SELECT $1, 'user-' || s, now() - make_interval(secs => s) FROM unnest(ARRAY[10, 70]) s`,
      [integrationId],
    );
    await instances[0].maintain();
    expect((await parts.pool.query(`SELECT user_id FROM linkage.flow_callbacks`)).rows).toEqual([
      { user_id: 'user-10' },
    ]);
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
    await parts.pool.query(
      `UPDATE linkage.integrations SET profile = profile || '{"timeout_ms": 20000}' WHERE integration_id = $1`,
      [slow.integrationId],
    );
    const slowLinks = await Promise.all(Array.from({ length: 30 }, () => parts.link(slow)));
    const fastLink = await parts.link(await parts.integration());
    await Promise.all(slowLinks.map(uncheck));
    const held: (() => void)[] = [];
    parts.partner.userInfoAnswer = (response) => void held.push(() => void response.writeHead(503).end());
    const { signal } = new AbortController();
    const { maintenance } = instances[0];
    await maintenance.begin(signal);
    while (checks() < 4) await sleep(5);
    // The requests wait for much longer than all of this, also on a busy machine.
    await sleep(300);
    expect(checks()).toBe(4);
    parts.partner.userInfoAnswer = null;
    await uncheck(fastLink);
    await maintenance.begin(signal);
    while ((await nickname(fastLink)) !== `Nick ${fastLink.sub}`) await sleep(5);
    expect(checks()).toBe(5);
    for (const end of held) end();
    await maintenance.idle();
  });
});
