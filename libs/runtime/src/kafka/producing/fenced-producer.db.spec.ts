import { setTimeout as sleep } from 'node:timers/promises';
import { BlackHole, freshName, localStack } from '@podium/testing';
import { recordsOf } from '@podium/testing/records-of';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Clocks, systemClocks } from '../../work';
import { createKafka } from '../client/create-kafka';
import { FencedProducer } from './fenced-producer';
import { OutcomeUnknownError, ProducerFencedError, RecordRefusedError } from './producer-errors';
import { socketFactory } from '../client/socket-factory';
import { createTopics } from '../topic-administration/create-topics';

const logger = pino({ level: 'silent' });
const brokers = [...localStack().kafkaBrokers];

describe('FencedProducer', () => {
  const admin = createKafka({ brokers, clientId: 'spec', logger }).admin();
  const producers: FencedProducer[] = [];
  let topic: { name: string; partitions: number };
  let name: string;
  let way: BlackHole;

  beforeAll(() => admin.connect());
  beforeEach(async () => {
    name = freshName('outbox');
    topic = { name: freshName('fenced'), partitions: 2 };
    await createTopics(admin, [{ topic: topic.name, numPartitions: 2 }]);
    way = await BlackHole.before(`tcp://${brokers[0]}`);
  });
  afterEach(async () => {
    for (const producer of producers.splice(0)) producer.release();
    await way.close();
    await admin.deleteTopics({ topics: [topic.name] });
  });
  afterAll(() => admin.disconnect());

  async function claimed(options: { throughWay?: boolean; clocks?: Clocks } = {}): Promise<FencedProducer> {
    const route = socketFactory(options.throughWay ? () => ({ host: '127.0.0.1', port: way.port }) : undefined);
    const kafka = createKafka({ brokers, clientId: 'spec', logger, socketFactory: route });
    const producer = new FencedProducer(kafka, { logger, registry: new Registry(), clocks: options.clocks });
    producers.push(producer);
    await producer.claim(name);
    return producer;
  }

  const send = (producer: FencedProducer, values: string[], { partition = 0, timeoutMs = 20_000 } = {}) =>
    producer.send(
      values.map((value) => ({ topic, key: 'k', value: Buffer.from(value), partition })),
      { timeoutMs },
    );
  const values = async (partition: number): Promise<string[]> =>
    (await recordsOf(topic.name)).filter((record) => record.partition === partition).map(({ value }) => String(value));

  it('writes records in order, in several requests and partitions', async () => {
    const producer = await claimed();
    expect(await send(producer, ['a', 'b'])).toEqual([
      { partition: 0, offset: 0n },
      { partition: 0, offset: 1n },
    ]);
    expect(await send(producer, ['c'], { partition: 1 })).toEqual([{ partition: 1, offset: 0n }]);
    expect(await send(producer, ['d'])).toEqual([{ partition: 0, offset: 2n }]);
    expect(await values(0)).toEqual(['a', 'b', 'd']);
  });

  it('is fenced out where a later holder of the name has written', async () => {
    const first = await claimed();
    await send(first, ['1']);
    const second = await claimed();
    await send(second, ['2']);
    await expect(send(first, ['1 again'])).rejects.toBeInstanceOf(ProducerFencedError);
    await send(second, ['3']);
    expect(await values(0)).toEqual(['1', '2', '3']);
    expect([first.isClaimed(), second.isClaimed()]).toEqual([false, true]);
  });

  it('does not write a delayed request after a later holder', async () => {
    const first = await claimed({ throughWay: true });
    await send(first, ['1']);
    way.stall('client');
    const late = send(first, ['2']).catch((error: unknown) => error);
    await sleep(200);
    const second = await claimed();
    await send(second, ['2', '3']);
    way.resume();
    expect(await late).toBeInstanceOf(ProducerFencedError);
    expect(await values(0)).toEqual(['1', '2', '3']);
  });

  it('never reorders its records: failed ones are written before those of the next claim, or not at all', async () => {
    const producer = await claimed({ throughWay: true });
    await send(producer, ['1']);
    way.stall('client');
    await expect(send(producer, ['2'], { timeoutMs: 300 })).rejects.toBeInstanceOf(OutcomeUnknownError);
    await expect(send(producer, ['2'])).rejects.toThrow(/claimed/);
    const other = await claimed();
    producers.push(other);
    await send(other, ['2', '3']);
    way.resume();
    await sleep(1_000);
    expect(await values(0)).toEqual(['1', '2', '3']);
  });

  it('leaves no connection behind when a send fails, although its client would retry', async () => {
    const producer = await claimed({ throughWay: true });
    await send(producer, ['1']);
    way.stall();
    await expect(send(producer, ['2'], { timeoutMs: 300 })).rejects.toBeInstanceOf(OutcomeUnknownError);
    way.resume();
    // Longer than the client waits for a response before it connects again.
    await sleep(8_000);
    expect(way.connectionCount).toBe(0);
  }, 60_000);

  it('drops retries of its own client', async () => {
    const producer = await claimed({ throughWay: true });
    await send(producer, ['1']);
    way.stall('server');
    // Longer than the client waits for a response, so that it retries.
    setTimeout(() => way.resume(), 6_000);
    expect(await send(producer, ['2'])).toEqual([{ partition: 0, offset: 1n }]);
    expect(await values(0)).toEqual(['1', '2']);
  }, 60_000);

  it('reports a record that is refused for its content', async () => {
    const producer = await claimed();
    await expect(send(producer, ['x'.repeat(2_000_000)])).rejects.toBeInstanceOf(RecordRefusedError);
    expect(producer.isClaimed()).toBe(false);
    await producer.claim(name);
    await send(producer, ['1']);
    expect(await values(0)).toEqual(['1']);
  });

  it('claims again before brokers expire the name', async () => {
    let nowMs = Date.now();
    const producer = await claimed({ clocks: { ...systemClocks, timeOfDay: () => nowMs } });
    expect(producer.isClaimed()).toBe(true);
    nowMs += 25 * 3_600_000;
    expect(producer.isClaimed()).toBe(false);
    await producer.claim(name);
    expect(producer.isClaimed()).toBe(true);
  });
});
