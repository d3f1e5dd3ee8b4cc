import { INestMicroservice } from '@nestjs/common';
import { UserEventData, userEventRecordId } from '@podium/messages';
import { PeriodicTask } from '@podium/runtime/app';
import { GroupPositions } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, dataSourceOptions, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import * as fc from 'fast-check';
import { DataSource } from 'typeorm';
import { migrations, schema } from '../../../engagement/src/migrations';
import { ReplayFence, StalePositionsError } from '../../../engagement/src/operations/replay/replay-fence';
import { watchReplays } from '../../../engagement/src/operations/replay/watch-replays';
import {
  ApplyParts,
  Definition,
  DefinitionsStore,
  EngagementMetrics,
  LiveDefinitions,
  PositionsStore,
  applyBatch,
  backgroundWork,
  sourceOf,
} from '../../../engagement/test/applying-events';
import { leadingRelay } from '../../../engagement/test/leading-relay';
import { OwnTopics, until } from '../../../engagement/test/own-topics';
import { anyEvent, endedTask, linkedAt, nowS, segments, users } from '../../test/replay-definitions';
import {
  publishDefinitions,
  readDerived,
  readMemberships,
  readOccurrences,
  readRecords,
  readRows,
} from '../../test/replay-state.queries';
import { expectRecomputed } from '../../test/expect-recomputed';
import { runPodium } from '../podium';

const topics = new OwnTopics({ events: 3, links: 2 });
const { kafka, logger, events } = topics;
jest.setTimeout(180_000);

interface Instance {
  readonly apps: readonly INestMicroservice[];
  readonly work: readonly PeriodicTask[];
  readonly pool: Pool;
  readonly dataSource: DataSource;
}

