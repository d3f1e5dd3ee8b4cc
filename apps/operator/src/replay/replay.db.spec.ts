import { INestMicroservice } from '@nestjs/common';
import { UserEventData, userEventRecordId } from '@podium/messages';
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
  RepeatedWork,
  SegmentBody,
  TaskBody,
  applyBatch,
  backgroundWork,
} from '../../../engagement/test/applying-events';
import { OracleEvent, oracleMember, oracleOccurrences } from '../../../engagement/test/oracle';
import { OwnTopics, until } from '../../../engagement/test/own-topics';
import { runPodium } from '../podium';

const topics = new OwnTopics({ events: 3, links: 2 });
const { kafka, logger, events } = topics;
const nowS = Math.floor(Date.now() / 1000);
const linkedAt = nowS - 40 * 86_400;
const users = Array.from({ length: 8 }, (_, index) => `user-${index}`);

jest.setTimeout(180_000);

const types = { deposit: { amount: 'decimal' }, kyc: { status: 'string' } } as const;
const reward = { type: 'points', amount: '1' };
const tasks: Record<string, TaskBody> = {
  '00000000-0000-4000-8000-000000000001': {
    goal: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
    repeat: { every: 1 },
    reward,
  },
  '00000000-0000-4000-8000-000000000002': {
    goal: { sum: { event: 'deposit' }, attribute: 'amount', window: { rolling: 'P7D' }, op: 'gte', value: '100' },
    repeat: { once: true },
    reward,
  },
};
const segments: Record<string, SegmentBody> = {
  '00000000-0000-4000-8000-000000000003': {
    condition: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 3 },
  },
  '00000000-0000-4000-8000-000000000004': {
    condition: { not: { count: { event: 'bet' }, window: { rolling: 'P30D' }, op: 'gte', value: 1 } },
  },
  '00000000-0000-4000-8000-000000000005': {
    condition: { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] },
  },
};
const [everyDeposit] = Object.keys(tasks);
const endedTask = '00000000-0000-4000-8000-000000000009';

interface Instance {
  readonly apps: readonly INestMicroservice[];
  readonly work: readonly RepeatedWork[];
  readonly pool: Pool;
  readonly dataSource: DataSource;
}

