import { LinkData, TopicRow, linkChanged, recordKey, topics } from '@podium/messages';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { FencedProducer, GroupPositions, createKafka, ensureTopics, tombstoneHeaders } from '../kafka';
import { Pool, createPool, failureKindOf, inTransaction, queryable } from '../postgres';
import { OutboxFence, OutboxFenceOptions } from './outbox-failover-fence';
import { OutboxGauges } from './outbox-gauges';
import { OutboxRelay } from './outbox-relay';
import { OutboxTimelineStore, outboxTimelineSql } from './outbox-timeline.store';
import { appendOutbox, outboxRecord, outboxTableSql } from './outbox.store';
import { PublishedRecord, readPublishedSince } from './published-since';
import { reconcileOutbox } from './reconcile-after-failover';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const schema = 'linkage';

jest.setTimeout(120_000);

describe("an outbox after a change of Postgres' timeline", () => {
  const positions = new GroupPositions(kafka, logger);
  const timelines = new OutboxTimelineStore(schema);
  let links: TopicRow<typeof linkChanged>;
  let database: FreshDatabase;
  let pool: Pool;
  let relays: OutboxRelay[];

  beforeEach(async () => {
    relays = [];
    links = { ...topics.links, name: freshName('links'), partitions: 2, consumers: [] };
    await ensureTopics(kafka, [links] as TopicRow[], { replicationFactor: 1, minInsyncReplicas: 1 });
    database = await freshDatabase();
    pool = createPool({ url: database.url, size: 6, service: 'spec' }, logger, new Registry());
    await pool.query(`CREATE SCHEMA ${schema}`);
    for (const statement of [outboxTableSql(schema), ...outboxTimelineSql(schema)]) await pool.query(statement);
  });

  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await pool.end();
    await database.drop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [links.name] });
    await admin.disconnect();
  });

  afterAll(() => positions.close());

  it('refuses every row, as if Postgres were unavailable, and draws no revision', async () => {
    const [first] = await append('a');
    await moveToOtherTimeline();
    const failure = await append('b').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '57PT1', message: expect.stringContaining('podium failover status') });
    expect(failureKindOf(failure)).toBe('outage');
    await expect(timelines.require(queryable(pool))).rejects.toMatchObject({ code: '57PT1' });
    expect(await reconcile()).toEqual({ lost: [], admitted: true });
    expect(await append('c')).toEqual([first + 1]);
  });

  it('reopens by itself when all published commits exist; repeated rows are not published again', async () => {
    publishAll();
    const [published, waiting] = await append('a', 'b');
    await emptied();
    await stopRelays();
    // The deletion of both rows is lost, and only the first one had been published.
    await insertAgain(published, 'a');
    await insertAgain(waiting + 1, 'b');
    await forgetPositions();
    await moveToOtherTimeline();
    expect(await reconcile()).toMatchObject({ lost: [{ revision: waiting }], admitted: false });
    await insertAgain(waiting, 'b');
    expect(await reconcile()).toEqual({ lost: [], admitted: true });
    expect(await idsInOutbox()).toEqual([waiting + 1]);
  });

  it('continues above the published revisions once lost commits are repaired, and not before', async () => {
    publishAll();
    await append('a');
    await emptied();
    const places = await timelines.publishedUpTo(queryable(pool));
    const sequence = await lastDrawn();
    // More than the sequence pre-allocates in the log: the promoted standby draws these numbers again.
    const lostIds = await append(...Array.from({ length: 50 }, (_, at) => `lost-${at % 5}`));
    await emptied();
    await stopRelays();
    await timelines.setPublishedUpTo(queryable(pool), places);
    await pool.query(`SELECT setval('linkage.outbox_id_seq', $1)`, [sequence]);
    await moveToOtherTimeline();

    const { lost, admitted } = await reconcile();
    expect(admitted).toBe(false);
    expect(revisionsOf(lost)).toEqual(lostIds);
    await expect(append('b')).rejects.toMatchObject({ code: '57PT1' });
    const fenced = publishAll();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(fenced.isLeading()).toBe(false);

    let repaired: number[] = [];
    await reconcile(async (tx, records) => {
      repaired = revisionsOf(records);
      await appendOutbox(tx, schema, [link('repaired')]);
    });
    expect(repaired).toEqual(lostIds);
    const [next] = await append('next');
    await emptied();
    expect(next).toBe(Math.max(...lostIds) + 2);
    const { records } = await readPublishedSince({ kafka, positions, topics: [links] as TopicRow[], logger }, []);
    expect(
      records
        .filter(({ revision }) => revision > Math.max(...lostIds))
        .map(({ key }) => key)
        .sort(),
    ).toEqual([recordKey('acme', 'next'), recordKey('acme', 'repaired')].sort());
  });

  it('compares however many records were published since', async () => {
    const count = 150_000;
    publishAll();
    const [published] = await append('a');
    await emptied();
    await stopRelays();
    const producer = kafka.producer();
    await producer.connect();
    for (let first = 0; first < count; first += 25_000) {
      const messages = Array.from({ length: 25_000 }, (_, at) => ({
        ...{ key: 'acme|gone', value: null, headers: tombstoneHeaders(published + first + at + 1) },
      }));
      await producer.send({ topic: links.name, messages });
    }
    await producer.disconnect();
    await moveToOtherTimeline();
    const repair = jest.fn(async () => undefined);
    const { lost, admitted } = await reconcile(repair);
    expect([lost.length, admitted, repair.mock.calls.length]).toEqual([count, true, 1]);
    expect(await append('next')).toEqual([published + count + 1]);
  }, 300_000);

  it('stays closed when the repair fails, and rolls the repair back', async () => {
    publishAll();
    await append('a');
    await emptied();
    await stopRelays();
    await forgetPositions();
    await moveToOtherTimeline();
    await expect(
      reconcile(async (tx) => {
        await appendOutbox(tx, schema, [link('repaired')]);
        throw new Error('the repair failed');
      }),
    ).rejects.toThrow('the repair failed');
    expect(await idsInOutbox()).toEqual([]);
    expect(await timelines.isKnown(queryable(pool))).toBe(false);
  });

  it('is shown as closed by every instance, until any of them has opened it', async () => {
    publishAll();
    await append('a');
    await emptied();
    await stopRelays();
    const registry = new Registry();
    const gauges = new OutboxGauges({ pool, schema, logger, registry, everyMs: 10 });
    const closedSeconds = async (): Promise<number> =>
      (await registry.getSingleMetric('outbox_closed_seconds')!.get()).values[0].value;
    const until = async (isReached: (seconds: number) => boolean): Promise<void> => {
      while (!isReached(await closedSeconds())) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    gauges.start();
    await moveToOtherTimeline();
    await until((seconds) => seconds > 0.2);
    const lost = AbortSignal.timeout(20);
    await expect(new OutboxFence(options()).pass(queryable(pool), lost)).rejects.toThrow();
    const { admitted } = await reconcile();
    await until((seconds) => seconds === 0);
    await gauges.stop();
    expect([admitted, await closedSeconds()]).toEqual([true, 0]);
  });

  it('learns what a release without positions has published once a relay leads', async () => {
    publishAll();
    await append('a', 'b', 'c');
    await emptied();
    await stopRelays();
    await forgetPositions();
    const relay = publishAll();
    while (!relay.isLeading()) await new Promise((resolve) => setTimeout(resolve, 20));
    await stopRelays();
    await moveToOtherTimeline();
    expect(await reconcile()).toEqual({ lost: [], admitted: true });
  });

  it('does not wait for a topic that is missing: a relay leads on a known timeline, and its positions stay', async () => {
    publishAll();
    await append('a', 'b', 'c');
    await emptied();
    await stopRelays();
    const known = await timelines.publishedUpTo(queryable(pool));
    const missing = { topic: freshName('missing'), partition: 0, nextOffset: 7n };
    await timelines.setPublishedUpTo(queryable(pool), [
      missing,
      ...known.map((place) => ({ ...place, nextOffset: 0n })),
    ]);
    const rows = [{ ...links, name: missing.topic }, links] as TopicRow[];
    await new OutboxFence({ ...options(), topics: rows }).pass(queryable(pool), AbortSignal.timeout(10_000));
    const places = await timelines.publishedUpTo(queryable(pool));
    expect(places).toEqual(expect.arrayContaining([missing, ...known]));
    expect(places).toHaveLength(1 + links.partitions);
  });

  function options(): OutboxFenceOptions {
    return {
      ...{ pool, schema, kafka, positions, logger, topics: [links] as TopicRow[] },
      ...{ settleMs: 50, pollMs: 50 },
    };
  }

  function reconcile(repair?: OutboxFenceOptions['repair']) {
    return reconcileOutbox(options(), repair);
  }

  function publishAll(): OutboxRelay {
    const registry = new Registry();
    const rows = [links] as TopicRow[];
    const relay = new OutboxRelay({
      ...{ pool, schema, source: 'linkage', topics: rows, logger, registry },
      producer: new FencedProducer(kafka, { logger, registry }),
      fence: new OutboxFence(options()),
    });
    relays.push(relay);
    relay.start();
    return relay;
  }

  async function stopRelays(): Promise<void> {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  }

  function append(...accounts: string[]): Promise<number[]> {
    return inTransaction(pool, (tx) => appendOutbox(tx, schema, accounts.map(link)));
  }

  function link(account: string) {
    const data: LinkData = {
      link_id: account,
      integration_id: 'integration-1',
      platform: 'acme',
      platform_user_id: account,
      user_id: account,
      organizer_id: 'organizer-1',
      state: 'ready',
      linked_at: 1,
    };
    return outboxRecord({ topic: links, key: recordKey('acme', account), definition: linkChanged, data });
  }

  async function insertAgain(id: number, account: string): Promise<void> {
    await pool.query('ALTER TABLE linkage.outbox DISABLE TRIGGER USER');
    await pool.query(
      `INSERT INTO linkage.outbox (id, topic, key, type, schema_version, data) VALUES ($1, $2, $3, $4, 1, $5)`,
      [id, links.name, recordKey('acme', account), linkChanged.type, JSON.stringify(link(account).data)],
    );
    await pool.query('ALTER TABLE linkage.outbox ENABLE TRIGGER USER');
  }

  async function moveToOtherTimeline(): Promise<void> {
    await pool.query(`UPDATE linkage.outbox_timeline SET timeline = '00000000'`);
  }

  async function forgetPositions(): Promise<void> {
    await pool.query('DELETE FROM linkage.outbox_positions');
  }

  async function idsInOutbox(): Promise<number[]> {
    const { rows } = await pool.query<{ id: number }>('SELECT id FROM linkage.outbox ORDER BY id');
    return rows.map(({ id }) => id);
  }

  async function lastDrawn(): Promise<number> {
    const { rows } = await pool.query<{ last: number }>('SELECT last_value AS last FROM linkage.outbox_id_seq');
    return rows[0].last;
  }

  async function emptied(): Promise<void> {
    while ((await idsInOutbox()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

function revisionsOf(records: readonly PublishedRecord[]): number[] {
  return records.map(({ revision }) => revision).sort((a, b) => a - b);
}
