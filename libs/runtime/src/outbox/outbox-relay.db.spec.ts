import { linkChanged, recordKey, TopicRow, topics } from '@podium/messages';
import { BlackHole, FreshDatabase, freshDatabase } from '@podium/testing';
import { Pool } from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import {
  OutcomeUnknownError,
  OutgoingRecord,
  PartitionFailedError,
  PartlySentError,
  ProducerFencedError,
  RecordPlace,
  RecordRefusedError,
  TopicUnavailableError,
  partitionOf,
} from '../kafka';
import { createPool } from '../postgres';
import { Queryable } from '../postgres/queryable';
import { appendOutbox, isTopicPublished, OutboxRecord, outboxRecord, outboxTableSql } from './outbox.store';
import { OutboxGauges } from './outbox-gauges';
import { OutboxRelay, OutboxRelayOptions } from './outbox-relay';
import { outboxTimelineSql } from './outbox-timeline.store';

const logger = pino({ level: 'silent' });

interface Sent {
  key: string;
  revision: number;
  id: string;
  occurred_at: number;
  /** The revision of a tombstone. */
  headers?: OutgoingRecord['headers'];
}

/** What the test observes of a record without a value. */
const tombstone = { revision: 0, id: '', occurred_at: 0 };

/** Accepts records like the producer; tests can make it fail. */
class Broker {
  readonly sent: Sent[] = [];
  readonly requests: number[] = [];
  /** How its rules were broken; the relay takes a throw here for a failure of Kafka and sends again. */
  readonly broken: string[] = [];
  fail: (record: Sent) => Error | undefined = () => undefined;
  canClaim: () => boolean = () => true;
  /** The number of a partition that cannot be written. */
  stuck: number | undefined;
  /** The name of a topic that is missing. */
  missing: string | undefined;
  private claimed = false;

  async claim(): Promise<void> {
    if (!this.canClaim()) throw new Error('Kafka is unavailable');
    this.claimed = true;
  }

  isClaimed(): boolean {
    return this.claimed;
  }

  release(): void {
    this.claimed = false;
  }

