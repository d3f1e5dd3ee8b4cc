import { randomUUID } from 'node:crypto';
import { identityDigest, recordKey, topics } from '@podium/messages';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { freshName, localStack } from '@podium/testing';
import { Consumer, Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { AdminAnswer, AdminClient, adminClient } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';
import { republish } from '../operations/republish/republish';
import { ReapplyErasures } from './reapply-erasures';

jest.setTimeout(60_000);

describe('erasures', () => {
  const partner = new LiteralPartner();
  const views = new LinkViews();
  const written = new Map<string, (string | null)[]>();
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let pool: Pool;
  let consumer: Consumer;
  let integrationId: string;
  let platform: string;

  beforeAll(async () => {
    await partner.start();
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
    admin = await adminClient(linkage, { '*': 'admin' });
    const logger: Logger = pino({ level: 'silent' });
    pool = createPool({ url: linkage.databaseUrl, size: 3, service: 'spec' }, logger, new Registry());
    const kafka = new Kafka({ brokers: [...localStack().kafkaBrokers], logLevel: logLevel.NOTHING });
    consumer = kafka.consumer({ groupId: freshName('linkage-spec'), maxWaitTimeInMs: 50 });
    await consumer.connect();
    await consumer.subscribe({ topics: [topics.links.name, topics.erasures.name], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message }) => {
        const key = String(message.key);
        written.set(key, [...(written.get(key) ?? []), message.value === null ? null : String(message.value)]);
      },
    });
    views.start();
    platform = freshName('p');
    const answer = await admin.post('/integrations', {
      ...{ platform, partner: platform, organizer_id: 'organizer-1', display_name: 'Arena' },
      ...{ authorization_url: `${partner.baseUrl}/authorize`, base_url: partner.baseUrl },
      ...{ client_id: partner.clientId, client_secret: partner.clientSecret },
    });
    integrationId = answer.json.integration_id as string;
  });
  beforeEach(() => views.follow());
  afterEach(() => views.pause());
  afterAll(async () => {
    await views.stop();
    await consumer.disconnect();
    await pool.end();
    await linkage.stop();
    await partner.stop();
  });

  it('ends the grant at a partner that can revoke, and keeps no token after that', async () => {
    await admin.patch(`/integrations/${integrationId}`, { profile: { revocation_path: '/oauth2/revoke' } });
    const { userId, sub } = await linked();
    expect(partner.isAlive(sub)).toBe(true);
    expect((await admin.post('/erasures', { user_id: userId })).status).toBe(202);
    expect(await tablesWith(userId)).toEqual([]);
    const queued = async () => (await pool.query(`SELECT FROM linkage.token_revocations`)).rowCount;
    for (const endMs = Date.now() + 20_000; (await queued()) !== 0 && Date.now() < endMs;)
      await new Promise((resolve) => setTimeout(resolve, 200));
    expect([await queued(), partner.isAlive(sub)]).toEqual([0, false]);
    await admin.patch(`/integrations/${integrationId}`, { profile: { revocation_path: null } });
  });

  it('deletes links, tokens, flows with callbacks and the name in the audit at once, and is complete when all groups have applied it', async () => {
    const { browser, userId, sub } = await linked();
    await browser.begin(integrationId);
    await pool.query('INSERT INTO linkage.flow_callbacks (integration_id, user_id) VALUES ($1, $2)', [
      integrationId,
      userId,
    ]);
    expect(await tablesWith(userId)).toEqual(['audit', 'flow_callbacks', 'links', 'oauth_flows']);
    await views.pause();

    const begun = await erase({ user_id: userId });
    expect(begun).toMatchObject({ status: 202, json: { state: 'under_way', links: 1, completed_at: null } });
    expect(begun.json.services).toEqual([
      { service: 'linkage', done_at: expect.any(String) as string },
      { service: 'ingestion', done_at: null },
      { service: 'engagement', done_at: null },
    ]);
    expect(await tablesWith(userId, sub)).toEqual([]);
    const { rows } = await pool.query<{ actor: string }>(
      `SELECT actor FROM linkage.audit WHERE action = 'link.linked' AND organizer_id = 'organizer-1'`,
    );
    expect(rows).toContainEqual({ actor: 'user:erased' });

    const id = begun.json.erasure_id as string;
    const [record] = await recordsOf(recordKey(id), 1);
    const { data } = JSON.parse(record!) as { data: { users: string[]; erased_at: number } };
    expect(data.users).toContain(identityDigest(platform, userId).toString('hex'));
    expect(data.erased_at * 1000).toBe(Date.parse(begun.json.erased_at as string));
    expect((await recordsOf(recordKey(platform, sub), 3)).at(-1)).toBeNull();

    // A repeated request before completion returns the same erasure.
    expect((await erase({ user_id: userId })).json).toEqual(begun.json);
    await views.commit(['ingestion.link-view']);
    const partly = await until(async () => {
      const { json } = await admin.get(`/erasures/${id}`);
      return (json.services as { done_at: string | null }[])[1].done_at === null ? null : json;
    });
    expect(partly).toMatchObject({ state: 'under_way', services: [{}, {}, { done_at: null }] });
    views.follow();
    await complete(id);
    expect((await erase({ user_id: userId })).json.erasure_id).not.toBe(id);
  });

  it('refuses a link until it is complete, and every flow from before', async () => {
    const { browser, userId } = await linked();
    const before = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
    await pool.query(`CREATE TABLE IF NOT EXISTS public.kept_flows AS SELECT * FROM linkage.oauth_flows`);
    await views.pause();
    const { json } = await erase({ user_id: userId, platform });
    const during = await browser.atPartner(await browser.begin(integrationId), freshName('sub'));
    expect((await browser.get(during)).text).toContain('was erased while you logged in');
    views.follow();
    await complete(json.erasure_id as string);
    // Simulates a callback that read the flow just before the erasure.
    await pool.query(`INSERT INTO linkage.oauth_flows SELECT * FROM public.kept_flows`);
    expect((await browser.get(before)).text).toContain('was erased while you logged in');
    expect(await linksOf(userId)).toBe(0);
    await pool.query('DROP TABLE public.kept_flows');

    await until(async () => (Date.now() >= Date.parse(json.erased_at as string) ? true : null));
    await browser.link(integrationId, freshName('sub'));
    expect(await linksOf(userId)).toBe(1);
  });

  it('erases what a clock has dated that has stepped back since, and no flow from before makes a link', async () => {
    const { browser, userId, sub } = await linked();
    const before = await browser.atPartner(await browser.begin(integrationId), sub);
    const digest = identityDigest(platform, userId).toString('hex');
    const ahead = `clock_timestamp() + interval '5 minutes'`;
    await pool.query(`UPDATE linkage.links SET linked_at = ${ahead} WHERE user_id = $1`, [userId]);
    await pool.query(`UPDATE linkage.oauth_flows SET created_at = ${ahead} WHERE user_id = $1`, [userId]);
    await pool.query(
      `INSERT INTO linkage.partner_exchanges (integration_id, at, failed, operation, detail, user_digest)
       VALUES ($1, ${ahead}, false, 'user_info', '{}', $2)`,
      [integrationId, digest],
    );
    // Simulates a callback that took its flow just before the erasure.
    await pool.query(`CREATE TABLE public.flows_before AS SELECT * FROM linkage.oauth_flows WHERE user_id = $1`, [
      userId,
    ]);

    const { json } = await erase({ user_id: userId });
    expect([json.links, await tablesWith(userId, sub)]).toEqual([1, []]);
    const exchanges = `SELECT FROM linkage.partner_exchanges WHERE user_digest = $1`;
    expect((await pool.query(exchanges, [digest])).rowCount).toBe(0);
    await complete(json.erasure_id as string);
    await pool.query('INSERT INTO linkage.oauth_flows SELECT * FROM public.flows_before');
    await pool.query('DROP TABLE public.flows_before');
    expect((await browser.get(before)).text).toContain('was erased while you logged in');
    expect(await linksOf(userId)).toBe(0);
  });

  it('keeps the link of the account’s current user', async () => {
    const sub = freshName('sub');
    const first = await linked(sub);
    await first.browser.change('DELETE', `/v1/me/links/${integrationId}`);
    const second = await linked(sub);
    expect(await erase({ platform, platform_user_id: sub })).toMatchObject({
      status: 409,
      json: { error: { message: expect.stringContaining('2 users') as string } },
    });
    const before = (await recordsOf(recordKey(platform, sub), 4)).length;
    const { json } = await erase({ user_id: first.userId });
    await complete(json.erasure_id as string);
    const last = (await recordsOf(recordKey(platform, sub), before + 1)).at(-1);
    expect(JSON.parse(last!)).toMatchObject({ data: { user_id: second.userId, state: 'ready' } });
    expect([await linksOf(first.userId), await linksOf(second.userId)]).toEqual([0, 1]);
  });

  it('finds and erases an account whose id has control characters', async () => {
    const sub = `\t${freshName('sub')}\u007f`;
    const { userId } = await linked(sub);
    const query = new URLSearchParams({ platform, platform_user_id: sub });
    expect((await admin.get(`/links?${query}`)).json.items).toMatchObject([{ platform_user_id: sub, user_id: userId }]);
    const { status, json } = await erase({ platform, platform_user_id: sub });
    expect([status, json.links]).toEqual([202, 1]);
    await complete(json.erasure_id as string);
    expect(await linksOf(userId)).toBe(0);
  });

  it('erases an account without a link: a tombstone deletes its refusals', async () => {
    const sub = freshName('sub');
    const { status, json } = await erase({ platform, platform_user_id: sub });
    expect([status, json.links]).toEqual([202, 0]);
    expect(await recordsOf(recordKey(platform, sub), 1)).toEqual([null]);
    await complete(json.erasure_id as string);
  });

  it('requires an admin, and a subject that is named in exactly one way', async () => {
    const user_id = freshName('user');
    const ofOrganizer = await adminClient(linkage, { 'organizer-1': 'admin' });
    const editor = await adminClient(linkage, { '*': 'editor' });
    const stranger = await adminClient(linkage, { 'organizer-2': 'admin' });
    const answers = await Promise.all([
      ofOrganizer.post('/erasures', { user_id }),
      ofOrganizer.post('/erasures', { user_id, platform }),
      editor.post('/erasures', { user_id, platform }),
      stranger.post('/erasures', { user_id, platform }),
      admin.post('/erasures', { user_id, platform: 'nowhere' }),
      admin.post('/erasures', {}),
      admin.post('/erasures', { platform }),
      admin.post('/erasures', { platform_user_id: 'x' }),
      admin.post('/erasures', { user_id, platform, platform_user_id: 'x' }),
      admin.get('/erasures/no-id'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 202, 403, 404, 404, 400, 400, 400, 400, 404]);
  });

  it('is applied again by a restored database, to data from before the erasure', async () => {
    const old = await linked();
    const fresh = await linked();
    await pool.query(`UPDATE linkage.links SET linked_at = now() - interval '1 hour' WHERE user_id = $1`, [old.userId]);
    const erasure = {
      erasure_id: randomUUID(),
      users: [old.userId, fresh.userId].map((userId) => identityDigest(platform, userId).toString('hex')),
      erased_at: Math.floor(Date.now() / 1000) - 600,
    };
    const place = { topic: topics.erasures.name, partition: 0, position: 'any', nextOffset: 7n } as const;
    const reapply = new ReapplyErasures(pool);
    expect(await reapply.apply([erasure], place)).toEqual(new Set([erasure.erasure_id]));
    expect([await linksOf(old.userId), await linksOf(fresh.userId)]).toEqual([0, 1]);
    expect((await recordsOf(recordKey(platform, old.sub), 3)).at(-1)).toBeNull();
    const { rows } = await pool.query('SELECT * FROM linkage.positions');
    expect(rows).toEqual([{ topic: topics.erasures.name, partition: 0, next_offset: 7 }]);
    await complete(erasure.erasure_id);
    expect(await reapply.apply([erasure], place)).toEqual(new Set());
    await republish(pool, 'erasures');
    const told = await recordsOf(recordKey(erasure.erasure_id), 1);
    expect(JSON.parse(told[0]!)).toMatchObject({ id: erasure.erasure_id, data: erasure });
  });

  async function linked(sub = freshName('sub')) {
    const userId = freshName('user');
    const browser = await LinkBrowser.of(linkage, userId);
    await browser.link(integrationId, sub);
    await until(async () => {
      const { json } = await admin.get(`/links?user_id=${userId}`);
      return (json.items as { state: string }[])[0]?.state === 'ready' ? true : null;
    });
    return { browser, userId, sub };
  }

  function erase(body: object): Promise<AdminAnswer> {
    return admin.post('/erasures', body);
  }

  function complete(id: string): Promise<unknown> {
    return until(async () => ((await admin.get(`/erasures/${id}`)).json.state === 'complete' ? true : null));
  }

  async function linksOf(userId: string): Promise<number> {
    const { rowCount } = await pool.query('SELECT 1 FROM linkage.links WHERE user_id = $1', [userId]);
    return rowCount ?? 0;
  }

  /** Tables of linkage, except the outbox, that contain one of the texts. */
  async function tablesWith(...texts: string[]): Promise<string[]> {
    const { rows } = await pool.query<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'linkage' AND tablename <> 'outbox' ORDER BY tablename`,
    );
    const found: string[] = [];
    for (const { tablename } of rows) {
      const { rowCount } = await pool.query(
        `SELECT 1 FROM linkage.${tablename} AS each
         WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS text WHERE position(text IN each::text) > 0) LIMIT 1`,
        [texts],
      );
      if (rowCount) found.push(tablename);
    }
    return found;
  }

  /** Waits for at least `count` records of a key; null stands for a tombstone. */
  function recordsOf(key: string, count: number): Promise<(string | null)[]> {
    return until(async () => {
      const found = written.get(key) ?? [];
      return found.length >= count ? found : null;
    });
  }
});

async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (const endMs = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > endMs) throw new Error('timed out');
  }
}