describe('replays of engagement', () => {
  const broker = new GroupPositions(kafka, logger);
  const sent: UserEventData[] = [];
  let instances: Instance[] = [];
  let database: FreshDatabase;
  let pool: Pool;
  let countsFromMs: number;

  beforeAll(async () => {
    await topics.create();
    database = await freshDatabase({ schema, migrations });
    pool = newPool();
    await Promise.all(users.map(sendLink));
    instances = [await start(), await start()];
    await send([0, 1, 2, 3].map((index) => event({ id: `early-${index}`, createdAt: nowS - 60, receivedAt: 1 })));
    await until(caughtUp, 'events from before the definitions are applied');
    countsFromMs = await publish();
    await send(withIds(fc.sample(anyEvent, { numRuns: 150, seed: 7 })));
    await send(others());
    await until(caughtUp, 'all events are applied');
    await pool.query(`UPDATE engagement.definitions SET state = 'ended', ended_at = now() WHERE definition_id = $1`, [
      endedTask,
    ]);
    await pool.query('UPDATE engagement.definition_epoch SET epoch = epoch + 1');
    await until(settled, 'all that is due is settled');
  });

  afterAll(async () => {
    await stopAll();
    await broker.close();
    await topics.remove();
    await pool.end();
    await database.drop();
  });

  it('a rebuild gives the same store, state and memberships; nothing is paid or told again', async () => {
    expectOracle(await memberships(), await occurrences());
    const before = { derived: await derived(), records: await records() };
    expect(before.derived.points).not.toEqual([]);
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

  it('a rebuild mends what was wrong, tells only what differs, and takes live events along', async () => {
    const good = { derived: await derived(), records: await records() };
    const [{ told }] = await rows<{ told: number }>('SELECT count(*) AS told FROM engagement.outbox');
    await pool.query(`UPDATE engagement.term_points SET count = 0, sum = 0`);
    await pool.query(`DELETE FROM engagement.events WHERE name = 'kyc'`);
    // The second of them has no event that counts, so that only the look at all users finds it.
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
    const mended = changes.filter(
      ({ user_id, segment_id }) => (wrong as Record<string, string>)[user_id] === segment_id,
    );
    expect(mended).toHaveLength(2);
    const gained = after.derived.memberships.length - good.derived.memberships.length;
    expect(changes).toHaveLength(gained + 2);
  });

  it('refuses a batch that was read before, and everything of it stays away', async () => {
    const fence = new ReplayFence();
    await fence.arm(queryable(pool));
    const store = new LiveDefinitions({ readEpoch: async () => 1, loadPublished: async () => [] });
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

  it('reading again without wiping applies what was left out, once, and nothing twice', async () => {
    await stopAll();
    const skipped = event({ id: 'skipped', userId: 'user-1', createdAt: nowS, receivedAt: Date.now() });
    const sentAt = new Date().toISOString();
    const [{ partition, offset }] = await send([skipped]);
    await pool.query('UPDATE engagement.positions SET next_offset = $3 WHERE topic = $1 AND partition = $2', [
      events.name,
      partition,
      String(offset + 1n),
    ]);
    expect(JSON.parse((await run('--json verify engagement')).out)).toMatchObject({
      only_in_topic: 1,
      only_in_inbox: 0,
      unreadable_records: 0,
    });
    const before = await records();
    instances = [await start()];

    expect((await run(`replay engagement --from-offset ${partition}:${offset + 5n}`)).err).toMatch(/leave events out/);
    expect(await run('replay engagement --from-offset 0:0 --from-offset 1:0')).toMatchObject({ code: 0 });
    await until(settled, 'two partitions are read again');
    expect(await run(`replay engagement --from-time ${sentAt}`)).toMatchObject({ code: 0 });
    await until(settled, 'all are read again from a time on');
    const after = await records();
    expect(after.entries.length).toBe(before.entries.length + 1);
    expect(JSON.parse((await run('--json verify engagement')).out)).toMatchObject({ only_in_topic: 0 });
    expectOracle(await memberships(), await occurrences());
  });

  it('refuses a rebuild that would lose what the topic has no more, and wipes nothing', async () => {
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
    ['replay engagement', /Say one of/],
    ['replay engagement --rebuild --from-time 2030-01-31T12:00:00Z', /Say one of/],
    ['replay engagement --from-time yesterday', /must be a time/],
    ['replay engagement --from-offset 1:1 --from-offset 1:2', /named twice/],
  ])('%s is refused with what to do', async (args, sentence) => {
    const ended = await run(args);
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(sentence);
  });

  /** What an instance of the service does, over topics of this test's own. */
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
      new RepeatedWork({
        name: 'replays',
        pauseMs: 100,
        part: () => watchReplays({ pool: own, db, fence, consumer: eventsServer.server, logger }),
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

  /** Publishes all definitions and returns from when on they count. */
  async function publish(): Promise<number> {
    const all = [
      ...Object.entries({ ...tasks, [endedTask]: tasks[everyDeposit] }).map(
        ([id, body]) => ['task', id, body] as const,
      ),
      ...Object.entries(segments).map(([id, body]) => ['segment', id, body] as const),
    ];
    const at = new Date();
    for (const [kind, id, body] of all)
      await pool.query(
        `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
           attribute_types, state, created_by, created_at, published_at, counts_from)
         VALUES ($1, 1, 1, $2, 'acme', 'organizer-1', 'spec', $3, $4, 'published', 'op', $5, $5, $5)`,
        [id, kind, body, types, at],
      );
    await pool.query('UPDATE engagement.definition_epoch SET epoch = epoch + 1');
    return at.getTime();
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

  /** Received before the definitions and applied after them; and one account of two users, one after the other. */
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

  /** Compares with what a naive recomputation over all that was sent says. */
  function expectOracle(members: Set<string>, paid: Map<string, Set<string>>): void {
    for (const userId of users) {
      const counted = sent
        .filter((each) => each.user_id === userId && each.received_at >= countsFromMs)
        .map(({ event: { id, name, created_at, attributes }, linked_at }): OracleEvent => ({
          id,
          name,
          createdAt: created_at,
          linkedAt: linked_at,
          attributes,
        }));
      for (const [id, body] of Object.entries(segments))
        expect([userId, id, members.has(`${userId}/${id}`)]).toEqual([
          userId,
          id,
          oracleMember({ body, types }, counted, nowS, linkedAt),
        ]);
      for (const [id, body] of Object.entries(tasks))
        expect([userId, id, paid.get(`${userId}/${id}`) ?? new Set()]).toEqual([
          userId,
          id,
          oracleOccurrences({ body, generation: 1, types }, counted, nowS),
        ]);
    }
  }

  async function memberships(): Promise<Set<string>> {
    const found = await rows<{ name: string }>(
      `SELECT user_id || '/' || segment_id AS name FROM engagement.memberships JOIN engagement.users USING (user_ref)
       WHERE member`,
    );
    return new Set(found.map(({ name }) => name));
  }

  async function occurrences(): Promise<Map<string, Set<string>>> {
    const found = await rows<{ name: string; occurrence: string }>(
      `SELECT user_id || '/' || task_id AS name, occurrence FROM engagement.awards`,
    );
    const paid = new Map<string, Set<string>>();
    for (const { name, occurrence } of found) paid.set(name, (paid.get(name) ?? new Set()).add(occurrence));
    return paid;
  }

  async function derived() {
    return {
      inbox: await rows('SELECT digest FROM engagement.inbox ORDER BY 1'),
      events: await rows<{ name: string }>(
        `SELECT user_id, name, month, created_at, event_id, kind, platform_user_id, attributes, contract_version, link_id,
           linked_at, received_at
         FROM engagement.events JOIN engagement.users USING (user_ref) ORDER BY 1, 2, 3, 4, 5`,
      ),
      points: await rows(
        `SELECT user_id, definition_id, generation, term, bucket, count, sum, latest_at, latest_id, latest_holds
         FROM engagement.term_points JOIN engagement.users USING (user_ref) ORDER BY 1, 2, 3, 4, 5`,
      ),
      occurrences: await rows(
        `SELECT user_id, definition_id, settled FROM engagement.task_occurrences JOIN engagement.users USING (user_ref)
         ORDER BY 1, 2`,
      ),
      due: await rows(
        `SELECT user_id, definition_id, due_at FROM engagement.due_times JOIN engagement.users USING (user_ref)
         WHERE definition_id <> $1 ORDER BY 1, 2`,
        [endedTask],
      ),
      memberships: await rows(
        `SELECT user_id, segment_id, segment_version, changed_at, reason FROM engagement.memberships
         JOIN engagement.users USING (user_ref) WHERE member ORDER BY 1, 2`,
      ),
    };
  }

  async function records() {
    return {
      awards: await rows('SELECT * FROM engagement.awards ORDER BY award_id'),
      entries: await rows('SELECT * FROM engagement.ledger_entries ORDER BY award_id, seq'),
      // No relay runs, so that the outbox has all that was ever told.
      outbox: await rows('SELECT id, topic, key, data FROM engagement.outbox ORDER BY id'),
      definitions: await rows('SELECT * FROM engagement.definitions ORDER BY definition_id'),
    };
  }

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
    const [waiting] = await rows<{ replays: number; due: number; sweeps: number }>(
      `SELECT (SELECT count(*) FROM engagement.replays WHERE finished_at IS NULL) AS replays,
         (SELECT count(*) FROM engagement.due_times JOIN engagement.definitions USING (definition_id)
          WHERE state = 'published' AND due_at <= extract(epoch FROM now())) AS due,
         (SELECT count(*) FROM engagement.definitions LEFT JOIN engagement.definition_sweeps USING (definition_id, version)
          WHERE kind = 'segment' AND state = 'published' AND finished_at IS NULL) AS sweeps`,
    );
    return (await caughtUp()) && waiting.replays === 0 && waiting.due === 0 && waiting.sweeps === 0;
  }

  async function rows<T extends object = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await pool.query<T>(text, values)).rows;
  }

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

/** Few users, names and instants, so that ties are common; not near a boundary of a window, which time would move. */
const anyEvent = fc.record({
  userId: fc.constantFrom(...users.slice(0, 6)),
  name: fc.constantFrom('deposit', 'deposit', 'kyc', 'bet'),
  createdAt: fc.oneof(
    fc.integer({ min: nowS - 50, max: nowS }),
    fc.integer({ min: nowS - 5 * 86_400, max: nowS }),
    fc.integer({ min: nowS - 28 * 86_400, max: nowS }),
  ),
  amount: fc.constantFrom('0.1', '12.50', '33.333', 'many'),
  status: fc.constantFrom('passed', 'failed'),
});
