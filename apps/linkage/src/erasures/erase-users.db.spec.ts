import { LinkData } from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { pino } from 'pino';
import { insertIntegration } from '../../test/insert-integration';
import { LiteralPartner } from '../../test/literal-partner';
import { Link, linkKey } from '../links/link';
import { lockLink, saveLinked, saveState, saveUnlinked } from '../links/link.store';
import { PartnerActivity } from '../activity/partner-activity';
import { RedirectBases } from '../links/redirect-bases';
import { LinkMetrics } from '../links/link-metrics';
import { LinkingUser } from '../browser/linking-user';
import { PartnerIntegrationStore } from '../links/partner-integration.store';
import { StartLink } from '../links/start-link';
import { migrations, schema } from '../migrations';
import { Vault } from '../vault/vault';
import { userDigest } from '../links/erased-users.queries';
import { blockLinking } from '../links/linking-lock.store';
import { eraseUsers } from './erase-users';
import { readErasureTime } from './erased-links.store';
import { vaultKey } from '../../test/spec-keys';

const platform = 'acme';
const sub = 'account-1';
const logger = pino({ level: 'silent' });

describe('an erasure concurrent with another change of the account', () => {
  const partner = new LiteralPartner();
  let database: FreshDatabase;
  /** Its sessions block at the trigger `pause` until the test releases them. */
  let held: Pool;
  let pool: Pool;
  let integrationId: string;

  beforeAll(async () => {
    await partner.start();
    database = await freshDatabase({ schema, migrations });
    held = createPool({ url: database.url, size: 3, service: 'held' }, logger, new Registry());
    pool = createPool({ url: database.url, size: 6, service: 'spec' }, logger, new Registry());
    integrationId = await insertIntegration(database.url, { platform, displayName: 'Partner', partner });
    await pool.query(`
      CREATE FUNCTION linkage.pause() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_setting('application_name') = 'held' THEN PERFORM pg_advisory_xact_lock_shared(42); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER pause BEFORE INSERT ON linkage.outbox FOR EACH STATEMENT EXECUTE FUNCTION linkage.pause();
      CREATE TRIGGER pause BEFORE INSERT ON linkage.oauth_flows
        FOR EACH STATEMENT EXECUTE FUNCTION linkage.pause()`);
  });
  beforeEach(() => pool.query('TRUNCATE linkage.links, linkage.outbox, linkage.erasures, linkage.oauth_flows CASCADE'));
  afterAll(async () => {
    await pool.end();
    await held.end();
    await database.drop();
    await partner.stop();
  });

  it.each([
    { what: 'is unlinked', change: (link: Link) => inTransaction(pool, (tx) => saveUnlinked(tx, link.linkId)) },
    {
      what: 'needs to log in again',
      change: (link: Link) =>
        inTransaction(pool, async (tx) => saveState(tx, (await lockLink(tx, link.linkId))!, 'needs_reauth')),
    },
  ])('publishes no older state of the next holder, who $what at that moment', async ({ change }) => {
    await inTransaction(pool, async (tx) => saveUnlinked(tx, (await linked(tx, 'first')).linkId));
    const next = await inTransaction(pool, (tx) => linked(tx, 'second'));
    const keeper = await pool.connect();
    await keeper.query('SELECT pg_advisory_lock(42)');
    const erased = erase('first');
    await until(async () => (await waiting('advisory')) === 1);
    const changed = change(next);
    await Promise.race([changed, until(async () => (await waiting('transactionid', 'tuple')) > 0)]);
    await keeper.query('SELECT pg_advisory_unlock(42)');
    keeper.release();
    await Promise.all([erased, changed]);
    const { rows } = await pool.query<{ data: string; state: string }>(
      `SELECT data, (SELECT state FROM linkage.links WHERE link_id = $1) AS state FROM linkage.outbox
       WHERE key = $2 ORDER BY id DESC LIMIT 1`,
      [next.linkId, linkKey({ platform, sub })],
    );
    expect((JSON.parse(rows[0].data) as LinkData).state).toBe(rows[0].state);
  });

  it('leaves no flow that starts at the same time', async () => {
    const keeper = await pool.connect();
    await keeper.query('SELECT pg_advisory_lock(42)');
    const vault = new Vault(fixed([{ id: 'k1', key: vaultKey }]));
    const integrations = new PartnerIntegrationStore(queryable(pool), vault);
    const rules = { redirectBases: new RedirectBases('http://127.0.0.1', []), returnTo: new Set<string>() };
    const starting = new StartLink(
      held,
      integrations,
      vault,
      rules,
      new LinkMetrics(new Registry()),
      new PartnerActivity(),
    );
    const started = starting.start({ userId: 'first', sessionId: 'session' } as LinkingUser, integrationId, {
      browserSecret: null,
    });
    await until(async () => (await waiting('advisory')) === 1);
    const erased = erase('first');
    await Promise.race([erased, until(async () => (await waiting('advisory')) === 2)]);
    await keeper.query('SELECT pg_advisory_unlock(42)');
    keeper.release();
    await Promise.all([started, erased]);
    const { rows } = await pool.query('SELECT user_id FROM linkage.oauth_flows');
    expect(rows).toEqual([]);
  });

  function linked(tx: Parameters<typeof saveLinked>[0], userId: string): Promise<Link> {
    return saveLinked(tx, { integrationId, platform, organizerId: 'organizer-1', userId, sub, nickname: 'n' });
  }

  function erase(userId: string): Promise<number> {
    return inTransaction(held, async (tx) => {
      await blockLinking(tx);
      const user = { platform, userId };
      return eraseUsers(tx, {
        erasureId: '00000000-0000-4000-8000-000000000001',
        subject: userDigest(user),
        erasedAt: await readErasureTime(tx, [user]),
        requestedBy: 'spec',
        users: [user],
        userDigests: [userDigest(user)],
        accounts: [],
        isNew: true,
      });
    });
  }

  async function waiting(...types: string[]): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = ANY ($1) AND NOT granted AND datname = current_database()`,
      [types],
    );
    return rows[0].count;
  }
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 20_000; !(await condition()); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > endMs) throw new Error('timed out');
}
