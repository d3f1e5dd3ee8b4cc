import { connect, Socket } from 'node:net';
import { freshName, localStack } from '@podium/testing';
import { Kafka as KafkaClient, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKafka } from '../client/create-kafka';
import { createTopics } from '../topic-administration/create-topics';
import { RecordTooLargeError } from './producer-errors';
import { RecordProducer } from './record-producer';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const topic = { name: freshName('producer'), partitions: 3 };

describe('RecordProducer against a broker', () => {
  const admin = kafka.admin();

  beforeAll(async () => {
    await admin.connect();
    await createTopics(admin, [{ topic: topic.name, numPartitions: 3 }]);
  });

  afterAll(async () => {
    await admin.deleteTopics({ topics: [topic.name] });
    await admin.disconnect();
  });

  it('refuses to start with topics of other partition counts', async () => {
    const topics = [{ ...topic, partitions: 6 }];
    const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics });
    await expect(producer.start()).rejects.toThrow(/has 3 partitions, the topics table says 6/);
    await producer.stop();
  });

  it('fails a record that the broker finds too large, and sends the others', async () => {
    const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [topic] });
    await producer.start();
    const values = [Buffer.alloc(10), Buffer.alloc(2_000_000), Buffer.alloc(10)];
    const results = await Promise.allSettled(
      values.map((value) => producer.send({ topic, key: 'same', value }, { deadlineMs: Date.now() + 3_000 })),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(RecordTooLargeError);
    await producer.stop();
  });

  it('has every acknowledged record at the reported offset, over an unreliable network', async () => {
    const sockets = new Set<Socket>();
    let away = false;
    const breaking = new KafkaClient({
      brokers: [...localStack().kafkaBrokers],
      logLevel: logLevel.NOTHING,
      connectionTimeout: 1_000,
      requestTimeout: 2_000,
      retry: { initialRetryTime: 20, maxRetryTime: 100, retries: 3 },
      socketFactory: ({ host, port, onConnect }) => {
        const socket = connect(away ? 1 : port, host, onConnect);
        sockets.add(socket);
        return socket;
      },
    });
    const producer = new RecordProducer(breaking, { logger, registry: new Registry(), topics: [topic] });
    await producer.start();
    const places = new Map<string, string>();
    const sends: Promise<void>[] = [];
    for (let turn = 0; turn < 60; turn++) {
      if (turn === 20 || turn === 40) {
        away = true;
        for (const socket of sockets) socket.destroy(new Error('connection reset'));
        sockets.clear();
        setTimeout(() => (away = false), 150);
      }
      for (let index = 0; index < 10; index++) {
        const value = `${turn}-${index}`;
        const sending = producer.send(
          { topic, key: `key ${index}`, value: Buffer.from(value) },
          { deadlineMs: Date.now() + 4_000 },
        );
        sends.push(sending.then(({ partition, offset }) => void places.set(`${partition}/${offset}`, value)));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(sends);
    await producer.stop();
    expect(places.size).toBe(600);
    const found = await readAll();
    for (const [place, value] of places) expect(found.get(place)).toBe(value);
  });

  async function readAll(): Promise<Map<string, string>> {
    const ends = await admin.fetchTopicOffsets(topic.name);
    const total = ends.reduce((sum, { high }) => sum + Number(high), 0);
    const found = new Map<string, string>();
    const consumer = kafka.consumer({ groupId: freshName('read-all'), maxWaitTimeInMs: 50 });
    await consumer.connect();
    await consumer.subscribe({ topic: topic.name, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      const run = consumer.run({
        eachMessage: ({ partition, message }) => {
          found.set(`${partition}/${message.offset}`, String(message.value));
          if (found.size === total) resolve();
          return Promise.resolve();
        },
      });
      run.catch(reject);
    });
    await consumer.disconnect();
    return found;
  }
});
