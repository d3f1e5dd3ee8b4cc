import { randomUUID } from 'node:crypto';
import { topics } from '@podium/messages';
import { FencedProducer, GroupPositions, createKafka, ensureTopics, partitionOf } from '@podium/runtime/kafka';
import { OutboxRelay } from '@podium/runtime/outbox';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { freshName, localStack } from '@podium/testing';
import { Admin, Consumer, Kafka, logLevel } from 'kafkajs';
import { Registry } from 'prom-client';
import { LinkParts } from '../../test/link-parts';
import { linkKey } from './link';
import { lockLink, readLink, saveLinked, saveUnlinked } from './link.store';
import { PartnerActivity } from '../activity/partner-activity';
import { LinkReadiness } from './link-readiness';

describe('LinkReadiness', () => {
  const groups = [freshName('view'), freshName('view')];
  let parts: LinkParts;
  const views = new Map<string, Consumer>();
  let admin: Admin;
  let relay: OutboxRelay;
  let positions: GroupPositions;
  let barrier: LinkReadiness;
  let integration: { integrationId: string; platform: string };

  beforeAll(async () => {
    parts = await LinkParts.start();
    integration = await parts.integration();
    const brokers = [...localStack().kafkaBrokers];
    const kafka = createKafka({ brokers, clientId: 'barrier-spec', logger: parts.logger });
    await ensureTopics(kafka, [topics.links], { replicationFactor: 1, minInsyncReplicas: 1 });
    const client = new Kafka({ brokers, logLevel: logLevel.NOTHING });
    admin = client.admin();
    await admin.connect();
    for (const groupId of groups) views.set(groupId, await viewOf(client.consumer({ groupId })));
    const registry = new Registry();
    positions = new GroupPositions(kafka, parts.logger);
    const { pool, logger } = parts;
    relay = new OutboxRelay({
      pool,
      schema: 'linkage',
      source: 'linkage',
      producer: new FencedProducer(kafka, { logger, registry }),
      fence: { pass: async () => undefined },
      topics: [topics.links],
      logger,
      registry,
    });
    barrier = new LinkReadiness(parts.pool, positions, parts.logger, registry, new PartnerActivity(), groups);
  }, 60_000);

  afterAll(async () => {
    await relay.stop();
    await positions.close();
    for (const view of views.values()) await view.disconnect();
    await admin.deleteGroups(groups).catch(() => undefined);
    await admin.disconnect();
    await parts.stop();
  });

  const link = (sub = freshName('sub')) =>
    inTransaction(parts.pool, (tx) =>
      saveLinked(tx, { ...integration, organizerId: 'o', userId: freshName('user'), sub, nickname: 'n' }),
    );
  const read = async (linkId: string) =>
    (await readLink(queryable(parts.pool), linkId)) as NonNullable<Awaited<ReturnType<typeof readLink>>>;
  const published = async () => {
    for (const endMs = Date.now() + 15_000; Date.now() < endMs; await new Promise((resolve) => setTimeout(resolve, 50)))
      if ((await parts.pool.query(`SELECT 1 FROM linkage.outbox`)).rowCount === 0) return;
    throw new Error('the outbox did not drain');
  };
  /** Commits the ends of all partitions, but in that of a link, if given, the offset before its position. */
  const commit = async (group: string, beforeLink?: string) => {
    const ends = await admin.fetchTopicOffsets(topics.links.name);
    const place = beforeLink === undefined ? undefined : await placeOf(beforeLink);
    await views.get(group)?.commitOffsets(
      ends.map(({ partition, high }) => ({
        topic: topics.links.name,
        partition,
        offset: partition === place?.barrier_partition ? String(BigInt(place.barrier_offset) - 1n) : high,
      })),
    );
  };
  const placeOf = async (linkId: string): Promise<{ barrier_partition: number; barrier_offset: string }> => {
    const { rows } = await parts.pool.query<{ barrier_partition: number; barrier_offset: string }>(
      `SELECT barrier_partition, barrier_offset::text FROM linkage.links WHERE link_id = $1`,
      [linkId],
    );
    return rows[0];
  };

  it('waits for the acknowledgement, then for every group, then publishes the link as ready', async () => {
    const { linkId } = await link();
    await commit(groups[0]);
    await commit(groups[1]);
    // Nothing is published yet, so committed ends do not include this record.
    expect(await barrier.round()).toEqual([]);
    relay.start();
    await published();
    expect(await barrier.round()).toEqual([]);
    await commit(groups[0]);
    expect(await barrier.round()).toEqual([]);
    // Other specs move the end of the topic meanwhile.
    await commit(groups[1], linkId);
    expect(await barrier.round()).toEqual([]);
    expect((await read(linkId)).readyAt).toBeNull();
    await commit(groups[1]);
    expect((await barrier.round()).map((settled) => settled.linkId)).toEqual([linkId]);
    expect(await read(linkId)).toMatchObject({ state: 'ready', readyAt: expect.any(Date) });
    await published();
  }, 30_000);

  it('reads ends only after the acknowledgement, and continues where another instance stopped', async () => {
    const { linkId, platform, sub } = await link();
    await published();
    await barrier.round();
    const place = await placeOf(linkId);
    const partition = partitionOf(linkKey({ platform, sub }), topics.links.partitions);
    const ends = await positions.ends(topics.links.name);
    expect(place.barrier_partition).toBe(partition);
    expect(BigInt(place.barrier_offset)).toBeLessThanOrEqual(ends[partition]);
    for (const group of groups) await commit(group);
    const other = new LinkReadiness(parts.pool, positions, parts.logger, new Registry(), new PartnerActivity(), groups);
    expect((await other.round()).map((settled) => settled.linkId)).toEqual([linkId]);
  });

  it('confirms an unlink without publishing another record', async () => {
    const { linkId } = await link();
    await published();
    for (const group of groups) await commit(group);
    await barrier.round();
    await inTransaction(parts.pool, async (tx) => {
      await lockLink(tx, linkId);
      await saveUnlinked(tx, linkId);
    });
    await published();
    expect(await barrier.round()).toEqual([]);
    expect((await read(linkId)).unlinkedAt).toBeNull();
    for (const group of groups) await commit(group);
    await barrier.round();
    expect(await read(linkId)).toMatchObject({ state: 'unlinked', unlinkedAt: expect.any(Date) });
    expect((await parts.pool.query(`SELECT 1 FROM linkage.outbox`)).rowCount).toBe(0);
  });

  it('settles many links at once, each by one of two instances', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) ids.push((await link(randomUUID())).linkId);
    await published();
    const other = new LinkReadiness(parts.pool, positions, parts.logger, new Registry(), new PartnerActivity(), groups);
    // The first round of each instance may only store positions. Other specs write to the topic, too, so that its end moves.
    const settled: string[] = [];
    for (let i = 0; i < 3; i++) {
      for (const group of groups) await commit(group);
      for (const links of await Promise.all([barrier.round(), other.round()]))
        settled.push(...links.map((row) => row.linkId));
    }
    expect(settled.sort()).toEqual(ids.sort());
  }, 30_000);

  it('wakes waiting callers, and returns false after the timeout', async () => {
    const { linkId } = await link();
    expect(await barrier.untilReady(queryable(parts.pool), linkId, 200)).toBe(false);
    barrier.start();
    const waiting = barrier.untilReady(queryable(parts.pool), linkId, 10_000);
    await published();
    for (const group of groups) await commit(group);
    barrier.wake();
    expect(await waiting).toBe(true);
    await barrier.stop();
  });

  it('settles a link although many older ones wait for a paused partition', async () => {
    const { linkId, sub } = await link();
    await published();
    const partition = partitionOf(linkKey({ ...integration, sub }), topics.links.partitions);
    const stuck = (partition + 1) % topics.links.partitions;
    await parts.pool.query(
      `INSERT INTO linkage.links (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at,
         version, barrier_outbox_id, barrier_partition, barrier_offset)
       SELECT gen_random_uuid(), $1, $2, 'o', 'stuck-' || n, 'stuck-' || n, 'n', 'linking', now(), 1, -n, $3, 8
       FROM generate_series(1, 1200) AS n`,
      [integration.integrationId, integration.platform, stuck],
    );
    const ends = async () => Array.from({ length: topics.links.partitions }, () => 8n);
    const committed = async () => (await ends()).map((end, each) => (each === stuck ? end - 1n : end));
    const registry = new Registry();
    const kafka = { ends, knownEnds: ends, committed };
    const other = new LinkReadiness(parts.pool, kafka, parts.logger, registry, new PartnerActivity(), groups);
    expect((await other.round()).map((settled) => settled.linkId)).toEqual([linkId]);
    expect(await registry.metrics()).toContain('linkage_links_pending 1200');
  });

  it('returns false after the timeout although the clock is set back meanwhile', async () => {
    const { linkId } = await link();
    const startedMs = performance.now();
    const waiting = barrier.untilReady(queryable(parts.pool), linkId, 200);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    setTimeout(() => clock.mockRestore(), 3_000);
    expect(await waiting).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(2_500);
    clock.mockRestore();
  });
});

/** A group member without automatic commits. */
async function viewOf(consumer: Consumer): Promise<Consumer> {
  await consumer.connect();
  await consumer.subscribe({ topic: topics.links.name });
  const joined = new Promise<void>((resolve) => consumer.on(consumer.events.GROUP_JOIN, () => resolve()));
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async () => undefined });
  await joined;
  return consumer;
}
