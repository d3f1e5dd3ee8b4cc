import { Controller, INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConsumerGroup, TopicRow, linkChanged, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { PositionMovedError } from './batch-errors';
import { BatchHandler } from './batch-handler';
import { BatchKafkaServer } from './batch-kafka-server';
import { createKafka } from '../client/create-kafka';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { Outcome, done } from './outcomes';
import type { RecordBatch } from './outcomes';
import { RecordProducer } from '../producing/record-producer';

type Link = typeof linkChanged;

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const group = freshName('created-again') as ConsumerGroup;
const row: TopicRow<Link> = { ...topics.links, name: freshName('created-again'), partitions: 1, consumers: [] };

/** Stores its position as a service does. */
@Controller()
class LinkConsumer {
  static stored = 200n;
  static readonly keys: string[] = [];

  @BatchHandler(row, group)
  async onLinks({ topic, partition, position, lastOffset, records }: RecordBatch<Link>): Promise<Outcome[]> {
    if (position !== LinkConsumer.stored)
      throw new PositionMovedError({ topic, partition, position: position ?? null });
    LinkConsumer.stored = lastOffset + 1n;
    LinkConsumer.keys.push(...records.map(({ key }) => key));
    return records.map(() => done);
  }
}

describe('a topic that was created again while its position is stored', () => {
  const registry = new Registry();
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  let app: INestMicroservice;

  const send = (key: string) => producer.send({ topic: row, key, value: null }, { deadlineMs: Date.now() + 10_000 });

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
    await send('a');
    const module = await Test.createTestingModule({ controllers: [LinkConsumer] }).compile();
    const positions = {
      load: () => Promise.resolve(LinkConsumer.stored),
      loadAll: () => Promise.resolve(new Map([[0, LinkConsumer.stored]])),
    };
    const strategy = new BatchKafkaServer({ kafka, producer, group, logger, registry, positions });
    app = module.createNestMicroservice({ strategy });
    await app.listen();
  });

  afterAll(async () => {
    await app.close();
    await producer.stop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name] });
    await admin.deleteGroups([group]).catch(() => undefined);
    await admin.disconnect();
  });

  it('is read from its beginning as long as it is shorter than the position, which moves back', async () => {
    await untilRead('a');
    await send('b');
    await untilRead('a', 'b');
    expect(LinkConsumer.stored).toBe(2n);
  }, 60_000);

  async function untilRead(...keys: string[]): Promise<void> {
    for (const endMs = Date.now() + 20_000; LinkConsumer.keys.join() !== keys.join();)
      if (Date.now() > endMs)
        throw new Error(`read ${LinkConsumer.keys.join()}, not ${keys.join()}; the position is ${LinkConsumer.stored}`);
      else await new Promise((wait) => setTimeout(wait, 50));
  }
});
