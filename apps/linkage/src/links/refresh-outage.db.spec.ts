import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { BlackHole } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { LinkInstance, linkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Link } from './link';
import { readAbandonedRefreshes } from './refresh-claim.store';

const nowhere = { host: '127.0.0.1', port: 1 };

describe('a refresh during an outage of Postgres, at a partner that takes each token once', () => {
  let parts: LinkParts;
  let network: BlackHole;
  let pool: Pool;
  let instance: LinkInstance;
  let link: Link;
  /** Called for each piece that the instance sends to Postgres. */
  let onPiece: (piece: Buffer) => void = () => undefined;

  beforeAll(async () => {
    parts = await LinkParts.start();
    const { hostname, port } = new URL(parts.databaseUrl);
    network = await BlackHole.before({ host: hostname, port: Number(port) }, (piece) => {
      onPiece(piece);
      return false;
    });
    const options = { url: network.urlOf(parts.databaseUrl), size: 4, service: 'spec' };
    pool = createPool(options, pino({ level: 'silent' }), new Registry());
    const { vault, logger, partner } = parts;
    instance = linkInstance({ pool, vault, logger, partnerHost: partner.host, instance: 'one' });
  });

  beforeEach(async () => {
    link = await parts.link(await parts.integration());
    await parts.expire(link);
    Object.assign(parts.partner, { steps: {}, hasGrace: false });
    parts.partner.seen.length = 0;
    parts.logged.length = 0;
  });

  afterAll(async () => {
    await instance?.stop();
    await pool?.end();
    await network?.close();
    await parts?.stop();
  });

  const refreshes = (): number =>
    parts.partner.seen.filter(({ form }) => form.get('grant_type') === 'refresh_token').length;

  const databasePlace = (): { host: string; port: number } => {
    const { hostname, port } = new URL(parts.databaseUrl);
    return { host: hostname, port: Number(port) };
  };

  it('keeps the new pair in memory until Postgres is back', async () => {
    let back: Promise<void> = Promise.resolve();
    parts.partner.steps = {
      rotated: async () => {
        network.redirect(nowhere);
        network.cut();
        back = sleep(1_500).then(() => network.redirect(databasePlace()));
      },
    };
    expect(await instance.accessTokens.accessTokenFor(link.linkId)).toMatchObject({ ok: true });
    await back;
    expect(refreshes()).toBe(1);
    expect(await parts.journal(link)).toEqual(['refreshed']);
    expect(await parts.state(link)).toBe('ready');
    expect(parts.partner.isAlive(link.sub)).toBe(true);
    expect(parts.logged.join()).toContain('they are kept in memory');
    expect(parts.logged.join()).not.toContain('were dropped');
  });

  it('keeps it while Postgres answers with errors of its own', async () => {
    const breakTable = `CREATE FUNCTION linkage.fail_broken() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'could not extend file: File too large' USING ERRCODE = 'XX000'; END $$;
      CREATE TRIGGER broken BEFORE UPDATE ON linkage.link_tokens
        FOR EACH ROW WHEN (OLD.link_id = '${link.linkId}') EXECUTE FUNCTION linkage.fail_broken()`;
    parts.partner.steps = { rotated: async () => void (await parts.pool.query(breakTable)) };
    const refreshed = instance.accessTokens.accessTokenFor(link.linkId);
    const outcome = refreshed.catch((error: unknown) => error);
    while (!parts.logged.join().includes('they are kept in memory')) {
      if ((await Promise.race([outcome, sleep(20)])) instanceof Error) break;
    }
    await parts.pool.query('DROP FUNCTION linkage.fail_broken() CASCADE');
    expect(await outcome).toMatchObject({ ok: true });
    expect(refreshes()).toBe(1);
    expect(await parts.journal(link)).toEqual(['refreshed']);
    expect([parts.partner.isAlive(link.sub), await parts.state(link)]).toEqual([true, 'ready']);
  });

  it('stores it after an outage that outlasts the lease, and nobody sends the former token meanwhile', async () => {
    const other = parts.instance('two');
    parts.partner.steps = {
      rotated: async () => {
        network.redirect(nowhere);
        network.cut();
        const past = `UPDATE linkage.link_tokens SET refresh_started_at = now() - interval '1 hour' WHERE link_id = $1`;
        await parts.pool.query(past, [link.linkId]);
      },
    };
    const refreshed = instance.accessTokens.accessTokenFor(link.linkId);
    while (!parts.logged.join().includes('they are kept in memory')) await sleep(20);
    await other.maintain();
    const waiting = other.accessTokens.accessTokenFor(link.linkId);
    await sleep(300);
    network.redirect(databasePlace());
    const token = await refreshed;
    expect(token).toMatchObject({ ok: true });
    expect(await waiting).toEqual(token);
    await other.stop();
    expect(refreshes()).toBe(1);
    expect(await parts.journal(link)).toEqual(['refreshed']);
    expect(await parts.state(link)).toBe('ready');
    expect(parts.partner.isAlive(link.sub)).toBe(true);
  });

  it('stores it by another connection while those of before lead nowhere', async () => {
    await Promise.all(Array.from({ length: 3 }, () => pool.query('SELECT pg_sleep(0.1)')));
    parts.partner.steps = { rotated: async () => network.strand() };
    const startedAt = performance.now();
    expect(await instance.accessTokens.accessTokenFor(link.linkId)).toMatchObject({ ok: true });
    // Such a connection is closed after 25 s.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(refreshes()).toBe(1);
    expect(await parts.journal(link)).toEqual(['refreshed']);
  }, 40_000);

  it.each([
    ['', 'refresh_started_by'],
    [', and takes back what others have given up', 'NULL'],
  ])(
    'keeps it while the outbox is closed after a failover, and nobody sends the former token again%s',
    async (_, by) => {
      const fence = (timeline: string) =>
        parts.pool.query('UPDATE linkage.outbox_timeline SET timeline = $1', [timeline]);
      const { rows } = await parts.pool.query<{ timeline: string }>('SELECT timeline FROM linkage.outbox_timeline');
      const other = parts.instance('two');
      parts.partner.steps = { rotated: async () => void (await fence('a lost one')) };
      const refreshed = instance.accessTokens.accessTokenFor(link.linkId);
      while (!parts.logged.join().includes('they are kept in memory')) await sleep(20);
      const age = `UPDATE linkage.link_tokens
                 SET refresh_started_at = now() - interval '1 hour', refresh_started_by = ${by} WHERE link_id = $1`;
      await parts.pool.query(age, [link.linkId]);
      await expect(other.accessTokens.accessTokenFor(link.linkId)).rejects.toThrow(/timeline/);
      // The claim is that of somebody who is there, so that it is not taken over once the outbox is open.
      await sleep(1_000);
      expect(await readAbandonedRefreshes(queryable(parts.pool), 10)).toEqual([]);
      await fence(rows[0].timeline);
      expect(await refreshed).toMatchObject({ ok: true });
      await other.stop();
      expect(refreshes()).toBe(1);
      expect(await parts.journal(link)).toEqual(['refreshed']);
      expect(parts.partner.isAlive(link.sub)).toBe(true);
    },
  );

  it('sends nothing when the response to its claim came so late that another instance has replaced the token', async () => {
    const other = parts.instance('two');
    const ageClaim = () =>
      parts.pool.query(
        `UPDATE linkage.link_tokens SET refresh_started_at = now() - interval '1 hour' WHERE link_id = $1`,
        [link.linkId],
      );
    const isClaimed = new Promise<void>((resolve) => {
      onPiece = (piece) => {
        if (!piece.includes('COMMIT')) return;
        onPiece = () => undefined;
        network.stall('server');
        resolve();
      };
    });
    const late = instance.accessTokens.accessTokenFor(link.linkId);
    await isClaimed;
    while ((await parts.journal(link)).length === 0) await sleep(20);
    await ageClaim();
    await other.maintain();
    await ageClaim();
    await other.maintain();
    expect([refreshes(), await parts.state(link)]).toEqual([1, 'ready']);
    const pausedMs = 60_000;
    const nowMs = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs() + pausedMs);
    network.resume();
    await late.finally(() => jest.restoreAllMocks());
    await other.stop();
    expect(refreshes()).toBe(1);
    expect([parts.partner.isAlive(link.sub), await parts.state(link)]).toEqual([true, 'ready']);
    expect(await instance.checks.check(link.linkId)).toBe('current');
  });

  it('finds the pair stored when the response to the commit was lost', async () => {
    let lost = 0;
    parts.partner.steps = {
      rotated: async () => {
        onPiece = (piece) => {
          if (!piece.includes('COMMIT')) return;
          onPiece = () => undefined;
          lost++;
          network.stall('server');
          setTimeout(() => {
            network.cut();
            network.resume();
          }, 300);
        };
      },
    };
    expect(await instance.accessTokens.accessTokenFor(link.linkId)).toMatchObject({ ok: true });
    expect(lost).toBe(1);
    expect(refreshes()).toBe(1);
    expect(await parts.journal(link)).toEqual(['refreshed']);
    expect(parts.logged.join()).not.toContain('were dropped');
    await parts.expire(link);
    expect(await instance.accessTokens.accessTokenFor(link.linkId)).toMatchObject({ ok: true });
    expect(parts.partner.isAlive(link.sub)).toBe(true);
  });
});
