import { BlackHole, freshName } from '@podium/testing';
import { OwnKafka } from '@podium/testing/own-kafka';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKafka } from '../client/create-kafka';
import { Place, socketFactory } from '../client/socket-factory';
import { GroupConsumer } from '../group-membership/group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { RecordProducer } from '../producing/record-producer';
import { unreadPartitions } from './unread-partitions';

const logger = pino({ level: 'silent' });

/** Each broker leads one partition: 1, 3 and 2. */
const topic = { name: 'single', partitions: 3 };

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const endMs = Date.now() + 20_000; !condition(); await sleep(20))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}

/** Three brokers that are up, the third of which this client cannot reach: it leads its partition for all others. */
describe('a broker that one client cannot reach', () => {
  let own: OwnKafka;
  let producer: RecordProducer;
  let positions: GroupPositions;
  /** The network between the client and broker 3. */
  let hole: BlackHole;
  let port: number;
  const kafka = () =>
    createKafka({
      ...{ brokers: own.brokers, clientId: 'spec', logger },
      socketFactory: socketFactory(routed),
    });
  const routed = (place: Place): Place =>
    own.broker(3).address === `${place.host}:${place.port}` ? { ...place, port } : place;

  interface Member {
    readonly seen: string[];
    joins: number;
    replaced: number;
  }
  const consumers: GroupConsumer[] = [];

  async function openHole(): Promise<void> {
    hole = await BlackHole.before(`tcp://${own.broker(3).address}`);
    ({ port } = hole);
  }

  async function join(): Promise<Member> {
    const member: Member = { seen: [], joins: 0, replaced: 0 };
    const consumer = new GroupConsumer({
      ...{ kafka: kafka(), group: freshName('reader'), logger, topics: [topic.name], probe: positions },
      hangPatienceMs: 5_000,
      onBatch: async ({ messages, lastOffset, commit }) => {
        member.seen.push(...messages.map(({ value }) => String(value)));
        await commit(lastOffset + 1n);
      },
      onUndecodable: () => Promise.reject(new Error('nothing here is undecodable')),
      onAssigned: () => member.joins++,
      onReplaced: () => member.replaced++,
      onFatal: (error) => void member.seen.push(`fatal: ${error.message}`),
    });
    consumers.push(consumer);
    await consumer.start();
    return member;
  }

  async function send(values: readonly string[]): Promise<void> {
    const records = values.map((value, partition) => ({ topic, partition, key: 'k', value: Buffer.from(value) }));
    const sent = await producer.sendAll(records, { deadlineMs: Date.now() + 10_000 });
    expect(sent).toMatchObject([{ partition: 0 }, { partition: 1 }, { partition: 2 }]);
  }

  /** Sends to all partitions, every 100 ms for a time; those of brokers 1 and 2 arrive at once. */
  async function expectTheOthersFor(durationMs: number, name: string, { seen }: Member): Promise<void> {
    let slowestMs = 0;
    const end = performance.now() + durationMs;
    for (let i = 0; performance.now() < end; i++, await sleep(100)) {
      const sent = [0, 1, 2].map((partition) => `${name}${i}.${partition}`);
      await send(sent);
      const sentMs = performance.now();
      await until(() => seen.includes(sent[0]) && seen.includes(sent[2]), `${sent.join()} are read`);
      slowestMs = Math.max(slowestMs, performance.now() - sentMs);
      expect(seen).not.toContain(sent[1]);
    }
    expect(slowestMs).toBeLessThan(1_500);
  }

  let member: Member;

  beforeAll(async () => {
    own = await OwnKafka.start();
    const open = createKafka({ brokers: own.brokers, clientId: 'spec', logger });
    const replicaAssignment = [1, 3, 2].map((broker, partition) => ({ partition, replicas: [broker] }));
    const configEntries = [{ name: 'min.insync.replicas', value: '1' }];
    const groups = [0, 1, 2, 3].map((partition) => ({ partition, replicas: [1, 2] }));
    await own.createTopics([
      { topic: topic.name, replicaAssignment, configEntries },
      // A group needs its coordinator.
      {
        topic: '__consumer_offsets',
        replicaAssignment: groups,
        configEntries: [{ name: 'cleanup.policy', value: 'compact' }],
      },
    ]);
    await openHole();
    producer = new RecordProducer(open, { logger, registry: new Registry(), topics: [topic] });
    await producer.start();
    positions = new GroupPositions(kafka(), logger);
    member = await join();
    await send(['a0', 'a1', 'a2']);
    await until(() => ['a0', 'a1', 'a2'].every((value) => member.seen.includes(value)), 'all partitions are read');
    await positions.ends(topic.name);
  }, 120_000);

  afterAll(async () => {
    await Promise.all([...consumers.map((each) => each.stop()), producer?.stop(0), positions?.close()]);
    await hole?.close();
    await own?.stop();
  }, 60_000);

  it('delays none of the other partitions of a member while it refuses connections, nor a start', async () => {
    await hole.close();
    await expectTheOthersFor(2_500, 'b', member);
    expect(member.joins).toBe(1);
    const late = await join();
    await until(
      () => ['a0', 'a2', 'b0.0', 'b0.2'].every((value) => late.seen.includes(value)),
      'a late one reads them',
    );
  }, 60_000);

  it('hides the end of its own partition only, and is seen', async () => {
    expect(unreadPartitions.byTopic().get(topic.name)).toEqual([1]);
    expect(await positions.knownEnds(topic.name)).toEqual([expect.any(BigInt), undefined, expect.any(BigInt)]);
    await expect(positions.ends(topic.name)).rejects.toThrow(
      'the leader of partition 1 of single, broker 3, does not respond',
    );
    expect(await positions.brokerAnswers([topic.name])).toEqual(
      new Map([
        ['1', true],
        ['2', true],
        ['3', false],
      ]),
    );
  }, 30_000);

  it('delays none of the other partitions while it is silent, and is read when it answers, without a new assignment', async () => {
    await openHole();
    await until(() => member.seen.includes('b0.1'), 'its partition is read');
    hole.stall();
    await expectTheOthersFor(6_000, 'c', member);
    hole.resume();
    await until(() => member.seen.includes('c0.1'), 'its partition is read');
    expect(unreadPartitions.byTopic().get(topic.name)).toEqual([]);
    expect(member).toMatchObject({ joins: 1, replaced: 0 });
    expect(member.seen.filter((value) => value.startsWith('fatal'))).toEqual([]);
  }, 60_000);
});
