import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Answer } from '../../test/literal-partner';
import { queryable } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import { Link } from './link';
import { ListedLink, readLinksPage } from './link.store';

const html = '<html><body>Blocked</body></html>';
const linkCount = 12;
const dayS = 86_400;
/** Background work has a round every five seconds. */
const roundS = 5;
/** A probe, then the work itself. */
const recoveryS = 60;

/** `isLost`: the partner may have rotated a token before it failed, unless the circuit breaker kept it from being sent. */
const outages: [name: string, answer: Answer, why: string, isLost: boolean][] = [
  ['HTML 400', { status: 400, body: html }, 'the partner refused', false],
  ['401 without invalid_token', { status: 401, body: html }, 'the partner refused', false],
  ['503', { status: 503, body: '' }, 'the partner is busy or broken', true],
];

describe('a partner that fails for a day', () => {
  let parts: LinkParts;
  let instance: LinkInstance;
  /** The simulated time that has passed, seconds. */
  let passedS: number;

  beforeAll(async () => {
    parts = await LinkParts.start();
  });

  beforeEach(() => {
    passedS = 0;
    parts.logged.length = 0;
    instance = parts.instance('one', () => passedS * 1000);
    Object.assign(parts.partner, { tokenAnswer: null, userInfoAnswer: null });
  });

  afterEach(async () => {
    await instance.stop();
    await parts.pool.query(`DELETE FROM linkage.link_tokens`);
  });

  afterAll(() => parts.stop());

  /** Lets time pass for everything that is stored. */
  async function pass(seconds: number): Promise<void> {
    passedS += seconds;
    const earlier = (column: string): string => `${column} = ${column} - make_interval(secs => ${seconds})`;
    const tokenTimes = ['expires_at', 'refresh_due_at', 'refresh_started_at', 'refresh_early_from'];
    // One text, so that a round waits once.
    await parts.pool.query(
      `UPDATE linkage.link_tokens SET ${tokenTimes.map(earlier).join(', ')};
       UPDATE linkage.links SET ${earlier('user_info_at')};
       UPDATE linkage.token_refreshes SET ${['begun_at', 'ended_at'].map(earlier).join(', ')}`,
    );
  }

  const states = async (links: readonly Link[]): Promise<Pick<ListedLink, 'state' | 'problem'>[]> => {
    const filter = { organizers: 'all', platform: links[0].platform, userId: null, sub: null, after: null } as const;
    const listed = await readLinksPage(queryable(parts.pool), { ...filter, limit: 100 });
    return listed.map(({ state, problem }) => ({ state, problem }));
  };

  /** Links whose access token is one that the partner issued last. */
  const refreshedSince = async (links: readonly Link[]): Promise<number> => {
    const ids = links.map(({ linkId }) => linkId);
    const due = `SELECT count(*)::int AS count FROM linkage.link_tokens WHERE link_id = ANY ($1) AND expires_at > now()`;
    return (await parts.pool.query<{ count: number }>(due, [ids])).rows[0].count;
  };

  it.each(outages)(
    'with %s keeps its links, says why, and gets them back within a minute',
    async (_name, answer, why, isLost) => {
      const integration = await parts.integration();
      const links = await Promise.all(Array.from({ length: linkCount }, () => parts.link(integration)));
      await Promise.all(links.map((link) => parts.expire(link)));
      Object.assign(parts.partner, { tokenAnswer: answer, userInfoAnswer: answer });
      const askedBefore = parts.partner.seen.length;
      for (let stepS = roundS; passedS < dayS; stepS = Math.min(stepS * 1.2, 900)) {
        await instance.maintain();
        await pass(stepS);
      }
      const failed = await states(links);
      expect(new Set(failed.map(({ state }) => state))).toEqual(new Set(['ready']));
      expect(failed.some(({ problem }) => problem === 'grant_state_unknown')).toBe(isLost);
      const published = await Promise.all(links.map((link) => parts.published(link)));
      expect(published.flat()).not.toContain('needs_reauth');
      expect(parts.logged.filter((line) => line.includes(why)).length).toBeGreaterThan(linkCount);
      expect(await instance.registry.metrics()).toMatch(
        /linkage_token_refreshes_total\{[^}]*outcome="(unavailable|lost)"\} \d+/,
      );
      expect(parts.partner.seen.length - askedBefore).toBeLessThan(linkCount * 100);

      Object.assign(parts.partner, { tokenAnswer: null, userInfoAnswer: null });
      // A circuit breaker that has opened tries again after this time of its own clock.
      if (isLost) await new Promise((resolve) => setTimeout(resolve, 5100));
      for (let recoveredS = 0; recoveredS < recoveryS; recoveredS += roundS) {
        await instance.maintain();
        await pass(roundS);
      }
      expect(await refreshedSince(links)).toBe(linkCount);
      expect(await states(links)).toEqual(links.map(() => ({ state: 'ready', problem: null })));
    },
    120_000,
  );

  /** Background work for a simulated time, in rounds of 20 seconds. */
  async function maintainFor(seconds: number): Promise<void> {
    for (let leftS = seconds; leftS > 0; leftS -= 20) {
      await instance.maintain();
      await pass(20);
    }
  }

  const sends = (refreshToken: string): number =>
    parts.partner.seen.filter(({ form }) => form.get('refresh_token') === refreshToken).length;

  /** The versions of the tokens of links, in their order. */
  const versions = async (links: readonly Link[]): Promise<number[]> => {
    const ids = links.map(({ linkId }) => linkId);
    const sql = `SELECT version FROM linkage.link_tokens WHERE link_id = ANY ($1::uuid[]) ORDER BY array_position($1::uuid[], link_id)`;
    return (await parts.pool.query<{ version: number }>(sql, [ids])).rows.map(({ version }) => version);
  };

  /** How often each link was refreshed since it had a version. */
  const refreshesOf = async (links: readonly Link[], since: readonly number[]): Promise<number[]> =>
    (await versions(links)).map((version, at) => version - since[at]);

  it('sends one link that always fails a few times per hour, and the healthy ones beside it when they are due', async () => {
    const integration = await parts.integration();
    const failingToken = freshName('rt');
    parts.partner.refreshAnswers.set(failingToken, { status: 400, body: html });
    const tokens = { accessToken: 'at', refreshToken: failingToken, expiresInS: null };
    await parts.expire(await parts.linkWith(integration, freshName('sub'), tokens));
    const healthy = await Promise.all(Array.from({ length: linkCount }, () => parts.link(integration)));
    const linked = await versions(healthy);
    for (const [minutes, link] of healthy.entries())
      await parts.pool.query(
        `UPDATE linkage.link_tokens SET expires_at = now() + make_interval(mins => $2),
           refresh_due_at = now() + make_interval(mins => $2) WHERE link_id = $1`,
        [link.linkId, minutes * 5],
      );
    await maintainFor(3600);
    // Until the first of the others succeeds it may be an outage. The growing delay alone sends it eight times.
    expect(sends(failingToken)).toBeLessThanOrEqual(36);
    const sentBefore = sends(failingToken);
    await maintainFor(3600);
    expect(sends(failingToken) - sentBefore).toBeLessThanOrEqual(10);
    expect(sends(failingToken) - sentBefore).toBeGreaterThan(0);
    expect(Math.max(...(await refreshesOf(healthy, linked)))).toBeLessThanOrEqual(3);
  }, 120_000);

  it('keeps to the time that the partner asks for in Retry-After, and hastens only links without it', async () => {
    const integration = await parts.integration();
    const busyToken = freshName('rt');
    parts.partner.refreshAnswers.set(busyToken, { status: 429, headers: { 'retry-after': '3000' }, body: {} });
    const tokens = { accessToken: 'at', refreshToken: busyToken, expiresInS: null };
    await parts.expire(await parts.linkWith(integration, freshName('sub'), tokens));
    await instance.maintain();
    const others = await Promise.all(Array.from({ length: 4 }, () => parts.link(integration)));
    await Promise.all(others.map((link) => parts.expire(link)));
    Object.assign(parts.partner, { tokenAnswer: { status: 400, body: html } });
    await maintainFor(1500);
    Object.assign(parts.partner, { tokenAnswer: null });
    await maintainFor(recoveryS);
    expect(await refreshedSince(others)).toBe(others.length);
    await maintainFor(700);
    expect(sends(busyToken)).toBe(1);
    await maintainFor(1800);
    expect(sends(busyToken)).toBe(2);
  }, 120_000);

  it('does not hasten links whose last refresh succeeded', async () => {
    const integration = await parts.integration();
    const healthy = await Promise.all(Array.from({ length: 4 }, () => parts.link(integration)));
    const linked = await versions(healthy);
    await Promise.all(healthy.map((link) => parts.expire(link)));
    await instance.maintain();
    const failed = await parts.link(integration);
    await parts.expire(failed);
    Object.assign(parts.partner, { tokenAnswer: { status: 400, body: html } });
    await maintainFor(1500);
    Object.assign(parts.partner, { tokenAnswer: null });
    await maintainFor(recoveryS);
    expect(await refreshedSince([failed])).toBe(1);
    expect(await refreshesOf(healthy, linked)).toEqual([1, 1, 1, 1]);
  }, 120_000);
});
