import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKafka } from '../client/create-kafka';
import { GroupPositions } from '../positions/group-positions';
import { RecordProducer } from '../producing/record-producer';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { GroupConsumer, GroupConsumerOptions } from './group-consumer';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const row: TopicRow = { ...topics.links, name: freshName('rebalances'), partitions: 6, consumers: [] };
const recordsPerPartition = 40;

/** Time of a record: the two rounds of batches of a fetch take sixteen seconds. */
const recordMs = 200;

describe('a member of a group with long batches in progress', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const positions = new GroupPositions(kafka, logger);
  const consumers: GroupConsumer[] = [];
  const group = freshName('rebalances');
  const finished = new Map<number, number[]>();

  const start = async (options: Partial<GroupConsumerOptions> = {}): Promise<void> => {
    const consumer = new GroupConsumer({
      ...{ kafka, topics: [row.name], logger, probe: positions, group },
      onBatch: async ({ messages, partition, isCurrent, commit }) => {
        for (const { offset } of messages) {
          if (!isCurrent()) return;
          await sleep(recordMs);
          finished.set(partition, [...(finished.get(partition) ?? []), Number(offset)]);
          await commit(BigInt(offset) + 1n);
        }
      },
      onUndecodable: () => Promise.reject(new Error('nothing here is undecodable')),
      onFatal: (error) => {
        throw error;
      },
      ...options,
    });
    consumers.push(consumer);
    await consumer.start();
  };

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
    const sends = Array.from({ length: recordsPerPartition * row.partitions }, (_, index) =>
      producer.send(
        { topic: row, key: `${index}`, value: Buffer.from('v'), partition: index % row.partitions },
        { deadlineMs: Date.now() + 10_000 },
      ),
    );
    await Promise.all(sends);
  }, 60_000);

  afterAll(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await Promise.all([producer.stop(), positions.close()]);
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name] });
    await admin.disconnect();
  }, 60_000);

  it('gives partitions to another one within seconds, and no record is left out', async () => {
    await start();
    while (finished.size < 3) await sleep(50);
    let shared: number | undefined;
    const startedMs = performance.now();
    await start({ onAssigned: (assignment) => (shared = assignment[row.name].length) });
    while (shared === undefined) await sleep(50);
    expect(performance.now() - startedMs).toBeLessThan(6_000);
    expect(shared).toBe(row.partitions / 2);
    for (const endMs = Date.now() + 60_000; finished.size < 6 || [...finished.values()].some(isUnfinished);)
      if (Date.now() > endMs) throw new Error(`records are missing: ${JSON.stringify([...finished])}`);
      else await sleep(100);
  }, 120_000);
});

function isUnfinished(offsets: readonly number[]): boolean {
  return new Set(offsets).size < recordsPerPartition;
}