describe('replays of engagement', () => {
  const broker = new GroupPositions(kafka, logger);
  const sent: UserEventData[] = [];
  let instances: Instance[] = [];
  let database: FreshDatabase;
  let pool: Pool;
  let leader: Awaited<ReturnType<typeof leadingRelay>>;
  let countsFromMs: number;

  beforeAll(async () => {
    await topics.create();
    database = await freshDatabase({ schema, migrations });
    pool = newPool();
    leader = await leadingRelay(pool);
    await Promise.all(users.map(sendLink));
    instances = [await start(), await start()];
    await send([0, 1, 2, 3].map((index) => event({ id: `early-${index}`, createdAt: nowS - 60, receivedAt: 1 })));
    await until(caughtUp, 'events from before the definitions are applied');
    countsFromMs = await publishDefinitions(pool);
    await send(withIds(fc.sample(anyEvent, { numRuns: 150, seed: 7 })));
    await send(others());
    await until(caughtUp, 'all events are applied');
    await pool.query(
      `UPDATE engagement.definitions SET state = 'ended', ended_at = now() - interval '30 days' WHERE definition_id = $1`,
      [endedTask],
    );
    await pool.query('DELETE FROM engagement.definition_sweeps WHERE definition_id = $1', [endedTask]);
    await pool.query('UPDATE engagement.definition_epoch SET epoch = epoch + 1');
    await until(settled, 'all that is due is settled');
  });

  afterAll(async () => {
    await stopAll();
    leader.release();
    await broker.close();
    await topics.remove();
    await pool.end();
    await database.drop();
  });

  it('a rebuild gives the same store, state and memberships; nothing is paid or published again', async () => {
    expectOracle(await memberships(), await occurrences());
    // Stored due times are lower bounds; an evaluation of all that is due makes them exact, as a rebuild does.
    await pool.query('UPDATE engagement.due_times SET due_at = 0');
    await until(settled, 'all due times are evaluated');
    const before = { derived: await derived(), records: await records() };
    expect(before.derived.histories).not.toEqual([]);
    expect(before.records.awards.length).toBeGreaterThan(50);

    const dry = await run('replay engagement --rebuild --dry-run');
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(await list()).toEqual([]);
    const ordered = await run('replay engagement --rebuild --by spec');
    expect(ordered).toMatchObject({ code: 0, err: '' });
    await until(settled, 'the rebuild is finished');

    expect(await list()).toMatchObject([
      { kind: 'rebuild', ordered_by: 'spec', remaining: 0, finished_at: expect.any(String) as string },
    ]);
    expect(await derived()).toEqual(before.derived);
    expect(await records()).toEqual(before.records);
  });

  it('a rebuild repairs wrong state, publishes only differences, and includes live events', async () => {
    const good = { derived: await derived(), records: await records() };
    const [{ told }] = await rows<{ told: number }>('SELECT count(*) AS told FROM engagement.outbox');
    await pool.query(`DELETE FROM engagement.event_histories WHERE name = 'deposit'`);
    await pool.query(`DELETE FROM engagement.events WHERE name = 'kyc'`);
    // The second has no relevant event, so only the check of all users finds it.
    const wrong = { 'user-0': Object.keys(segments)[0], 'user-7': Object.keys(segments)[1] };
    for (const [userId, segmentId] of Object.entries(wrong)) {
      const { rowCount } = await pool.query(
        `UPDATE engagement.memberships SET member = NOT member
         WHERE segment_id = $1 AND user_ref = (SELECT user_ref FROM engagement.users WHERE user_id = $2)`,
        [segmentId, userId],
      );
      expect(rowCount).toBe(1);
    }

    expect(await run('replay engagement --rebuild')).toMatchObject({ code: 0 });
    const live = Array.from({ length: 20 }, (_, index) =>
      event({ id: `live-${index}`, userId: users[index % 8], createdAt: nowS, receivedAt: Date.now(), amount: '0' }),
    );
    await send(live);
    await until(settled, 'the rebuild is finished and the live events are applied');

    expectOracle(await memberships(), await occurrences());
    const after = { derived: await derived(), records: await records() };
    expect(after.derived.inbox.length).toBe(good.derived.inbox.length + live.length);
    expect(after.records.entries.length).toBe(good.records.entries.length + live.length);
    expect(after.derived.events.filter(({ name }) => name === 'kyc')).toEqual(
      good.derived.events.filter(({ name }) => name === 'kyc'),
    );
    const told2 = await rows<{ type: string; data: string }>(
      'SELECT type, data FROM engagement.outbox ORDER BY id OFFSET $1',
      [told],
    );
    const changes = told2
      .filter(({ type }) => type === 'engagement.segment-membership.changed')
      .map(({ data }) => JSON.parse(data) as { user_id: string; segment_id: string });
    const repaired = changes.filter(
      ({ user_id, segment_id }) => (wrong as Record<string, string>)[user_id] === segment_id,
    );
    expect(repaired).toHaveLength(2);
    const gained = after.derived.memberships.length - good.derived.memberships.length;
    expect(changes).toHaveLength(gained + 2);
  });

  it('refuses a batch that was read before the replay, and applies nothing of it', async () => {
    const fence = new ReplayFence();
    await fence.arm(queryable(pool));
    const store = new LiveDefinitions(sourceOf([]));
    const parts = new ApplyParts(pool, store, Date.now, fence);
    const apply = (id: string, nextOffset: bigint) =>
      applyBatch(parts, {
        topic: 'other',
        partition: 0,
        position: 'any',
        nextOffset,
        events: [{ data: event({ id, createdAt: nowS }) }],
      });
    await apply('in-time', 1n);
    await pool.query(
      `INSERT INTO engagement.replays (kind, topic, ordered_by, finished_at) VALUES ('reread', 't', 's', now())`,
    );
    const inbox = await rows('SELECT count(*) FROM engagement.inbox');
    await expect(apply('late', 2n)).rejects.toThrow(StalePositionsError);
    expect(await rows('SELECT count(*) FROM engagement.inbox')).toEqual(inbox);
    expect(await rows(`SELECT next_offset FROM engagement.positions WHERE topic = 'other'`)).toEqual([
      { next_offset: 1 },
    ]);
    await pool.query(`DELETE FROM engagement.inbox WHERE digest = $1`, [userEventRecordId('acme', 'in-time')]);
    await pool.query(`DELETE FROM engagement.events WHERE event_id = 'in-time'`);
    await pool.query(`DELETE FROM engagement.positions WHERE topic = 'other'`);
  });

  it('re-reading without deleting applies skipped events once, and nothing twice', async () => {
    await stopAll();
    const skipped = event({ id: 'skipped', userId: 'user-1', createdAt: nowS, receivedAt: Date.now() });
    const sentAt = new Date().toISOString();
    const [{ partition, offset }] = await send([skipped]);
    await pool.query('UPDATE engagement.positions SET next_offset = $3 WHERE topic = $1 AND partition = $2', [
      events.name,
      partition,
      String(offset + 1n),
    ]);
    const missing = await run('--json verify engagement');
    expect(missing).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^1 events before the positions are not/) as string,
    });
    expect(JSON.parse(missing.out)).toMatchObject({ only_in_topic: 1, only_in_inbox: 0, unreadable_records: 0 });
    const before = await records();
    instances = [await start()];

    expect((await run(`replay engagement --from-offset ${partition}:${offset + 5n}`)).err).toMatch(/would skip events/);
    expect(await run('replay engagement --from-offset 0:0 --from-offset 1:0')).toMatchObject({ code: 0 });
    await until(settled, 'two partitions are read again');
    expect(await run(`replay engagement --from-time ${sentAt}`)).toMatchObject({ code: 0 });
    await until(settled, 'all are read again from a time on');
    const after = await records();
    expect(after.entries.length).toBe(before.entries.length + 1);
    const whole = await run('--json verify engagement');
    expect(whole).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(whole.out)).toMatchObject({ only_in_topic: 0 });
    expectOracle(await memberships(), await occurrences());
  });

  it('refuses a rebuild that would lose events that the topic no longer has, and deletes nothing', async () => {
    const admin = kafka.admin();
    await admin.connect();
    await admin.fetchTopicOffsets(events.name);
    await admin.deleteTopicRecords({ topic: events.name, partitions: [{ partition: 0, offset: '2' }] });
    await admin.disconnect();
    const before = await derived();
    const count = (await list()).length;
    const refused = await run('replay engagement --rebuild');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/does not reach back far enough: [12] of \d+ events/);
    expect(await derived()).toEqual(before);
    expect(await list()).toHaveLength(count);
  });

  it.each([
    ['replay engagement', /Give one of/],
    ['replay engagement --rebuild --from-time 2026-01-31T12:00:00Z', /Give one of/],
    ['replay engagement --from-time yesterday', /must be a time/],
    ['replay engagement --from-offset 1:1 --from-offset 1:2', /given twice/],
  ])('%s is refused with a remedy', async (args, sentence) => {
    const ended = await run(args);
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(sentence);
  });

  /** Starts an instance of the service on this test's own topics. */
  async function start(): Promise<Instance> {
    const own = newPool();
    const db = queryable(own);
    const dataSource = new DataSource(
      dataSourceOptions({ url: database.url, schema, entities: [Definition], migrations: [] }),
    );
    await dataSource.initialize();
    const fence = new ReplayFence();
    await fence.arm(db);
    const parts = new ApplyParts(own, new LiveDefinitions(new DefinitionsStore(dataSource)), Date.now, fence);
    const sizes = { maxBatchRecords: 20, maxWaitMs: 50, retry: { baseMs: 10, maxMs: 100 } };
    const positions = new PositionsStore(db);
    const eventsServer = await topics.serve(parts, topics.eventsConsumer, { ...sizes, positions });
    const linksServer = await topics.serve(parts, topics.linksConsumer, { ...sizes, positions });
    const work = [
      ...backgroundWork(
        { parts, db, metrics: new EngagementMetrics(new Registry()), logger },
        { duePollMs: 50, retentionPollMs: 60_000 },
      ),
      new PeriodicTask({
        name: 'replays',
        everyMs: 100,
        run: () => watchReplays({ pool: own, db, fence, consumer: eventsServer.server, logger }),
        logger,
      }),
    ];
    for (const each of work) each.start();
    return { apps: [eventsServer.app, linksServer.app], work, pool: own, dataSource };
  }

  async function stopAll(): Promise<void> {
    for (const { apps, work, pool: own, dataSource } of instances.splice(0)) {
      await Promise.all(apps.map((app) => app.close()));
      await Promise.all(work.map((each) => each.stop()));
      await dataSource.destroy();
      await own.end();
    }
  }

  function newPool(): Pool {
    return createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
  }

  function event(given: {
    id: string;
    createdAt: number;
    userId?: string;
    platformUserId?: string;
    name?: string;
    amount?: string;
    status?: string;
    receivedAt?: number;
  }): UserEventData {
    const { amount = '10', status, ...rest } = given;
    const attributes: Record<string, string> = status === undefined ? { amount } : { status };
    const data = userEvent({ userId: 'user-0', receivedAt: countsFromMs, ...rest, attributes });
    return { ...data, linked_at: linkedAt };
  }

  /** Events received before the definitions and applied after them; and one account of two users in sequence. */
  function others(): UserEventData[] {
    return [
      ...users.map((userId, index) =>
        event({ id: `late-${index}`, userId, createdAt: nowS, receivedAt: countsFromMs - 1 }),
      ),
      event({ id: 'shared-1', userId: 'first', platformUserId: 'shared', createdAt: nowS - 3 }),
      event({ id: 'shared-2', userId: 'second', platformUserId: 'shared', createdAt: nowS - 2 }),
      event({ id: 'own', userId: 'second', platformUserId: 'own', createdAt: nowS - 1 }),
    ];
  }

  function withIds(given: { userId: string; name: string; createdAt: number; amount: string; status: string }[]) {
    return given.map(({ amount, status, ...rest }, index) =>
      event({
        ...rest,
        id: `${index % 2 === 0 ? 'Z' : 'a'}${index}`,
        ...(rest.name === 'kyc' ? { status } : { amount }),
      }),
    );
  }

  async function send(list: readonly UserEventData[]): Promise<{ partition: number; offset: bigint }[]> {
    sent.push(...list);
    return Promise.all(list.map((data) => topics.sendEvent(data)));
  }

  function sendLink(userId: string): Promise<void> {
    const link = {
      platform_user_id: `sub-of-${userId}`,
      user_id: userId,
      state: 'ready' as const,
      linked_at: linkedAt,
    };
    return topics.sendLink(link, 1);
  }

  const expectOracle = (members: Set<string>, paid: Map<string, Set<string>>): void =>
    expectRecomputed({ sent, nowS, members, paid });

  const memberships = () => readMemberships(pool);
  const occurrences = () => readOccurrences(pool);
  const derived = () => readDerived(pool);
  const records = () => readRecords(pool);

  async function caughtUp(): Promise<boolean> {
    const stored = new Map(
      (
        await rows<{ partition: number; next_offset: number }>(
          'SELECT partition, next_offset FROM engagement.positions WHERE topic = $1',
          [events.name],
        )
      ).map(({ partition, next_offset }) => [partition, BigInt(next_offset)]),
    );
    return (await broker.ends(events.name)).every((end, partition) => end === 0n || stored.get(partition) === end);
  }

  async function settled(): Promise<boolean> {
    const [waiting] = await rows<{ replays: number; due: number; sweeps: number; untold: number }>(
      `SELECT (SELECT count(*) FROM engagement.replays WHERE finished_at IS NULL) AS replays,
         (SELECT count(*) FROM engagement.due_times JOIN engagement.definitions USING (definition_id)
          WHERE state IN ('published', 'ended') AND due_at <= extract(epoch FROM now())) AS due,
         (SELECT count(*) FROM engagement.definitions LEFT JOIN engagement.definition_sweeps USING (definition_id, version)
          WHERE state IN ('published', 'ended') AND finished_at IS NULL) AS sweeps,
         (SELECT count(*) FROM engagement.told_definitions WHERE NOT is_told) AS untold`,
    );
    return (await caughtUp()) && Object.values(waiting).every((count) => count === 0);
  }

  const rows = <T extends object = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
    readRows<T>(pool, text, values);

  async function list(): Promise<Record<string, unknown>[]> {
    return JSON.parse((await run('--json replay list')).out) as Record<string, unknown>[];
  }

  async function run(args: string): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const code = await runPodium(args.split(' '), {
      env: { KAFKA_BROKERS: topics.brokers.join(','), DATABASE_URL: database.url },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
      topics: topics.rows,
    });
    return { code, out, err };
  }
});
