import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow, linkChanged, recordKey, topics } from '@podium/messages';
import { BlackHole, FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { recordsOf } from '@podium/testing/records-of';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { FencedProducer, createKafka, createTopics } from '../kafka';
import { socketFactory } from '../kafka/client/socket-factory';
import { Pool, PoolClient, createPool } from '../postgres';
import { OutboxRelay } from './outbox-relay';
import { outboxTimelineSql } from './outbox-timeline.store';
import { appendOutbox, outboxRecord, outboxTableSql } from './outbox.store';

const logger = pino({ level: 'silent' });
const brokers = [...localStack().kafkaBrokers];

/** Short timeouts, so that leadership is lost easily and often. */
const sessionTimes = { heartbeatMs: 150, idleTimeoutMs: 600, answerTimeoutMs: 500 };

/** Faults and repairs of a relay. */
const strokes = ['pause', 'mute', 'deafen', 'lose Postgres', 'cut off'] as const;

/** An event for one relay, for the outbox or for both relays; or a pause. */
type Step =
  | { readonly do: 'append'; readonly keys: readonly string[] }
  | { readonly do: (typeof strokes)[number]; readonly to: 'leader' | 'other' }
  | { readonly do: 'end the lead' | 'reconnect' | 'continue' }
  | { readonly do: 'wait'; readonly ms: number };

describe('relays that may be paused or disconnected at any time', () => {
  const admin = createKafka({ brokers, clientId: 'spec', logger }).admin();

  beforeAll(() => admin.connect());
  afterAll(() => admin.disconnect());

  async function onStage(work: (on: Stage) => Promise<void>): Promise<void> {
    const topic = freshName('lost-lead');
    await createTopics(admin, [{ topic, numPartitions: 2 }]);
    const stage = await Stage.open({ ...topics.links, name: topic, partitions: 2 } as TopicRow<typeof linkChanged>);
    try {
      await work(stage);
    } finally {
      await stage.close();
      await admin.deleteTopics({ topics: [topic] });
    }
  }

  it(
    'publish nothing older last: a request that was on its way when its lead was lost',
    () =>
      onStage(async (on) => {
        const [first, second] = on.relays;
        first.start();
        await until(() => first.isLeading(), 'the first one leads');
        await on.append(['a']);
        await until(() => on.isEmpty(), 'the outbox is empty');
        first.strike('mute');
        await on.append(['a']);
        await sleep(300);
        first.strike('pause');
        second.start();
        await until(() => second.isLeading(), 'the second one leads');
        await on.append(['a']);
        await until(() => on.isEmpty(), 'the outbox is empty');
        first.reconnect();
        first.continue();
        await sleep(1_500);
        await on.expectNewestLast();
      }),
    120_000,
  );

  it('publish all records, and the newest one last, after any sequence of faults', async () => {
    const append: fc.Arbitrary<Step> = fc.record({
      do: fc.constant('append' as const),
      keys: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 }),
    });
    const stroke = (to: fc.Arbitrary<'leader' | 'other'>, ...of: (typeof strokes)[number][]): fc.Arbitrary<Step> =>
      fc.record({ do: fc.constantFrom(...of), to });
    const wait = (min: number, max: number): fc.Arbitrary<Step> =>
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min, max }) });
    const recovery = fc.constantFrom<Step>({ do: 'continue' }, { do: 'reconnect' }, { do: 'end the lead' });
    const step = fc.oneof(append, stroke(fc.constantFrom('leader', 'other'), ...strokes), wait(0, 300), recovery);
    // A request is in transit, its sender loses its session, another relay leads and publishes, then the request arrives.
    const leader = fc.constant('leader' as const);
    const lostLead = fc.tuple(
      ...[
        stroke(leader, 'mute', 'deafen'),
        append,
        wait(200, 800),
        stroke(leader, 'pause', 'lose Postgres', 'cut off'),
      ],
      ...[fc.option(step, { nil: undefined }), wait(900, 1_500), append, wait(0, 500), recovery, recovery],
    );
    const course = fc.array(fc.oneof(fc.tuple(step), lostLead), { minLength: 2, maxLength: 5 });
    const property = fc.asyncProperty(course, (parts) =>
      onStage(async (on) => {
        for (const each of on.relays) each.start();
        await until(() => on.relays.some((each) => each.isLeading()), 'a relay leads');
        for (const each of parts.flat()) if (each) await on.play(each);
        for (const each of on.relays) {
          each.reconnect();
          each.continue();
        }
        await until(() => on.isEmpty(), 'the outbox is empty');
        // The delayed request arrives now.
        await sleep(500);
        await on.expectNewestLast();
      }),
    );
    // Two at a time, each with its own tables and topic: most of their time is waiting.
    const numRuns = Math.ceil(Number(process.env.LOST_LEAD_RUNS ?? 8) / 2);
    const check = (): Promise<void> => fc.assert(property, { numRuns, endOnFailure: true, verbose: true });
    await Promise.all([check(), check()]);
  }, 600_000);
});

