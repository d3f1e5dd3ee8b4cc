import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow, linkChanged, recordKey, topics } from '@podium/messages';
import { BlackHole, FreshDatabase, freshDatabase, freshName } from '@podium/testing';
import { OwnKafka } from '@podium/testing/own-kafka';
import { ISocketFactory } from 'kafkajs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { FencedProducer, GroupPositions, Kafka, PartlySentError, createKafka, partitionOf } from '../kafka';
import { Place, socketFactory } from '../kafka/client/socket-factory';
import { Pool, createPool, queryable } from '../postgres';
import { systemClocks } from '../work';
import { OutboxRelay } from './outbox-relay';
import { outboxTimelineSql } from './outbox-timeline.store';
import { appendOutbox, outboxRecord, outboxTableSql } from './outbox.store';
import { readPublishedSince } from './published-since';

const logger = pino({ level: 'silent' });

/** The API key of a request that appends records. */
const produceKey = 0;

/** Partition 1 is led by broker 3. */
const leaders = [1, 3, 2, 1];

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + 10_000; !(await condition()); await sleep(20))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}

/** Three brokers that are up, of which a client cannot reach the third: the cluster keeps it as a leader. */
describe('a leader that a relay cannot reach', () => {
  /** A topic for each test. */
  const names = Array.from({ length: 4 }, () => freshName('links'));
  let own: OwnKafka;
  let way: BlackHole;
  let kafka: Kafka;
  let positions: GroupPositions;
  let links: TopicRow<typeof linkChanged>;
  let nowMs: number;
  /** Where connections to broker 3 go. */
  let route: (place: Place) => Place;
  let connects: number;
  /** The API keys of the client's requests. */
  const requests: number[] = [];
  let producer: FencedProducer;
  let name: string;

  const away = { host: '127.0.0.1', port: 1 };
  const throughWay = (): Place => ({ host: '127.0.0.1', port: way.port });
  const send = (partitions: readonly number[], timeoutMs = 10_000) =>
    producer.send(
      partitions.map((partition) => ({ topic: links, partition, key: 'k', value: Buffer.from('v') })),
      { timeoutMs },
    );
  const failureOf = async (sending: Promise<unknown>): Promise<PartlySentError> => {
    const failure = await sending.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(PartlySentError);
    return failure as PartlySentError;
  };

  beforeAll(async () => {
    own = await OwnKafka.start();
    const third = own.broker(3).address;
    way = await BlackHole.before(`tcp://${third}`);
    const open = socketFactory((place) => (`${place.host}:${place.port}` === third ? route(place) : place));
    const watched: ISocketFactory = (target) => {
      if (`${target.host}:${target.port}` === third) connects++;
      const socket = open(target);
      const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
      socket.write = (...args: unknown[]) => {
        requests.push((args[0] as Buffer).readInt16BE(4));
        return write(...args);
      };
      return socket;
    };
    kafka = createKafka({ brokers: own.brokers, clientId: 'spec', logger, socketFactory: watched });
    positions = new GroupPositions(createKafka({ brokers: own.brokers, clientId: 'spec', logger }), logger);
    const replicaAssignment = leaders.map((broker, partition) => ({ partition, replicas: [broker] }));
    const configEntries = [{ name: 'min.insync.replicas', value: '1' }];
    await own.createTopics(names.map((topic) => ({ topic, replicaAssignment, configEntries })));
  }, 60_000);

  beforeEach(async () => {
    links = { ...topics.links, name: names.shift()!, partitions: leaders.length, consumers: [] };
    nowMs = Date.now();
    producer = new FencedProducer(kafka, {
      logger,
      registry: new Registry(),
      clocks: { ...systemClocks, monotonic: () => nowMs },
    });
    connects = 0;
    route = () => away;
    name = await claimableName();
  });

  afterEach(() => producer?.release());

  afterAll(async () => {
    await positions?.close();
    await way?.close();
    await own?.stop();
  }, 60_000);

  /** The coordinator of a name is one of the brokers: of this one not the third. */
  async function claimableName(): Promise<string> {
    for (;;) {
      const found = freshName('outbox');
      const isClaimed = await producer.claim(found).then(
        () => true,
        () => false,
      );
      if (isClaimed) return found;
    }
  }

  it('is named with what the others have accepted, once, and asked again after a pause', async () => {
    const failure = await failureOf(send([0, 1, 2, 3]));
    expect(failure.outcomes).toMatchObject([{ offset: 0n }, { type: 'NO_RESPONSE' }, { offset: 0n }, { offset: 0n }]);
    expect(producer.isClaimed()).toBe(false);
    for (let attempt = 0; attempt < 5; attempt++) await producer.claim(name);
    connects = 0;
    await failureOf(send([1]));
    expect((await failureOf(send([1, 0]))).outcomes).toMatchObject([{ type: 'NO_RESPONSE' }, { offset: 1n }]);
    expect([connects, producer.isClaimed()]).toEqual([0, true]);
    route = (place) => place;
    nowMs += 60_000;
    expect(await send([1, 0])).toMatchObject([{ offset: 0n }, { offset: 2n }]);
    expect(await send([1])).toMatchObject([{ offset: 1n }]);
  }, 20_000);

  it('delays the others once per pause when it is silent', async () => {
    route = throughWay;
    expect(await send([0, 1])).toMatchObject([{ offset: 0n }, { offset: 0n }]);
    way.stall();
    await failureOf(send([0, 1], 1_000));
    await producer.claim(name);
    const startedMs = performance.now();
    for (let page = 0; page < 5; page++) await failureOf(send([0, 1], 1_000));
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    nowMs += 900;
    await failureOf(send([0, 1], 1_000));
    expect(producer.isClaimed()).toBe(true);
    way.resume();
    nowMs += 2_000;
    expect(await send([0, 1])).toMatchObject([{ offset: 8n }, {}]);
  }, 20_000);

  it('costs no request while every leader answers', async () => {
    route = (place) => place;
    await send([0, 1, 2, 3]);
    requests.length = 0;
    await send([0, 1, 2, 3, 0, 3]);
    expect(requests).toEqual([produceKey, produceKey, produceKey]);
  });

  it('delays the rows of its partitions alone, which follow in their order', async () => {
    const database: FreshDatabase = await freshDatabase();
    const pool: Pool = createPool({ url: database.url, size: 4, service: 'spec' }, logger, new Registry());
    await pool.query('CREATE SCHEMA linkage');
    for (const statement of [outboxTableSql('linkage'), ...outboxTimelineSql('linkage')]) await pool.query(statement);
    const userOf = (partition: number): string => {
      for (let user = 0; ; user++)
        if (partitionOf(recordKey('p', `u${user}`), links.partitions) === partition) return `u${user}`;
    };
    const append = (partition: number, count: number): Promise<number[]> =>
      appendOutbox(queryable(pool), 'linkage', new Array<string>(count).fill(userOf(partition)).map(link));
    const link = (user: string) =>
      outboxRecord({
        ...{ topic: links, key: recordKey('p', user), definition: linkChanged },
        data: {
          ...{ link_id: user, integration_id: 'i', platform: 'p', platform_user_id: user, user_id: user },
          ...{ organizer_id: 'o', state: 'ready', linked_at: 1 },
        },
      });
    const idsIn = async (): Promise<number[]> =>
      (await pool.query<{ id: string }>('SELECT id FROM linkage.outbox ORDER BY id')).rows.map(({ id }) => Number(id));
    const unfrozen = new FencedProducer(kafka, { logger, registry: new Registry() });
    const relay = new OutboxRelay({
      ...{ pool, schema: 'linkage', source: 'linkage', topics: [links], logger, registry: new Registry() },
      fence: { pass: async () => undefined },
      producer: {
        claim: () => unfrozen.claim(name),
        send: (records, options) => unfrozen.send(records, options),
        isClaimed: () => unfrozen.isClaimed(),
        release: () => unfrozen.release(),
      },
    });
    try {
      // More than a page.
      const waiting = await append(1, 600);
      const others = [...(await append(0, 3)), ...(await append(2, 2))];
      relay.start();
      await until(async () => (await idsIn()).length === waiting.length, 'the others are published');
      expect(await idsIn()).toEqual(waiting);
      others.push(...(await append(0, 1)));
      await until(async () => (await idsIn()).length === waiting.length, 'a later one is published');
      route = (place) => place;
      await until(async () => (await idsIn()).length === 0, 'all are published');
      const { records } = await readPublishedSince({ kafka, positions, topics: [links] as TopicRow[], logger }, []);
      const revisionsIn = (isIn: (partition: number) => boolean) =>
        records.filter(({ partition }) => isIn(partition)).map(({ revision }) => revision);
      expect(revisionsIn((partition) => partition === 1)).toEqual(waiting);
      expect(revisionsIn((partition) => partition !== 1).sort((a, b) => a - b)).toEqual(others);
    } finally {
      await relay.stop();
      await pool.end();
      await database.drop();
    }
  }, 60_000);
});
