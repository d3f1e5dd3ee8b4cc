import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { Transaction } from 'kafkajs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKafka } from '../client/create-kafka';
import { done } from '../consuming/outcomes';
import { GroupPositions } from '../positions/group-positions';
import { createTopics } from '../topic-administration/create-topics';
import { ScannedRecord, scanTopics } from './scan-topic';
import { TopicReader } from './topic-reader';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });

describe('transactions of several producers in one partition', () => {
  const topic = freshName('transactions');
  const admin = kafka.admin();
  const producers = ['one', 'two', 'three'].map((name) =>
    kafka.producer({ transactionalId: freshName(name), idempotent: true, maxInFlightRequests: 1 }),
  );

  beforeAll(async () => {
    await admin.connect();
    await createTopics(admin, [{ topic, numPartitions: 1 }]);
    await Promise.all(producers.map((producer) => producer.connect()));
  });
  afterAll(async () => {
    await Promise.all(producers.map((producer) => producer.disconnect()));
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  });

  const send = (transaction: Transaction, value: string) =>
    // The key is that of the marker which aborts a transaction; here it is one of a user.
    transaction.send({ topic, acks: -1, messages: [{ partition: 0, key: Buffer.alloc(4), value }] });

  /** What is read from an offset on, with its offsets. */
  async function read(from: bigint): Promise<[bigint, string][]> {
    const read: [bigint, string][] = [];
    const onRecords = (records: readonly ScannedRecord[]): void =>
      void read.push(...records.map(({ offset, value }): [bigint, string] => [offset, String(value)]));
    await scanTopics({ kafka, logger, ranges: [{ topic, partition: 0, from, to: 10_000n }], onRecords });
    return read;
  }

  it('shows what was committed only, from every offset', async () => {
    const [one, two, three] = await Promise.all(producers.map((producer) => producer.transaction()));
    await send(one, 'aborted');
    await send(two, 'aborted');
    await send(three, 'committed 1');
    await send(two, 'aborted');
    await two.abort();
    // The broker takes no record of a producer before the marker of its last transaction is written.
    const afterTwo = await producers[1].transaction();
    await send(afterTwo, 'committed 2');
    await send(one, 'aborted');
    await send(three, 'committed 3');
    await one.abort();
    const afterOne = await producers[0].transaction();
    await send(afterOne, 'committed 4');
    for (const transaction of [afterTwo, afterOne, three]) await transaction.commit();
    const all = await read(0n);
    expect(all.map(([, value]) => value)).toEqual([1, 2, 3, 4].map((at) => `committed ${at}`));
    for (let from = 1n; from <= all[3][0]; from++)
      expect(await read(from)).toEqual(all.filter(([offset]) => offset >= from));
  }, 60_000);

  it('is at the end where the last transaction was aborted', async () => {
    const ends = new GroupPositions(kafka, logger);
    const [{ high: before }] = await ends.bounds(topic);
    const transaction = await producers[0].transaction();
    for (let n = 0; n < 3; n++) await send(transaction, 'aborted');
    await transaction.abort();
    // The broker ends the transaction a moment after its answer.
    const high = before + 4n;
    while ((await ends.bounds(topic))[0].high < high) await sleep(20);
    expect((await ends.bounds(topic))[0].high).toBe(high);
    expect((await read(0n)).map(([, value]) => value)).toEqual([1, 2, 3, 4].map((at) => `committed ${at}`));
    expect(await read(before)).toEqual([]);

    const handled: bigint[] = [];
    const reader = new TopicReader({
      ...{ kafka, logger, groupPrefix: 'spec.tail', registry: new Registry() },
      row: { ...topics.links, name: topic, partitions: 1, consumers: [] },
      handle: async ({ records, position, lastOffset }) => {
        expect(position ?? 0n).toBeLessThanOrEqual(lastOffset);
        handled.push(lastOffset);
        return records.map(() => done);
      },
      onDead: () => undefined,
      onFatal: (error) => {
        throw error;
      },
    });
    await reader.start();
    while (reader.positions().get(0) !== high) await sleep(20);
    await reader.stop();
    await ends.close();
    expect(handled.at(-1)).toBe(high - 1n);
  }, 60_000);
});