/** An outbox, two relays, and the written rows. */
class Stage {
  private readonly appended = new Map<string, number[]>();

  private constructor(
    private readonly database: FreshDatabase,
    private readonly pool: Pool,
    private readonly row: TopicRow<typeof linkChanged>,
    readonly relays: readonly [FailingRelay, FailingRelay],
  ) {}

  static async open(row: TopicRow<typeof linkChanged>): Promise<Stage> {
    const database = await freshDatabase();
    const pool = createPool({ url: database.url, size: 3, service: 'spec' }, logger, new Registry());
    await pool.query('CREATE SCHEMA linkage');
    for (const statement of [outboxTableSql('linkage'), ...outboxTimelineSql('linkage')]) await pool.query(statement);
    const relays = [await FailingRelay.open(database.url, row), await FailingRelay.open(database.url, row)] as const;
    return new Stage(database, pool, row, relays);
  }

  async append(users: readonly string[]): Promise<void> {
    const ids = await appendOutbox(
      this.pool,
      'linkage',
      users.map((user) => this.link(user)),
    );
    for (const [index, user] of users.entries())
      this.appended.set(user, [...(this.appended.get(user) ?? []), ids[index]]);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.pool.query('SELECT FROM linkage.outbox LIMIT 1')).rowCount === 0;
  }

  async play(step: Step): Promise<void> {
    if (step.do === 'append') return this.append(step.keys);
    if (step.do === 'wait') return sleep(step.ms);
    if (step.do === 'end the lead')
      return void (await this.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      ));
    if (step.do === 'reconnect') return this.relays.forEach((each) => each.reconnect());
    if (step.do === 'continue') return this.relays.forEach((each) => each.continue());
    if (!('to' in step)) return;
    const leader = this.relays[1].isLeading() ? 1 : 0;
    this.relays[step.to === 'leader' ? leader : 1 - leader].strike(step.do);
  }

  /**
   * Every record is in the topic, and the last one of each key is the newest. A record after a newer one is allowed only as
   * part of a repetition: then the newer one is repeated after it.
   */
  async expectNewestLast(): Promise<void> {
    const found = new Map<string, number[]>();
    for (const { value } of await recordsOf(this.row.name)) {
      const { key, revision } = JSON.parse(String(value)) as { key: string; revision: number };
      found.set(key, [...(found.get(key) ?? []), revision]);
    }
    for (const [user, ids] of this.appended) {
      const revisions = found.get(recordKey('p', user)) ?? [];
      expect({ user, all: [...new Set(revisions)].sort((a, b) => a - b) }).toEqual({ user, all: ids });
      expect({ user, late: lateOnes(revisions), revisions }).toEqual({ user, late: [], revisions });
      expect({ user, last: revisions.at(-1), revisions }).toEqual({ user, last: ids.at(-1), revisions });
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.relays.map((each) => each.close()));
    await this.pool.end();
    await this.database.drop();
  }

  private link(user: string) {
    return outboxRecord({
      topic: this.row,
      key: recordKey('p', user),
      definition: linkChanged,
      data: {
        ...{ link_id: user, integration_id: 'i', platform: 'p', platform_user_id: user, user_id: user },
        ...{ organizer_id: 'o', state: 'ready', linked_at: 1 },
      },
    });
  }
}

