import { freshName } from '@podium/testing';
import { OwnKafka } from '@podium/testing/own-kafka';
import { ITopicConfig } from 'kafkajs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Kafka, createKafka } from '../client/create-kafka';
import { GroupConsumer } from '../group-membership/group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { FencedProducer } from '../producing/fenced-producer';
import { OutcomeUnknownError, PartlySentError, TopicUnavailableError } from '../producing/producer-errors';
import { RecordProducer } from '../producing/record-producer';

const logger = pino({ level: 'silent' });

/** Partition 1 needs broker 3 to be written. */
const replicated = { name: 'replicated', partitions: 2 };
/** Broker 3 has the only replica of partition 1. */
const single = { name: 'single', partitions: 3 };

const configs: ITopicConfig[] = [
  {
    topic: replicated.name,
    replicaAssignment: [
      { partition: 0, replicas: [1, 2] },
      { partition: 1, replicas: [1, 3] },
    ],
    configEntries: [{ name: 'min.insync.replicas', value: '2' }],
  },
  {
    topic: single.name,
    replicaAssignment: [1, 3, 2].map((broker, partition) => ({ partition, replicas: [broker] })),
    configEntries: [{ name: 'min.insync.replicas', value: '1' }],
  },
];

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + 30_000; !(await condition()); await new Promise((wait) => setTimeout(wait, 50)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}

/** Three brokers, of which the third is down: two partitions are unavailable, each for another reason. */
describe('partitions that are unavailable', () => {
  let own: OwnKafka;
  let kafka: Kafka;
  let producer: RecordProducer;
  let fenced: FencedProducer;
  let positions: GroupPositions;
  const consumers: GroupConsumer[] = [];

  const record = (topic: { name: string; partitions: number }, partition: number, value: string) => ({
    ...{ topic, partition, key: 'k', value: Buffer.from(value) },
  });
  const sendAll = (topic: typeof single, values: readonly string[], inMs: number) =>
    producer.sendAll(
      values.map((value, partition) => record(topic, partition, value)),
      { deadlineMs: Date.now() + inMs },
    );

  /** The values that a member of a group reads, from the beginning. */
  async function consume(group: string): Promise<string[]> {
    const seen: string[] = [];
    const consumer = new GroupConsumer({
      ...{ kafka, group, logger, topics: [single.name], probe: positions },
      onBatch: async ({ messages, lastOffset, commit }) => {
        seen.push(...messages.map(({ value }) => String(value)));
        await commit(lastOffset + 1n);
      },
      onUndecodable: () => Promise.reject(new Error('nothing here is undecodable')),
      onFatal: (error) => void seen.push(`fatal: ${error.message}`),
    });
    consumers.push(consumer);
    await consumer.start();
    return seen;
  }

  let seen: string[];

  beforeAll(async () => {
    own = await OwnKafka.start();
    kafka = createKafka({ brokers: own.brokers, clientId: 'spec', logger });
    await own.createTopics(configs);
    const registry = new Registry();
    producer = new RecordProducer(kafka, { logger, registry, topics: [replicated, single] });
    fenced = new FencedProducer(kafka, { logger, registry });
    positions = new GroupPositions(kafka, logger);
    await producer.start();
    seen = await consume(freshName('reader'));
    for (const sent of await sendAll(single, ['a0', 'a1', 'a2'], 10_000)) expect(sent).not.toBeInstanceOf(Error);
    await until(() => seen.length === 3, 'all partitions are read');
    await own.broker(3).stop();
  }, 120_000);

  afterAll(async () => {
    await Promise.all([...consumers.map((each) => each.stop()), producer?.stop(0), positions?.close()]);
    fenced?.release();
    await own?.stop();
  }, 60_000);

  it('do not delay a producer in the others, which have one copy of each record', async () => {
    await until(async () => (await positions.knownEnds(single.name))[1] === undefined, 'the partition has no leader');
    const [{ high: before }] = await positions.bounds(replicated.name);
    const results = await sendAll(replicated, ['b0', 'b1'], 2_000);
    expect(results).toEqual([{ partition: 0, offset: before }, expect.any(OutcomeUnknownError)]);
    expect((await positions.bounds(replicated.name))[0].high).toBe(before + 1n);
    const [first, second, third] = await sendAll(single, ['c0', 'c1', 'c2'], 2_000);
    expect([first, second, third]).toMatchObject([{ partition: 0 }, { name: 'OutcomeUnknownError' }, { partition: 2 }]);
  }, 30_000);

  it('are named by a fenced producer, with what the others have accepted', async () => {
    await fenced.claim('spec');
    const both = [record(replicated, 1, 'd1'), record(replicated, 0, 'd0')];
    const error = (await fenced.send(both, { timeoutMs: 10_000 }).catch((cause: unknown) => cause)) as PartlySentError;
    expect(error).toBeInstanceOf(PartlySentError);
    expect(error.outcomes).toMatchObject([{ type: 'NOT_ENOUGH_REPLICAS' }, { partition: 0 }]);
    await fenced.claim('spec');
    const missing = record({ name: 'missing', partitions: 1 }, 0, 'x');
    await expect(fenced.send([missing, both[1]], { timeoutMs: 10_000 })).rejects.toBeInstanceOf(TopicUnavailableError);
    await fenced.claim('spec');
    expect(await fenced.send([both[1]], { timeoutMs: 10_000 })).toMatchObject([{ partition: 0 }]);
  }, 30_000);

  it('do not delay consumers in the others, whether they have a commit or not, nor a start', async () => {
    await until(() => ['c0', 'c2'].every((value) => seen.includes(value)), 'the others are read');
    const late = await consume(freshName('late'));
    await until(() => ['a0', 'a2', 'c0', 'c2'].every((value) => late.includes(value)), 'the others are read too');
    const starting = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [single] });
    await starting.start();
    await starting.stop(0);
    await expect(positions.ends(single.name)).rejects.toThrow('partition 1 of single has no leader');
  }, 60_000);

  it('continue when they are available again', async () => {
    await own.broker(3).start();
    expect((await sendAll(replicated, ['e0', 'e1'], 20_000))[1]).toMatchObject({ partition: 1 });
    expect((await sendAll(single, ['f0', 'f1', 'f2'], 20_000))[1]).toMatchObject({ partition: 1 });
    await until(() => seen.includes('f1'), 'it is read again');
    expect(seen.filter((value) => value.startsWith('fatal'))).toEqual([]);
  }, 120_000);
});
