import { connect } from 'node:net';
import { Controller, INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConsumerGroup, TopicRow, linkChanged, topics } from '@podium/messages';
import { BlackHole, freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { BatchHandler } from './batch-handler';
import { BatchKafkaServer } from './batch-kafka-server';
import { createKafka } from '../client/create-kafka';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { Outcome, done } from './outcomes';
import type { RecordBatch } from './outcomes';
import { RecordProducer } from '../producing/record-producer';

type Link = typeof linkChanged;

const logger = pino({ level: 'silent' });
const [broker] = localStack().kafkaBrokers;
const kafka = createKafka({ brokers: [broker], clientId: 'spec', logger });
const group = freshName('lost-group') as ConsumerGroup;
const ofPartitions = [
  'kafka_consumer_lag_records',
  'kafka_consumer_lag_seconds',
  'kafka_consumer_undecodable_first_offset',
];
const row: TopicRow<Link> = { ...topics.links, name: freshName('lost'), partitions: 1, consumers: [] };

@Controller()
class LinkConsumer {
  @BatchHandler(row, group)
  onLinks(batch: RecordBatch<Link>): Promise<Outcome[]> {
    return Promise.resolve(batch.records.map(() => done));
  }
}

describe('a member that loses its group', () => {
  const registry = new Registry();
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  let hole: BlackHole;
  let app: INestMicroservice;

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
    hole = await BlackHole.before(`tcp://${broker}`);
    const through = createKafka({
      ...{ brokers: [broker], clientId: 'spec', logger },
      socketFactory: ({ onConnect }) => connect({ host: '127.0.0.1', port: hole.port }, onConnect),
    });
    const module = await Test.createTestingModule({ controllers: [LinkConsumer] }).compile();
    app = module.createNestMicroservice({
      strategy: new BatchKafkaServer({ kafka: through, producer, group, logger, registry }),
    });
    await app.listen();
  });

  afterAll(async () => {
    await app.close();
    await hole.close();
    await producer.stop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name] });
    await admin.deleteGroups([group]).catch(() => undefined);
    await admin.disconnect();
  }, 60_000);

  it('says so until it has joined it again, and reports no partitions meanwhile, which others have', async () => {
    await untilJoined(1);
    for (const name of ofPartitions) await untilShown(name, '} ');
    await untilShown('kafka_consumer_joins_total', `{group="${group}"} 1`);
    hole.redirect('tcp://127.0.0.1:1');
    hole.cut();
    await untilJoined(0);
    for (const name of ofPartitions) expect(await registry.getSingleMetricAsString(name)).not.toContain('} ');
    hole.redirect(`tcp://${broker}`);
    await untilJoined(1);
    await untilShown('kafka_consumer_joins_total', `{group="${group}"} 2`);
    for (const name of ofPartitions) await untilShown(name, '} ');
  }, 120_000);

  function untilJoined(expected: number): Promise<void> {
    return untilShown('kafka_consumer_joined', `{group="${group}"} ${expected}`);
  }

  async function untilShown(name: string, text: string): Promise<void> {
    for (const endMs = Date.now() + 50_000; ; await new Promise((wait) => setTimeout(wait, 50))) {
      const found = await registry.getSingleMetricAsString(name);
      if (found.includes(text)) return;
      if (Date.now() > endMs) throw new Error(`timed out waiting for ${text}, found ${found}`);
    }
  }
});