/** A relay that can be paused at its next await, and whose connections to Postgres and Kafka can be cut. */
class FailingRelay {
  private readonly relay: OutboxRelay;
  private isPaused = false;
  private wake: (() => void)[] = [];

  private constructor(
    private readonly toPostgres: BlackHole,
    private readonly toKafka: BlackHole,
    private readonly pool: Pool,
    row: TopicRow,
  ) {
    const kafka = createKafka({
      ...{ brokers, clientId: 'spec', logger },
      socketFactory: socketFactory(() => ({ host: '127.0.0.1', port: toKafka.port })),
    });
    const registry = new Registry();
    const producer = new FencedProducer(kafka, { logger, registry });
    this.relay = new OutboxRelay({
      ...{ schema: 'linkage', source: 'linkage', topics: [row], logger, registry, sessionTimes, pollMs: 50 },
      fence: { pass: async () => undefined },
      pool: { connect: () => this.atAwait(async () => this.failing(await pool.connect())) } as unknown as Pool,
      producer: {
        claim: (name) => this.atAwait(() => producer.claim(name)),
        send: (records, options) => this.atAwait(() => producer.send(records, options)),
        isClaimed: () => producer.isClaimed(),
        release: () => producer.release(),
      },
    });
  }

  static async open(databaseUrl: string, row: TopicRow): Promise<FailingRelay> {
    const toPostgres = await BlackHole.before(databaseUrl);
    const toKafka = await BlackHole.before(`tcp://${brokers[0]}`);
    const url = toPostgres.urlOf(databaseUrl);
    const pool = createPool({ url, size: 2, service: 'spec', answerTimeoutMs: 2_000 }, logger, new Registry());
    return new FailingRelay(toPostgres, toKafka, pool, row);
  }

  start(): void {
    this.relay.start();
  }

  isLeading(): boolean {
    return this.relay.isLeading();
  }

  strike(stroke: (typeof strokes)[number]): void {
    // Like SIGSTOP, but at the next await.
    if (stroke === 'pause') this.isPaused = true;
    // Requests to Kafka and its responses stay in transit until the connection is restored.
    if (stroke === 'mute') this.toKafka.stall('client');
    if (stroke === 'deafen') this.toKafka.stall('server');
    if (stroke === 'cut off') this.toKafka.stall();
    if (stroke === 'cut off' || stroke === 'lose Postgres') this.toPostgres.stall();
  }

  continue(): void {
    this.isPaused = false;
    for (const go of this.wake.splice(0)) go();
  }

  reconnect(): void {
    this.toKafka.resume();
    this.toPostgres.resume();
  }

  async close(): Promise<void> {
    this.reconnect();
    this.continue();
    await this.relay.stop();
    await this.pool.end();
    await Promise.all([this.toPostgres.close(), this.toKafka.close()]);
  }

  private async atAwait<T>(work: () => Promise<T>): Promise<T> {
    await this.whilePaused();
    try {
      return await work();
    } finally {
      await this.whilePaused();
    }
  }

  private async whilePaused(): Promise<void> {
    while (this.isPaused) await new Promise<void>((resolve) => this.wake.push(resolve));
  }

  private failing(client: PoolClient): PoolClient {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    client.query = ((...args: unknown[]) => this.atAwait(() => query(...args))) as typeof client.query;
    return client;
  }
}

/** Revisions that follow a newer one which is not repeated after them. */
function lateOnes(revisions: readonly number[]): number[] {
  let newest = 0;
  return revisions.filter((revision, index) => {
    newest = Math.max(newest, revision);
    return !revisions.includes(newest, index);
  });
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + 60_000; !(await condition()); await sleep(20))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}
