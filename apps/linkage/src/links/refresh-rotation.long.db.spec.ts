import { setTimeout as sleep } from 'node:timers/promises';
import { StrictPartnerServer } from '@podium/simulated-partner/strict/strict-partner-server';
import { freshName } from '@podium/testing';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { KilledWorkers } from '../../test/killed-workers';
import { LinkInstance, linkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Loss } from '../../test/literal-partner';
import { StrictAccounts } from '../../test/strict-accounts';
import { Link } from './link';

/** Rotations of one run: `PODIUM_REFRESHES=1000 npm test -- apps/linkage/src/links/refresh-rotation` runs more. */
const rotationsMin = Number(process.env.PODIUM_REFRESHES ?? 120);
const seed = Number(process.env.PODIUM_SEED ?? Date.now() % 1_000_000_000);
/** Of a hundred answers to refreshes. */
const lostPerHundred = 3;
const killEveryMs = 300;
const killsMin = Math.max(3, rotationsMin / 100);
const linkCount = Math.max(30, Math.ceil(rotationsMin / 6));
const losses: readonly Loss[] = ['reset', 'cut off', 'never'];

describe(`refreshes over three instances that are killed (PODIUM_SEED=${seed})`, () => {
  const generator = xoroshiro128plus(seed);
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1);
  const strict = new StrictPartnerServer();
  let parts: LinkParts;

  beforeAll(async () => {
    parts = await LinkParts.start();
    await strict.start();
  });

  afterAll(async () => {
    await parts.stop();
    await strict.stop();
  });

  const query = async <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
    (await parts.pool.query(sql, values)).rows as Row[];

  /** Links with accounts of the strict partner, by its own log-in. */
  async function strictLinks(count: number): Promise<Link[]> {
    const accounts = await StrictAccounts.at(strict, parts);
    const links: Link[] = [];
    for (let i = 0; i < count; i++) {
      const sub = freshName('sub');
      links.push(await parts.linkWith(accounts.partner, sub, await accounts.tokensOf(sub)));
    }
    await accounts.stop();
    return links;
  }

  /** The claims of an instance that is gone are given up; otherwise others would wait for its lease and for its return. */
  const endLease = async (instance: string): Promise<void> => {
    const past = `UPDATE linkage.link_tokens
                  SET refresh_started_at = refresh_started_at - interval '10 minutes', refresh_started_by = NULL
                  WHERE refresh_started_by = $1`;
    await query(past, instance);
  };

  /** Has links refreshed by processes that are killed, until the partner has rotated often enough. */
  async function refreshUnderKills(
    partnerHost: string,
    { rotations, onTick }: { rotations: () => number; onTick: () => void },
  ): Promise<KilledWorkers> {
    const random = (): number => below(1_000_000) / 1_000_000;
    const { databaseUrl } = parts;
    const workers = new KilledWorkers({ databaseUrl, partnerHost, random, onKilled: endLease });
    await workers.start(killEveryMs);
    const someDue = `UPDATE linkage.link_tokens SET expires_at = now(), refresh_due_at = now() WHERE link_id IN
      (SELECT link_id FROM linkage.link_tokens WHERE refresh_started_at IS NULL AND refresh_due_at > now() + interval '8 s'
       ORDER BY random() LIMIT 3)`;
    const endMs = Date.now() + 30_000 + rotationsMin * 200;
    while ((rotations() < rotationsMin || workers.kills < killsMin) && Date.now() < endMs) {
      onTick();
      await query(someDue);
      await sleep(50);
    }
    await workers.stop();
    return workers;
  }

  /** Lets an instance that is not killed finish what was begun, and refresh each link once more. */
  async function settle(links: readonly Link[], partnerHost: string): Promise<void> {
    const { pool, vault, logger } = parts;
    const instance = linkInstance({ pool, vault, logger, partnerHost, instance: 'last' });
    for (const link of links) {
      for (let sent = 0; sent < 4; sent++) {
        await parts.expire(link);
        if ((await instance.accessTokens.accessTokenFor(link.linkId)).ok) break;
      }
    }
    await instance.stop();
  }

  /** How often a new pair of a link was stored. */
  const commits = async (link: Link): Promise<number> =>
    (await parts.journal(link)).filter((outcome) => outcome === 'refreshed').length;

  /** One of so many answers in a row, at a random place among them, so that no run is without any. */
  function lossesAmongAnswers(): () => 'reset' | 'cut' | 'never' | null {
    const inRow = Math.floor(100 / lostPerHundred);
    let [answers, place] = [0, 0];
    return () => {
      if (answers % inRow === 0) place = below(inRow);
      return answers++ % inRow === place ? (['reset', 'cut', 'never'] as const)[below(3)] : null;
    };
  }

  it(
    'loses at a partner with reuse detection only grants whose rotation reached no commit, each by name',
    async () => {
      const links = await strictLinks(linkCount);
      strict.loseAnswer = lossesAmongAnswers();
      const ofPartner = (link: Link) => strict.grants.get(link.sub) ?? { rotations: 0, isRevoked: false };
      const rotations = (): number => links.reduce((sum, link) => sum + ofPartner(link).rotations, 0);
      const workers = await refreshUnderKills(strict.host, { rotations, onTick: () => undefined });
      strict.loseAnswer = () => null;
      await settle(links, strict.host);
      const lost: Link[] = [];
      for (const link of links) {
        const uncommitted = ofPartner(link).rotations - (await commits(link));
        const reason = await parts.reauthReason(link);
        if (reason !== null) lost.push(link);
        // The partner's own log says the same: a grant ends exactly when a rotation reached no commit.
        expect([link.sub, ofPartner(link).isRevoked, reason, uncommitted]).toEqual(
          uncommitted === 0 ? [link.sub, false, null, 0] : [link.sub, true, 'refresh_answer_lost', 1],
        );
      }
      report(
        `rotated ${rotations()} times over ${links.length} links, ${workers.kills} kills: ${lost.length} grants lost, each named`,
      );
      expect(rotations()).toBeGreaterThanOrEqual(rotationsMin);
      expect(workers.kills).toBeGreaterThanOrEqual(killsMin);
      expect(lost.length).toBeGreaterThan(0);
    },
    120_000 + rotationsMin * 300,
  );

  it(
    'loses no grant at a partner with a grace period',
    async () => {
      const integration = await parts.integration();
      const links = await Promise.all(Array.from({ length: linkCount }, () => parts.link(integration)));
      parts.partner.hasGrace = true;
      const refreshed = (): number => parts.partner.seen.filter(({ form }) => form.has('refresh_token')).length;
      const workers = await refreshUnderKills(parts.partner.host, {
        rotations: refreshed,
        onTick: () => {
          if (below(100) < 2 * lostPerHundred) parts.partner.losses.push(losses[below(losses.length)]);
        },
      });
      parts.partner.losses.length = 0;
      await settle(links, parts.partner.host);
      const states = await Promise.all(links.map((link) => parts.state(link)));
      expect(new Set(states)).toEqual(new Set(['ready']));
      expect(links.every((link) => parts.partner.isAlive(link.sub))).toBe(true);
      report(`sent ${refreshed()} refreshes over ${links.length} links, ${workers.kills} kills: 0 grants lost`);
      expect(refreshed()).toBeGreaterThanOrEqual(rotationsMin);
      expect(workers.kills).toBeGreaterThanOrEqual(killsMin);
    },
    120_000 + rotationsMin * 300,
  );

  it('ends no grant by two refreshes at once, in 100 runs', async () => {
    const { pool, vault, logger } = parts;
    const instances: LinkInstance[] = ['one', 'two'].map((instance) =>
      linkInstance({ pool, vault, logger, partnerHost: strict.host, instance }),
    );
    const [link] = await strictLinks(1);
    for (let run = 0; run < 100; run++) {
      await parts.expire(link);
      const tokens = await Promise.all(instances.map(({ accessTokens }) => accessTokens.accessTokenFor(link.linkId)));
      expect(tokens.map(({ ok }) => ok)).toEqual([true, true]);
    }
    expect(strict.grants.get(link.sub)).toEqual({ rotations: 100, isRevoked: false });
    await Promise.all(instances.map((instance) => instance.stop()));
  }, 120_000);
});

/** One line for those who run it for the numbers. */
function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
