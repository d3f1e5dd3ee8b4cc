import { randomUUID } from 'node:crypto';
import { ApiKeyData, IntegrationData, LinkData, topics } from '@podium/messages';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { Registry } from 'prom-client';
import { LinkParts } from '../../../test/link-parts';
import { PartnerActivity } from '../../activity/partner-activity';
import { ErasureWatcher } from '../../erasures/erasure-watcher';
import { LinkReadiness } from '../../links/link-readiness';
import { lockRivals, readLink, saveLinked, saveUnlinked } from '../../links/link.store';
import { OutboxStalledError, Republished, republish } from './republish';

interface Row<Data> {
  readonly id: number;
  readonly key: string;
  readonly data: Data;
}

describe('republish', () => {
  let parts: LinkParts;
  let integration: { integrationId: string; platform: string };
  /** The record that a relay would publish. */
  const published: Row<unknown>[] = [];

  beforeAll(async () => {
    parts = await LinkParts.start();
    integration = await parts.integration();
  });
  afterAll(() => parts.stop());

  beforeEach(async () => {
    await relay();
    published.length = 0;
  });

  const pair = (sub: string, userId: string) => ({
    integrationId: integration.integrationId,
    platform: integration.platform,
    organizerId: 'organizer-1',
    userId,
    sub,
    nickname: sub,
  });
  const link = (sub: string, userId: string) => inTransaction(parts.pool, (tx) => saveLinked(tx, pair(sub, userId)));
  const unlink = (linkId: string) => inTransaction(parts.pool, (tx) => saveUnlinked(tx, linkId));

  /** Deletes the rows of the outbox, as the relay does. */
  async function relay(): Promise<void> {
    const { rows } = await parts.pool.query<{ id: number; key: string; data: string }>(
      'WITH gone AS (DELETE FROM linkage.outbox RETURNING id, key, data) SELECT * FROM gone ORDER BY id',
    );
    for (const { id, key, data } of rows) published.push({ id, key, data: JSON.parse(data) as unknown });
  }

  async function publish<Data>(what: Republished, pageRecords = 2): Promise<Row<Data>[]> {
    let over = false;
    const relaying = (async () => {
      for (; !over; await new Promise((wait) => setTimeout(wait, 5))) await relay();
    })();
    await republish(parts.pool, what, { pageRecords, patienceMs: 20_000 }).finally(() => (over = true));
    await relaying;
    return published as Row<Data>[];
  }

  it('publishes the current link of each account under a higher revision than any before', async () => {
    const first = await link('a', 'user-1');
    await unlink(first.linkId);
    const present = await link('a', 'user-2');
    const gone = await link('b', 'user-3');
    await unlink(gone.linkId);
    const late = await link('b', 'user-4');
    const unlinked = await unlink(late.linkId);
    const others = await Promise.all(Array.from({ length: 7 }, (_, i) => link(`c${i}`, `other-${i}`)));
    await relay();
    const highest = Math.max(...published.map(({ id }) => id));
    published.length = 0;

    const rows = await publish<LinkData>('links');
    const holding = new Map(rows.map(({ data }) => [data.platform_user_id, [data.user_id, data.state]]));
    expect(rows).toHaveLength(holding.size);
    expect(holding.get('a')).toEqual(['user-2', 'linking']);
    expect(holding.get('b')).toEqual(['user-4', 'unlinked']);
    const ended = rows.find(({ data }) => data.platform_user_id === 'b')?.data;
    expect(ended?.unlinked_at).toBe(Math.floor((unlinked.unlinkRequestedAt?.getTime() ?? 0) / 1000));
    expect(rows.filter(({ data }) => data.unlinked_at !== undefined)).toHaveLength(1);
    expect([...holding.keys()].filter((sub) => sub.startsWith('c'))).toHaveLength(others.length);
    expect(Math.min(...rows.map(({ id }) => id))).toBeGreaterThan(highest);
    expect(rows.map(({ id }) => id)).toEqual([...rows.map(({ id }) => id)].sort((x, y) => x - y));
    // The stored states are unchanged.
    expect(await readLink(queryable(parts.pool), present.linkId)).toEqual(present);
  });

  it('waits for a change in progress, so that it never publishes an older state after a newer one', async () => {
    const first = await link('moved', 'user-5');
    await unlink(first.linkId);
    await relay();
    published.length = 0;
    let commit: () => void = () => undefined;
    const committing = new Promise<void>((resolve) => (commit = resolve));
    const changing = inTransaction(parts.pool, async (tx) => {
      await lockRivals(tx, pair('moved', 'user-6'));
      const saved = await saveLinked(tx, pair('moved', 'user-6'));
      await committing;
      return saved;
    });
    await until(async () => (await locks('RowExclusiveLock', true)) > 0);
    const publishing = publish<LinkData>('links', 1_000);
    await until(async () => (await locks('ShareRowExclusiveLock', false)) > 0);
    commit();
    await changing;
    const rows = (await publishing).filter(({ data }) => data.platform_user_id === 'moved');
    // The change's own record first, then the same state again; never the link that had ended.
    expect(rows.map(({ data }) => data.user_id)).toEqual(['user-6', 'user-6']);
  });

  it('publishes integrations with their contracts, and keys without the keys', async () => {
    await parts.pool.query(
      `INSERT INTO linkage.contracts (integration_id, version, events, in_force_from, outbox_id, created_by)
       VALUES ($1, 1, $2, now(), 1, 'spec')`,
      [integration.integrationId, JSON.stringify([{ name: 'deposit', kind: 'repeatable', attributes: [] }])],
    );
    const keyId = randomUUID();
    await parts.pool.query(
      `INSERT INTO linkage.api_keys (key_id, kind, hash, integration_id, scopes, rate_per_second, revoked_at, created_by)
       VALUES ($1, 'event', 'hash', $2, '[]', 40, now(), 'spec')`,
      [keyId, integration.integrationId],
    );
    const integrations = await publish<IntegrationData>('integrations');
    expect(integrations.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({
        platform: integration.platform,
        status: 'active',
        contracts: [expect.objectContaining({ version: 1 })],
      }),
    );
    published.length = 0;
    const keys = await publish<ApiKeyData>('keys');
    expect(keys.find(({ data }) => data.key_id === keyId)?.data).toMatchObject({
      kind: 'event',
      hash: 'hash',
      platform: integration.platform,
      revoked_at: expect.any(Number) as number,
    });
  });

  /** Topics that were created again: they have far fewer records than the former ones, and all groups have read them. */
  const ends = async (name: string) => {
    const topic = Object.values(topics).find((each) => each.name === name);
    return Array.from({ length: topic?.partitions ?? 0 }, () => 5n);
  };
  const topicNow = { knownEnds: ends, committed: (_group: string, name: string) => ends(name) };

  it('lets links and contracts that wait for offsets of a lost topic wait for those of the new one', async () => {
    const settle = () =>
      new LinkReadiness(parts.pool, topicNow, parts.logger, new Registry(), new PartnerActivity()).round();
    const started = await link('lost-1', 'user-10');
    const { linkId } = await link('lost-2', 'user-11');
    await unlink(linkId);
    await parts.pool.query(
      `INSERT INTO linkage.contracts (integration_id, version, events, in_force_from, barrier_offset, outbox_id, created_by)
       VALUES ($1, 2, '[]', now(), 90000, 1, 'spec')`,
      [integration.integrationId],
    );
    await relay();
    await parts.pool.query(`UPDATE linkage.links SET barrier_partition = 0, barrier_offset = 90000`);
    expect(await settle()).toEqual([]);
    await publish<LinkData>('links');
    const settled = (await settle()).map((each) => [each.sub, each.state, each.unlinkedAt !== null]);
    expect(settled).toEqual(
      expect.arrayContaining([
        ['lost-1', 'ready', false],
        ['lost-2', 'unlinked', true],
      ]),
    );
    expect(await readLink(queryable(parts.pool), started.linkId)).toMatchObject({ readyAt: expect.any(Date) as Date });
    await publish<IntegrationData>('integrations');
    const { rows } = await parts.pool.query(`SELECT barrier_offset FROM linkage.contracts WHERE version = 2`);
    expect(rows).toEqual([{ barrier_offset: null }]);
  });

  it('lets an erasure that waits for offsets of a lost topic wait for those of the new one', async () => {
    const places = [
      { topic: topics.links.name, partition: 0, end: '90000' },
      { topic: topics.erasures.name, partition: 0, end: '90000' },
    ];
    await parts.pool.query(
      `INSERT INTO linkage.erasures
         (erasure_id, subject, user_digests, erased_at, requested_by, links, link_partitions, outbox_ids, places)
       VALUES (gen_random_uuid(), gen_random_uuid(), ARRAY[gen_random_uuid()], to_timestamp(1700000000), 'spec', 1, '{0}', '{}', $1)`,
      [JSON.stringify(places)],
    );
    const isComplete = async (): Promise<boolean> => {
      await new ErasureWatcher(queryable(parts.pool), topicNow, new Registry()).run();
      return (await parts.pool.query(`SELECT FROM linkage.erasures WHERE completed_at IS NOT NULL`)).rowCount === 1;
    };
    expect(await isComplete()).toBe(false);
    await publish('erasures');
    expect(await isComplete()).toBe(true);
  });

  it('throws when no relay publishes the records', async () => {
    await link('d', 'user-7');
    await expect(republish(parts.pool, 'links', { pageRecords: 1, patienceMs: 300 })).rejects.toThrow(
      OutboxStalledError,
    );
  });

  it('goes on while the relay publishes, although as many records are written meanwhile', async () => {
    await link('e', 'user-8');
    const busyUntilMs = Date.now() + 2_500;
    let over = false;
    const relaying = (async () => {
      for (; Date.now() < busyUntilMs; await new Promise((wait) => setTimeout(wait, 20)))
        await parts.pool.query(
          `WITH oldest AS (
             DELETE FROM linkage.outbox WHERE id = (SELECT min(id) FROM linkage.outbox)
             RETURNING topic, key, type, schema_version, data)
           INSERT INTO linkage.outbox (topic, key, type, schema_version, data) SELECT * FROM oldest`,
        );
      for (; !over; await new Promise((wait) => setTimeout(wait, 5))) await relay();
    })();
    await republish(parts.pool, 'links', { pageRecords: 1, patienceMs: 1_000 }).finally(() => (over = true));
    await relaying;
    expect(published.map(({ key }) => key)).toContain(`${integration.platform}:e`);
  });

  it('ends when its own records are published, although the outbox is never empty', async () => {
    await link('f', 'user-9');
    let over = false;
    const relaying = (async () => {
      for (; !over; await new Promise((wait) => setTimeout(wait, 5)))
        await parts.pool.query(
          `WITH gone AS (DELETE FROM linkage.outbox RETURNING topic, key, type, schema_version, data)
           INSERT INTO linkage.outbox (topic, key, type, schema_version, data)
           (SELECT topic, 'other', type, schema_version, data FROM gone LIMIT 1)`,
        );
    })();
    const ended = republish(parts.pool, 'links', { pageRecords: 500, patienceMs: 5_000 }).then(() => 'ended');
    const late = new Promise((resolve) => setTimeout(resolve, 15_000, 'still waits').unref());
    const result = await Promise.race([ended, late]);
    over = true;
    await relaying;
    await relay();
    expect(result).toBe('ended');
    await ended;
  });

  async function locks(mode: string, granted: boolean): Promise<number> {
    const { rows } = await parts.pool.query<{ count: number }>(
      `SELECT count(*) FROM pg_locks WHERE relation = 'linkage.links'::regclass AND mode = $1 AND granted = $2`,
      [mode, granted],
    );
    return Number(rows[0].count);
  }
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 20_000; !(await condition()); await new Promise((wait) => setTimeout(wait, 10)))
    if (Date.now() > endMs) throw new Error('timed out');
}
