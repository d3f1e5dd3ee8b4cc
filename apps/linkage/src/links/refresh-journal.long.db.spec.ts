import { ChildProcess, fork } from 'node:child_process';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { queryable } from '@podium/runtime/postgres';
import { Link } from './link';
import { ListedLink, readLinksPage } from './link.store';
import { deleteOldAttempts } from './refresh-journal.store';

/** A step of a refresh at which its process is killed, and what remains at a partner without grace. */
interface Crash {
  readonly at: string;
  readonly kill: (link: Link) => Promise<void>;
  /** The reason for a log-in at a partner that takes each token once; null when the link is repaired there too. */
  readonly strictly: string | null;
  readonly journal: readonly (string | null)[];
  /** How often the token was sent: by the killed process and by others afterwards. */
  readonly sent: number;
}

describe('the journal of refreshes', () => {
  let parts: LinkParts;
  let instances: LinkInstance[];
  let integration: { integrationId: string; platform: string };
  let child: ChildProcess | null = null;

  beforeAll(async () => {
    parts = await LinkParts.start();
    instances = [parts.instance('one'), parts.instance('two')];
  });

  beforeEach(async () => {
    integration = await parts.integration();
    Object.assign(parts.partner, { steps: {}, hasGrace: false, tokenAnswer: null, userInfoAnswer: null });
    parts.partner.losses.length = 0;
    parts.logged.length = 0;
  });

  afterEach(() => child?.kill('SIGKILL'));

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await parts.stop();
  });

  /** Refresh tokens in the order in which they were sent. */
  const sent = (): string[] =>
    parts.partner.seen.flatMap(({ form }) =>
      form.get('grant_type') === 'refresh_token' ? [form.get('refresh_token') ?? ''] : [],
    );

  /** The link as operators see it. */
  const listed = async (link: Link): Promise<ListedLink> => {
    const filter = { organizers: 'all', platform: null, userId: null, sub: link.sub, after: null, limit: 1 } as const;
    return (await readLinksPage(queryable(parts.pool), filter))[0];
  };

  /** A link that has been refreshed once, so that there is a generation before, and whose token is due again. */
  async function refreshedLink(): Promise<Link> {
    const link = await parts.link(integration);
    await parts.expire(link);
    expect(await instances[0].accessTokens.accessTokenFor(link.linkId)).toMatchObject({ ok: true });
    await parts.expire(link);
    await parts.pool.query(`DELETE FROM linkage.token_refreshes WHERE link_id = $1`, [link.linkId]);
    parts.partner.seen.length = 0;
    return link;
  }

  /** Runs a check of the link in a process of its own. */
  function startProcess(link: Link): Promise<'killed' | string> {
    const file = path.join(__dirname, '../../test/refresh-process.ts');
    const args = [parts.databaseUrl, parts.partner.host, link.linkId];
    const process = fork(file, args, { execArgv: ['-r', '@swc-node/register'], stdio: 'inherit' });
    child = process;
    return new Promise((resolve) => {
      process.once('message', (result) => resolve(String(result)));
      process.once('exit', (_code, signal) => resolve(signal === 'SIGKILL' ? 'killed' : 'ended'));
    });
  }

  /** Kills the process once it waits for the row of the link; the row is released afterwards. */
  async function killWaiting(link: Link): Promise<void> {
    const holder = await parts.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT FROM linkage.links WHERE link_id = $1 FOR UPDATE`, [link.linkId]);
      const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      const wait = (async (): Promise<void> => {
        while ((await parts.pool.query(waits)).rowCount === 0) await sleep(20);
        child?.kill('SIGKILL');
        while ((await parts.pool.query(waits)).rowCount !== 0) await sleep(20);
      })();
      released = wait.then(async () => {
        await holder.query('ROLLBACK');
        holder.release();
      });
    } catch (error) {
      holder.release();
      throw error;
    }
  }
  let released: Promise<void> = Promise.resolve();

  const killNow = async (): Promise<void> => {
    child?.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 50));
  };
  const crashes: Crash[] = [
    {
      at: 'before the intent',
      kill: killWaiting,
      strictly: null,
      journal: ['refreshed'],
      sent: 1,
    },
    {
      at: 'after the intent, before the partner takes the token',
      kill: async () => {
        parts.partner.steps = {
          received: async () => {
            parts.partner.steps = {};
            await killNow();
            return 'drop';
          },
        };
      },
      strictly: null,
      journal: ['lost', 'refreshed'],
      sent: 2,
    },
    {
      at: 'after the partner rotated, before its answer',
      kill: async () => {
        parts.partner.steps = { rotated: killNow };
      },
      strictly: 'refresh_answer_lost',
      journal: ['lost', 'refreshed'],
      sent: 2,
    },
    {
      at: 'after the answer, before it is stored',
      kill: async (link) => {
        parts.partner.steps = { rotated: () => killWaiting(link) };
      },
      strictly: 'refresh_answer_lost',
      journal: ['lost', 'refreshed'],
      sent: 2,
    },
    {
      at: 'after the pair was stored, before it is used',
      kill: async () => {
        parts.partner.userInfoAnswer = () => void killNow();
      },
      strictly: null,
      journal: ['refreshed'],
      sent: 1,
    },
  ];

  const cases = crashes.flatMap((crash) => [true, false].map((hasGrace) => ({ ...crash, hasGrace })));
  it.each(cases)(
    'survives a crash $at (partner with grace: $hasGrace)',
    async (crash) => {
      const link = await refreshedLink();
      parts.partner.hasGrace = crash.hasGrace;
      await crash.kill(link);
      expect(await startProcess(link)).toBe('killed');
      await released;
      Object.assign(parts.partner, { steps: {}, userInfoAnswer: null });
      // The lease of the stopped process passes, and then the time in which it could come back.
      const past = `UPDATE linkage.link_tokens SET refresh_started_at = refresh_started_at - interval '10 minutes'`;
      for (let round = 0; round < 2; round++) {
        await parts.pool.query(past);
        await Promise.all(instances.map((instance) => instance.maintain()));
      }
      const tokens = await Promise.all(instances.map(({ accessTokens }) => accessTokens.accessTokenFor(link.linkId)));
      const reason = crash.hasGrace ? null : crash.strictly;
      expect(await parts.reauthReason(link)).toBe(reason);
      expect(tokens.map(({ ok }) => ok)).toEqual([reason === null, reason === null]);
      expect(await parts.state(link)).toBe(reason === null ? 'ready' : 'needs_reauth');
      expect(await parts.journal(link)).toEqual(reason === null ? crash.journal : ['lost', 'ended']);
      expect(sent().length).toBe(crash.sent);
      // One generation only: the token that was sent, never the one before it.
      expect(new Set(sent()).size).toBe(1);
      expect(parts.partner.isAlive(link.sub)).toBe(reason === null);
    },
    60_000,
  );

  describe('without a crash', () => {
    it.each(['reset', 'cut off', 'never'] as const)('an answer that is %s is asked for once more', async (loss) => {
      const link = await refreshedLink();
      parts.partner.hasGrace = true;
      parts.partner.losses.push(loss);
      expect(await instances[0].accessTokens.accessTokenFor(link.linkId)).toMatchObject({ ok: true });
      expect(await parts.journal(link)).toEqual(['lost', 'refreshed']);
      expect(new Set(sent()).size).toBe(1);
    });

    it.each(['reset', 'cut off', 'never'] as const)('names the loss of an answer that is %s', async (loss) => {
      const link = await refreshedLink();
      parts.partner.losses.push(loss);
      const token = await instances[0].accessTokens.accessTokenFor(link.linkId);
      expect(token).toEqual({ ok: false, reason: 'needs_reauth' });
      expect(await listed(link)).toMatchObject({ state: 'needs_reauth', problem: 'refresh_answer_lost' });
      expect(parts.logged.join()).not.toContain('the partner ended the grant');
      expect(sent().length).toBe(2);
      expect(new Set(sent()).size).toBe(1);
    });

    it('says that the state of the grant is unknown, and finds out later', async () => {
      const link = await refreshedLink();
      parts.partner.hasGrace = true;
      parts.partner.losses.push('reset', 'reset');
      const token = await instances[0].accessTokens.accessTokenFor(link.linkId);
      expect(token).toEqual({ ok: false, reason: 'unavailable' });
      expect(await parts.state(link)).toBe('ready');
      expect(parts.logged.join()).toContain('grant_state_unknown');
      expect(await parts.journal(link)).toEqual(['lost', 'lost']);
      expect(await listed(link)).toMatchObject({ problem: 'grant_state_unknown', refreshable: true });
      await instances[1].maintain();
      expect(sent().length).toBe(2);
      await parts.pool.query(`UPDATE linkage.link_tokens SET refresh_due_at = now() WHERE link_id = $1`, [link.linkId]);
      await instances[1].maintain();
      expect(await parts.journal(link)).toEqual(['lost', 'lost', 'refreshed']);
      expect(await listed(link)).toMatchObject({ problem: null, refreshable: true });
      expect(new Set(sent()).size).toBe(1);
    });

    it('shows a link without a refresh token as such, and background work leaves it', async () => {
      const link = await parts.link(integration, { refreshToken: null });
      await parts.expire(link);
      await instances[0].maintain();
      expect(await listed(link)).toMatchObject({ state: 'ready', problem: null, refreshable: false });
    });

    it('keeps a bounded number of rows of a token that is refused for long, with the newest lost answer', async () => {
      const link = await refreshedLink();
      await parts.pool.query(
        `INSERT INTO linkage.token_refreshes (link_id, token_version, instance, begun_at, ended_at, outcome)
         SELECT $1, version, 'one', now() - interval '8 days', now() - interval '8 days',
           CASE WHEN n IN (1, 3) THEN 'lost' ELSE 'unused' END
         FROM linkage.link_tokens, generate_series(1, 40) AS n WHERE link_id = $1`,
        [link.linkId],
      );
      await deleteOldAttempts(queryable(parts.pool), 7 * 86_400, 1_000);
      const kept = (await parts.journal(link)).filter((outcome) => outcome !== 'refreshed');
      expect(kept).toEqual(['lost', ...Array.from({ length: 20 }, () => 'unused')]);
    });

    it('still names a loss after other failures in between', async () => {
      const link = await refreshedLink();
      const ask = () => instances[0].accessTokens.accessTokenFor(link.linkId);
      parts.partner.losses.push('reset');
      parts.partner.steps = {
        // The second time a proxy answers.
        rotated: async () => void (parts.partner.tokenAnswer = { status: 400, body: '<html>' }),
      };
      expect(await ask()).toEqual({ ok: false, reason: 'unavailable' });
      expect(await parts.journal(link)).toEqual(['lost', 'unused']);
      Object.assign(parts.partner, { steps: {}, tokenAnswer: null });
      expect(await ask()).toEqual({ ok: false, reason: 'needs_reauth' });
      expect(await parts.reauthReason(link)).toBe('refresh_answer_lost');
    });
  });
});
