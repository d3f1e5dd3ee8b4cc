import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Answer } from '../../test/literal-partner';
import { queryable } from '@podium/runtime/postgres';
import { Link } from './link';
import { ListedLink, readLinksPage } from './link.store';

const html = '<html><body>Blocked</body></html>';
const linkCount = 12;
const dayS = 86_400;
/** Background work has a round every five seconds. */
const roundS = 5;

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
    await parts.pool.query(
      `UPDATE linkage.link_tokens SET ${['expires_at', 'refresh_due_at', 'refresh_started_at'].map(earlier).join(', ')}`,
    );
    await parts.pool.query(`UPDATE linkage.links SET ${earlier('user_info_at')}`);
    await parts.pool.query(`UPDATE linkage.token_refreshes SET ${['begun_at', 'ended_at'].map(earlier).join(', ')}`);
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
      for (let recoveredS = 0; recoveredS < 60; recoveredS += roundS) {
        await instance.maintain();
        await pass(roundS);
      }
      expect(await refreshedSince(links)).toBe(linkCount);
      expect(await states(links)).toEqual(links.map(() => ({ state: 'ready', problem: null })));
    },
    120_000,
  );
});