  async send(batch: readonly OutgoingRecord[]): Promise<RecordPlace[]> {
    if (!this.claimed) this.broken.push('a request without a claim');
    const records = batch.map(({ key, value, headers }) =>
      value === null ? { ...tombstone, key: String(key), headers } : (JSON.parse(String(value)) as Sent),
    );
    this.requests.push(records.length);
    for (const record of records) {
      const error = this.fail(record);
      if (!error) continue;
      this.claimed = false;
      throw error;
    }
    if (batch.some(({ topic }) => topic.name === this.missing)) {
      this.claimed = false;
      throw new TopicUnavailableError('UNKNOWN_TOPIC_OR_PARTITION');
    }
    const isStuck = batch.map(({ topic, key }) => partitionOf(String(key), topic.partitions) === this.stuck);
    if (isStuck.includes(true)) {
      this.claimed = false;
      this.sent.push(...records.filter((_, index) => !isStuck[index]));
      const failure = new PartitionFailedError('links/1', 'NOT_ENOUGH_REPLICAS');
      throw new PartlySentError(isStuck.map((stuck) => (stuck ? failure : { partition: 0, offset: 0n })));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (const [index, { key }] of records.entries())
      if (key !== batch[index].key) this.broken.push(`an envelope of ${key} with the key ${String(batch[index].key)}`);
    this.sent.push(...records);
    return batch.map((_, index) => ({ partition: 0, offset: BigInt(this.sent.length - batch.length + index) }));
  }
}

async function until(condition: () => boolean | Promise<boolean>, what: string, withinMs = 8_000): Promise<void> {
  for (const endMs = Date.now() + withinMs; !(await condition()); await new Promise((wait) => setTimeout(wait, 5)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}

describe('OutboxRelay', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let broker: Broker;
  const relays: OutboxRelay[] = [];

  const link = (user: string): OutboxRecord =>
    outboxRecord({
      topic: topics.links as TopicRow<typeof linkChanged>,
      key: recordKey('p', user),
      definition: linkChanged,
      data: {
        link_id: user,
        integration_id: 'i',
        platform: 'p',
        platform_user_id: user,
        user_id: user,
        organizer_id: 'o',
        state: 'ready',
        linked_at: 1,
      },
    });
  const append = (...users: string[]) => appendOutbox(pool as Queryable, 'linkage', users.map(link));
  const isEmpty = async (): Promise<boolean> =>
    (await pool.query<{ rows: string }>('SELECT count(*) AS rows FROM linkage.outbox')).rows[0].rows === '0';

  function relay(options: Partial<OutboxRelayOptions> = {}): OutboxRelay {
    const made = new OutboxRelay({
      pool,
      schema: 'linkage',
      source: 'linkage',
      producer: broker,
      fence: { pass: async () => undefined },
      topics: [topics.links],
      logger,
      registry: new Registry(),
      ...options,
    });
    relays.push(made);
    made.start();
    return made;
  }

  beforeAll(async () => {
    database = await freshDatabase();
    pool = new Pool({ connectionString: database.url, max: 8 });
    pool.on('error', () => undefined);
    await pool.query('CREATE SCHEMA linkage');
    await pool.query(outboxTableSql('linkage'));
    for (const statement of outboxTimelineSql('linkage')) await pool.query(statement);
  });

  beforeEach(() => {
    broker = new Broker();
  });

  afterEach(async () => {
    await Promise.all(relays.splice(0).map((each) => each.stop()));
    await pool.query('DELETE FROM linkage.outbox');
    expect(broker.broken).toEqual([]);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('announces to writers which topics it publishes, while it leads', async () => {
    const isPublished = (topic: TopicRow) => isTopicPublished(pool as Queryable, 'linkage', topic);
    expect(await isPublished(topics.links)).toBe(false);
    const leader = relay();
    await until(() => leader.isLeading(), 'it leads');
    expect([await isPublished(topics.links), await isPublished(topics.apiKeys)]).toEqual([true, false]);
    await leader.stop();
    await until(async () => !(await isPublished(topics.links)), 'the announcement has ended');
  });

  it('publishes in id order with the id as revision, and deletes what is published', async () => {
    const users = Array.from({ length: 1_200 }, (_, index) => `u${index % 7}`);
    const ids = await append(...users);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const published: number[] = [];
    const named = new Set<string>();
    relay({
      onPublished: (page, names) => {
        published.push(...page);
        names.forEach((name) => named.add(name));
      },
    });
    await until(isEmpty, 'the outbox is empty');
    expect(broker.sent.map(({ revision }) => revision)).toEqual(ids);
    expect(broker.sent.map(({ key }) => key)).toEqual(users.map((user) => recordKey('p', user)));
    await until(() => published.length >= ids.length, 'all are published');
    expect(published).toEqual(ids);
    expect([...named]).toEqual([topics.links.name]);
    expect(broker.sent[0].id).toBe(`linkage-${ids[0]}`);
    expect(Math.abs(broker.sent[0].occurred_at - Date.now())).toBeLessThan(10_000);
  });

  it('publishes a tombstone with its revision in a header, because it has no value', async () => {
    const removed = { topic: topics.links as TopicRow, key: recordKey('p', 'a'), tombstone: true } as const;
    const [id] = await appendOutbox(pool as Queryable, 'linkage', [removed]);
    relay();
    await until(isEmpty, 'the outbox is empty');
    expect(broker.sent).toMatchObject([{ key: removed.key, headers: { revision: `${id}` } }]);
  });

  it('is woken by the commit: each single row is sent without the poll', async () => {
    const leader = relay({ pollMs: 60_000 });
    await until(() => leader.isLeading(), 'it leads');
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let turn = 1; turn <= 20; turn++) {
      await append('lone');
      await until(() => broker.sent.length === turn, 'the row is sent');
      await until(isEmpty, 'the outbox is empty');
    }
  });

  it('refuses data that violates the schema, inside the transaction', async () => {
    const wrong = { ...link('u'), data: { link_id: 1 } } as unknown as OutboxRecord;
    await expect(appendOutbox(pool as Queryable, 'linkage', [wrong])).rejects.toThrow(TypeError);
    expect(await isEmpty()).toBe(true);
  });

  it('continues after an outage of Kafka without loss or reordering', async () => {
    let away = true;
    broker.fail = () => (away ? new OutcomeUnknownError() : undefined);
    broker.canClaim = () => !away || broker.requests.length === 0;
    const registry = new Registry();
    const gauges = new OutboxGauges({ pool, schema: 'linkage', logger, registry, everyMs: 20 });
    const oldestAgeSeconds = async (): Promise<number> =>
      (await registry.getSingleMetric('outbox_oldest_age_seconds')!.get()).values[0].value;
    gauges.start();
    relay();
    const ids = await append('a', 'a', 'b');
    await until(async () => (await oldestAgeSeconds()) > 0.3, 'the oldest row is old');
    expect(broker.sent).toEqual([]);
    away = false;
    await until(isEmpty, 'the outbox is empty');
    expect(broker.sent.map(({ revision }) => revision)).toEqual(ids);
    await until(async () => (await oldestAgeSeconds()) === 0, 'the age is that of an empty outbox');
    await gauges.stop();
  });

  it('publishes the other partitions while one cannot be written, then its rows in order', async () => {
    const partition = (user: string): number => partitionOf(recordKey('p', user), topics.links.partitions);
    const other = ['b', 'c', 'd'].find((user) => partition(user) !== partition('a'))!;
    broker.stuck = partition('a');
    const [a1, b1, a2] = await append('a', other, 'a');
    relay();
    const [b2, a3, b3] = await append(other, 'a', other);
    const revisions = (): number[] => broker.sent.map(({ revision }) => revision);
    await until(() => revisions().length === 3, 'the others are sent');
    expect(revisions()).toEqual([b1, b2, b3]);
    expect(broker.requests.length).toBeLessThan(12);
    broker.stuck = undefined;
    await until(isEmpty, 'the outbox is empty');
    expect(revisions()).toEqual([b1, b2, b3, a1, a2, a3]);
  });

  it('publishes the other topics while one is missing', async () => {
    const rows = [topics.apiKeys, topics.links].map((topic) => ({ topic: topic as TopicRow, key: 'k' }));
    broker.missing = topics.apiKeys.name;
    await appendOutbox(
      pool as Queryable,
      'linkage',
      rows.map((each) => ({ ...each, tombstone: true as const })),
    );
    relay({ topics: rows.map(({ topic }) => topic) });
    await until(() => broker.sent.length === 1, 'the other is sent');
    broker.missing = undefined;
    await until(isEmpty, 'the outbox is empty');
    expect(broker.sent).toHaveLength(2);
  });

  it('skips a refused row without delaying the others', async () => {
    const [, refused] = await append('a', 'b', 'c');
    broker.fail = ({ revision }) => (revision === refused ? new RecordRefusedError('MESSAGE_TOO_LARGE') : undefined);
    relay();
    await until(() => broker.sent.length === 2, 'the others are sent');
    await append('d');
    await until(() => broker.sent.length === 3, 'later ones are sent');
    expect(await isEmpty()).toBe(false);
  });

  it('finds a refused row among many in few requests', async () => {
    const ids = await append(...Array.from({ length: 300 }, (_, index) => `u${index}`));
    broker.fail = ({ revision }) => (revision === ids[217] ? new RecordRefusedError('MESSAGE_TOO_LARGE') : undefined);
    relay();
    await until(() => broker.sent.length === 299, 'the others are sent');
    expect(broker.sent.map(({ revision }) => revision)).toEqual(ids.filter((id) => id !== ids[217]));
    expect(broker.requests.length).toBeLessThan(60);
  });

  it('publishes a newer row of a compacted topic in place of a refused one', async () => {
    const [refused, newer, other] = await append('a', 'a', 'b');
    broker.fail = ({ revision }) => (revision === refused ? new RecordRefusedError('MESSAGE_TOO_LARGE') : undefined);
    relay();
    await until(isEmpty, 'the outbox is empty');
    expect(broker.sent.map(({ revision }) => revision)).toEqual([newer, other]);
  });

  it('holds back rows after a refused row of their key where every record counts', async () => {
    const every = { ...topics.links, retention: { kind: 'forever' } } as typeof topics.links;
    const [refused, , other] = await append('a', 'a', 'b');
    let isRefusing = true;
    broker.fail = ({ revision }) =>
      isRefusing && revision === refused ? new RecordRefusedError('MESSAGE_TOO_LARGE') : undefined;
    relay({ topics: [every] });
    await until(() => broker.sent.length === 1, 'the other is sent');
    isRefusing = false;
    const [later] = await append('b');
    await until(() => broker.sent.length === 2, 'later ones are sent');
    expect(broker.sent.map(({ revision }) => revision)).toEqual([other, later]);
    expect(await isEmpty()).toBe(false);
  });

  it('gives up leadership when another process has claimed its name', async () => {
    let isFenced = true;
    broker.fail = () => (isFenced ? new ProducerFencedError() : undefined);
    const fenced = relay();
    await append('a');
    await until(() => broker.requests.length > 0, 'it has tried');
    await until(() => !fenced.isLeading(), 'it leads no more');
    isFenced = false;
    await until(isEmpty, 'a relay leads again');
  });

  it('repeats and never loses records when the process dies between send and delete', async () => {
    let dying = true;
    const dyingPool = {
      connect: async () => {
        const client = await pool.connect();
        const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
        client.query = ((...args: unknown[]) => {
          if (dying && String(args[0]).includes('DELETE')) {
            dying = false;
            return Promise.reject(new Error('killed'));
          }
          return query(...args);
        }) as typeof client.query;
        return client;
      },
    } as unknown as Pool;
    relay({ pool: dyingPool });
    const ids = await append('a', 'b');
    await until(isEmpty, 'the outbox is empty');
    expect(broker.sent.map(({ revision }) => revision)).toEqual([...ids, ...ids]);
  });

  it('elects one relay, and another one when its connection is lost', async () => {
    const both = [relay(), relay()];
    await until(() => both.filter((each) => each.isLeading()).length === 1, 'one leads');
    await append('a');
    await until(isEmpty, 'the outbox is empty');
    expect(broker.sent).toHaveLength(1);
    const first = both.find((each) => each.isLeading())!;
    const second = both.find((each) => each !== first)!;
    await first.stop();
    await until(() => second.isLeading(), 'the other one leads');
    const { rowCount } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM (
         SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory'
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS leaders`,
    );
    expect(rowCount).toBe(1);
    await append('b');
    await until(isEmpty, 'it leads again and publishes');
    expect(broker.sent).toHaveLength(2);
  });

  it('elects another relay within 30 s after the leader has vanished without closing its connection', async () => {
    const way = await BlackHole.before(database.url);
    const url = way.urlOf(database.url);
    const vanishing = createPool({ url, size: 2, service: 'spec' }, logger, new Registry());
    try {
      const leader = relay({ pool: vanishing });
      await until(() => leader.isLeading(), 'it leads');
      const follower = relay();
      way.stall();
      // Each commit notifies the session of the vanished leader, which must not keep it alive.
      const writing = setInterval(() => void append('a'), 100);
      await until(() => follower.isLeading(), 'the other one leads', 30_000).finally(() => clearInterval(writing));
      await until(isEmpty, 'it publishes');
      await until(() => !leader.isLeading(), 'the first one knows', 30_000);
    } finally {
      await Promise.all(relays.splice(0).map((each) => each.stop()));
      await vanishing.end();
      await way.close();
    }
  }, 90_000);
});
