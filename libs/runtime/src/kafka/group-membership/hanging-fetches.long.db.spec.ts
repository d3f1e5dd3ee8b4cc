import { connect } from 'node:net';
import { TopicRow, topics } from '@podium/messages';
import { BlackHole, freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKafka } from '../client/create-kafka';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { GroupConsumer } from './group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { RecordProducer } from '../producing/record-producer';

const lines: { msg: string; silence_ms?: number }[] = [];
const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
const [broker] = localStack().kafkaBrokers;
const kafka = createKafka({ brokers: [broker], clientId: 'spec', logger });
const row: TopicRow = { ...topics.links, name: freshName('hanging'), partitions: 2, consumers: [] };

/** Frames of Kafka's protocol begin with a length and the number of the API; 1 is a fetch. */
const isFetch = (piece: Buffer) => piece.length >= 6 && piece.readInt16BE(4) === 1;

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const endMs = Date.now() + 90_000; !condition(); await new Promise((wait) => setTimeout(wait, 20)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}

describe('a consumer whose fetches hang', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const positions = new GroupPositions(kafka, logger);
  const seen: string[] = [];
  const fatal: Error[] = [];
  let replaced = 0;
  let hole: BlackHole;
  let consumer: GroupConsumer;

  const send = (key: string, partition: number) =>
    producer.send({ topic: row, partition, key, value: Buffer.from('v') }, { deadlineMs: Date.now() + 10_000 });

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
    hole = await BlackHole.before(`tcp://${broker}`, isFetch);
    const through = createKafka({
      brokers: [broker],
      clientId: 'spec',
      logger,
      socketFactory: ({ onConnect }) => connect({ host: '127.0.0.1', port: hole.port }, onConnect),
    });
    consumer = new GroupConsumer({
      kafka: through,
      group: freshName('hanging'),
      topics: [row.name],
      logger,
      hangPatienceMs: 6_000,
      probe: positions,
      onBatch: async ({ messages, lastOffset, commit }) => {
        seen.push(...messages.map(({ key }) => String(key)));
        await commit(lastOffset + 1n);
      },
      onUndecodable: () => Promise.reject(new Error('nothing here is undecodable')),
      onReplaced: () => replaced++,
      onFatal: (error) => void fatal.push(error),
    });
    await consumer.start();
  });

  afterAll(async () => {
    await Promise.all([consumer.stop(), producer.stop(), positions.close()]);
    await hole.close();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name] });
    await admin.disconnect();
  }, 60_000);

  it('is not replaced while there is nothing to read, nor while a batch takes long', async () => {
    await send('a', 0);
    await until(() => seen.includes('a'), 'a is handled');
    await new Promise((resolve) => setTimeout(resolve, 9_000));
    expect(replaced).toBe(0);
  }, 60_000);

  it('continues with a new client in the same process, at the same position', async () => {
    expect(hole.strandMarked()).toBeGreaterThan(0);
    await Promise.all([send('b', 0), send('c', 1)]);
    await until(() => seen.includes('b') && seen.includes('c'), 'what came meanwhile is handled');
    expect(replaced).toBeGreaterThan(0);
    expect(seen.filter((key) => key === 'a')).toHaveLength(1);
    expect(fatal).toEqual([]);
    const reported = lines.filter(({ msg }) => msg.includes('it is replaced'));
    expect(reported).toHaveLength(replaced);
    expect(reported[0].silence_ms).toBeGreaterThanOrEqual(6_000);
  }, 120_000);

  it('recovers from a second hang', async () => {
    const before = replaced;
    hole.strandMarked();
    await send('d', 1);
    await until(() => seen.includes('d'), 'd is handled');
    expect(replaced).toBeGreaterThan(before);
  }, 120_000);
});
