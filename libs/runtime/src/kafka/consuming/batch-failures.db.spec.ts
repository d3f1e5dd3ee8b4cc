import { Controller, INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConsumerGroup, encodeRecord, linkChanged, TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { KafkaMessage } from 'kafkajs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { DataError, OutageError, PositionMovedError } from './batch-errors';
import { BatchHandler } from './batch-handler';
import { BatchKafkaServer, BatchKafkaServerOptions } from './batch-kafka-server';
import { createKafka } from '../client/create-kafka';
import { deadLetterHeaders, deadLetterTopic } from '../dead-letters/dead-letters';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { GroupPositions } from '../positions/group-positions';
import { done, Outcome } from './outcomes';
import type { RecordBatch } from './outcomes';
import { RecordProducer } from '../producing/record-producer';
import { redriveTopic } from '../dead-letters/redrive';

type Link = typeof linkChanged;

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const group = freshName('failures-spec') as ConsumerGroup;
const row: TopicRow<Link> = { ...topics.links, name: freshName('links'), partitions: 2, consumers: [group] };

/** Stores its positions as a service does; each test sets the effect of a delivery. */
@Controller()
class LinkConsumer {
  static attempt: (names: readonly string[]) => void = () => undefined;
  static readonly stored = new Map<string, bigint>();
  static delivered: { names: string[]; partition: number }[] = [];

  @BatchHandler(row, group)
  async onLinks(batch: RecordBatch<Link>): Promise<Outcome[]> {
    const { topic, partition, position, lastOffset, records } = batch;
    const names = records.map(({ record, key }) => record?.id ?? key);
    LinkConsumer.delivered.push({ names, partition });
    LinkConsumer.attempt(names);
    const place = `${topic}/${partition}`;
    if ((LinkConsumer.stored.get(place) ?? null) !== position)
      throw new PositionMovedError({ topic, partition, position: position ?? null });
    LinkConsumer.stored.set(place, lastOffset + 1n);
    return records.map(() => done);
  }
}

describe('BatchKafkaServer, when a handler throws', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const positions = new GroupPositions(kafka, logger);
  const letters: KafkaMessage[] = [];
  const letterConsumer = kafka.consumer({ groupId: freshName('letters'), maxWaitTimeInMs: 50 });
  let app: INestMicroservice | undefined;

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await Promise.all([producer.start(), letterConsumer.connect()]);
    await letterConsumer.subscribe({ topic: deadLetterTopic(group, row).name, fromBeginning: true });
    await letterConsumer.run({ eachMessage: ({ message }) => Promise.resolve(void letters.push(message)) });
  });

  afterAll(async () => {
    await Promise.all([producer.stop(), positions.close(), letterConsumer.disconnect()]);
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name, deadLetterTopic(group, row).name, redriveTopic(group, row).name] });
    await admin.deleteGroups([group]).catch(() => undefined);
    await admin.disconnect();
  });

  beforeEach(() => {
    LinkConsumer.delivered = [];
    LinkConsumer.attempt = () => undefined;
  });

  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  it('halves the batch for an error that may depend on its size, and delivers all records in the end', async () => {
    LinkConsumer.attempt = (names) => {
      if (names.length > 3) throw new Error('canceling statement due to statement timeout');
    };
    await sendAll(0, ...Array.from({ length: 40 }, (_, index) => `a${index}`));
    await serve();
    await until(caughtUp, 'all are done');
    const sizes = LinkConsumer.delivered.map(({ names }) => names.length);
    expect(sizes.slice(0, 4)).toEqual([40, 20, 10, 5]);
    expect(sizes.filter((size) => size > 3).length).toBeLessThan(12);
    expect(lettersOf('a')).toEqual([]);
  });

  it('dead-letters nothing while everything fails, nor for an outage while others succeed', async () => {
    let isSlow = true;
    LinkConsumer.attempt = (names) => {
      if (isSlow) throw new Error('statement timeout');
      if (names.includes('b1')) throw new OutageError('connection refused');
    };
    await sendAll(0, 'b1', 'b2');
    await sendAll(1, 'c1');
    await serve();
    await until(() => LinkConsumer.delivered.length > 20, 'they are tried');
    isSlow = false;
    const tried = LinkConsumer.delivered.length;
    for (let index = 0; LinkConsumer.delivered.length < tried + 30; index++) await sendAll(1, `d${index}`);
    expect(lettersOf('b')).toEqual([]);
    LinkConsumer.attempt = () => undefined;
    await until(caughtUp, 'all are done');
    expect(lettersOf('b')).toEqual([]);
  });

  it('dead-letters a record that fails alone while others succeed, and passes it in the stored position', async () => {
    LinkConsumer.attempt = (names) => {
      if (names.includes('e2')) throw new Error('statement timeout');
    };
    await sendAll(0, 'e1', 'e2', 'e3');
    await serve();
    for (let index = 0; lettersOf('e').length === 0; index++) {
      await sendAll(1, `f${index}`);
      await new Promise((wait) => setTimeout(wait, 20));
    }
    await until(caughtUp, 'all are done');
    expect(lettersOf('e')).toEqual(['e2 statement timeout (alone, while other records succeed)']);
  });

  it('passes a record with faulty data in the stored position, so that a restart does not read it again', async () => {
    LinkConsumer.attempt = (names) => {
      if (names.includes('g1')) throw new DataError('value out of range');
    };
    await sendAll(0, 'g0', 'g1');
    await serve();
    await until(() => lettersOf('g').length === 1, 'it dies');
    await until(caughtUp, 'it is passed');
    await app!.close();
    LinkConsumer.delivered = [];
    await serve();
    await sendAll(0, 'g2');
    await until(caughtUp, 'the next one is done');
    expect(LinkConsumer.delivered.flatMap(({ names }) => names)).toEqual(['g2']);
    expect(lettersOf('g')).toHaveLength(1);
  });

  it('dead-letters a record that is nested deeper than the stack, and handles the records around it', async () => {
    const depth = 20_000;
    await sendAll(0, 'h1');
    await send(0, Buffer.from(`{"id":"h2","type":${'['.repeat(depth)}${']'.repeat(depth)}}`));
    await sendAll(0, 'h3');
    await serve();
    await until(() => lettersOf('h').length > 0, 'it dies');
    await until(caughtUp, 'it is passed');
    expect(LinkConsumer.delivered.flatMap(({ names }) => names)).toEqual(['h1', 'h3']);
    expect(lettersOf('h')).toEqual(['h2 unknown event type (object)']);
  });

  async function serve(options: Partial<BatchKafkaServerOptions> = {}): Promise<void> {
    const module = await Test.createTestingModule({ controllers: [LinkConsumer] }).compile();
    const retry = { baseMs: 5, maxMs: 20, maxAttempts: 3, alonePatienceMs: 200 };
    const store = {
      load: (topic: string, partition: number) =>
        Promise.resolve(LinkConsumer.stored.get(`${topic}/${partition}`) ?? null),
    };
    const registry = new Registry();
    const own = { kafka, producer, group, logger, registry, retry, positions: store, maxWaitMs: 50, ...options };
    app = module.createNestMicroservice({ strategy: new BatchKafkaServer(own) });
    await app.listen();
  }

  function sendAll(partition: number, ...ids: string[]): Promise<unknown> {
    return Promise.all(ids.map((id) => send(partition, linkRecord(id))));
  }

  function send(partition: number, value: Buffer): Promise<unknown> {
    return producer.send({ topic: row, key: 'k', value, partition }, { deadlineMs: Date.now() + 5_000 });
  }

  async function caughtUp(): Promise<boolean> {
    const ends = await positions.ends(row.name);
    return ends.every((end, partition) => end === 0n || LinkConsumer.stored.get(`${row.name}/${partition}`) === end);
  }

  /** Names and reasons of dead letters whose name begins with a prefix. */
  function lettersOf(prefix: string): string[] {
    return letters
      .map(({ value, headers }) => {
        const { id } = JSON.parse(String(value)) as { id: string };
        return `${id} ${String(headers?.[deadLetterHeaders.reason])}`;
      })
      .filter((text) => text.startsWith(prefix));
  }
});

function linkRecord(id: string): Buffer {
  const data = {
    link_id: id,
    integration_id: 'i',
    platform: 'p',
    platform_user_id: 'u',
    user_id: 'u',
    organizer_id: 'o',
    state: 'ready' as const,
    linked_at: 1,
  };
  return encodeRecord(linkChanged, { id, revision: 1, occurred_at: 1, key: 'k', source: 'spec', data });
}

async function until(condition: () => boolean | Promise<boolean>, what: string, timeoutMs = 30_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !(await condition()); await new Promise((wait) => setTimeout(wait, 10)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}
