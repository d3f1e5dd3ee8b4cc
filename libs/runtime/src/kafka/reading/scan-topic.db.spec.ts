import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKafka } from '../client/create-kafka';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { GroupConsumer } from '../group-membership/group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { RecordProducer } from '../producing/record-producer';
import { EmptyFetch, watchEmptyFetches } from '../record-batches/empty-fetches';
import { PartitionRange, ScanOptions, ScannedRecord, scanTopics } from './scan-topic';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const rows: TopicRow[] = ['a', 'b'].map((name) => ({
  ...topics.userEvents,
  name: freshName(`scan-${name}`),
  partitions: 2,
  consumers: [],
}));
const [first, second] = rows;

describe('scanTopics', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const positions = new GroupPositions(kafka, logger);

  beforeAll(async () => {
    await ensureTopics(kafka, rows, { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
    for (const row of rows)
      for (const partition of [0, 1])
        await Promise.all(Array.from({ length: 10 }, (_, i) => send(row, partition, `${partition}-${i}`)));
  });

  afterAll(async () => {
    await Promise.all([producer.stop(), positions.close()]);
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: rows.map(({ name }) => name) });
    await admin.disconnect();
  });

  const send = (row: TopicRow, partition: number, value: string) =>
    producer.send(
      { topic: row, key: 'k', value: Buffer.from(value), partition, headers: { of: value } },
      { deadlineMs: Date.now() + 5_000 },
    );

  async function scan(
    ranges: PartitionRange[],
    options: Partial<ScanOptions> = {},
  ): Promise<Record<string, (string | undefined)[]>> {
    const found: Record<string, (string | undefined)[]> = {};
    const onRecords = (records: readonly ScannedRecord[]): void => {
      for (const { topic, partition, value, headers } of records) {
        expect(headers).toEqual({ of: String(value) });
        (found[`${topic === first.name ? 'a' : 'b'}${partition}`] ??= []).push(value?.toString());
      }
    };
    await scanTopics({ kafka, logger, ranges, onRecords, ...options });
    return found;
  }

  const range = (row: TopicRow, partition: number, from: number, to: number): PartitionRange => ({
    topic: row.name,
    partition,
    from: BigInt(from),
    to: BigInt(to),
  });

  it('reads exactly each range in order, within the retained records, and leaves no group', async () => {
    const group = freshName('scan');
    const found = await scan([range(first, 0, 3, 6), range(first, 1, 8, 1_000), range(second, 1, 0, 2)], { group });
    expect(found).toEqual({ a0: ['0-3', '0-4', '0-5'], a1: ['1-8', '1-9'], b1: ['1-0', '1-1'] });
    const admin = kafka.admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    await admin.disconnect();
    expect(groups.filter(({ groupId }) => groupId === group)).toEqual([]);
  });

  it('reads only the first record of each range when asked to, and nothing of an empty range', async () => {
    const ranges = [range(first, 0, 4, 9), range(second, 0, 0, 9), range(second, 1, 5, 5)];
    expect(await scan(ranges, { firstOnly: true })).toEqual({ a0: ['0-4'], b0: ['0-0'] });
    expect(await scan([range(second, 1, 10, 20)])).toEqual({});
  });

  it('ends when the callback returns false', async () => {
    const values: string[] = [];
    const onRecords = (records: readonly ScannedRecord[]): boolean => {
      values.push(...records.map(({ value }) => String(value)));
      return false;
    };
    await scan([range(first, 0, 0, 2), range(first, 1, 0, 2)], { onRecords });
    expect([
      ['0-0', '0-1'],
      ['1-0', '1-1'],
    ]).toContainEqual(values);
  });

  it("rejects with a callback's error", async () => {
    const onRecords = (): void => {
      throw new Error('no room');
    };
    await expect(scan([range(first, 0, 0, 9)], { onRecords })).rejects.toThrow('no room');
  });

  it('waits for a callback that takes longer than Kafka may be silent', async () => {
    const values: string[] = [];
    const onRecords = async (records: readonly ScannedRecord[]): Promise<void> => {
      values.push(...records.map(({ value }) => String(value)));
      await sleep(3_500);
    };
    await scan([range(first, 0, 0, 2)], { onRecords, patienceMs: 2_000 });
    expect(values).toEqual(['0-0', '0-1']);
  }, 20_000);

  it('begins at the first retained record', async () => {
    const admin = kafka.admin();
    await admin.connect();
    await admin.fetchTopicOffsets(second.name);
    await admin.deleteTopicRecords({ topic: second.name, partitions: [{ partition: 0, offset: '7' }] });
    await admin.disconnect();
    expect(await scan([range(second, 0, 0, 9)])).toEqual({ b0: ['0-7', '0-8'] });
  });

  it('can rely on the broker: fetches from behind the last record are empty up to the end', async () => {
    const empty: EmptyFetch[] = [];
    const unwatch = watchEmptyFetches((fetch) => void empty.push(fetch));
    const consumer = new GroupConsumer({
      ...{ kafka, logger, group: freshName('scan'), topics: [first.name], probe: positions },
      onBatch: ({ lastOffset, commit }) => commit(lastOffset + 1n),
      onUndecodable: () => Promise.reject(new Error('nothing here is undecodable')),
      onFatal: (error) => {
        throw error;
      },
    });
    await consumer.start();
    const behind = { topic: first.name, position: 10n, start: 0n, end: 10n };
    for (const endMs = Date.now() + 10_000; empty.filter(({ position }) => position === 10n).length < 4;)
      if (Date.now() > endMs) break;
      else await sleep(20);
    await consumer.stop();
    unwatch();
    expect(empty).toEqual(expect.arrayContaining([0, 1].map((partition) => ({ ...behind, partition }))));
  }, 20_000);
});
