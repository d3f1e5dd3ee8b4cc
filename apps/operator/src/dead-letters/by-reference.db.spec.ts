import { randomBytes } from 'node:crypto';
import { Controller, INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConsumerGroup, TopicRow, encodeRecord, linkChanged, topics } from '@podium/messages';
import {
  BatchHandler,
  BatchKafkaServer,
  type Outcome,
  type RecordBatch,
  RecordProducer,
  createKafka,
  dead,
  deadLetterTopic,
  done,
  ensureTopics,
  redriveTopic,
  referenceHeader,
  referenceText,
} from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { freshName, localStack } from '@podium/testing';
import { ConfigResourceTypes } from 'kafkajs';
import { pino } from 'pino';
import { runPodium } from '../podium';
import { Letter, readLetters } from './letter-topics';
import { readAgain } from './reread-letters';

type Link = typeof linkChanged;

const logger = pino({ level: 'silent' });
const brokers = [...localStack().kafkaBrokers];
const kafka = createKafka({ brokers, clientId: 'spec', logger });
const group = freshName('by-reference') as ConsumerGroup;
const row: TopicRow<Link> = {
  ...topics.links,
  name: freshName('large'),
  partitions: 1,
  consumers: [group],
  retention: { kind: 'days', days: 1 },
};
const megabyte = 1024 * 1024;

/** Fails for chosen records, and records the others. */
@Controller()
class LinkConsumer {
  static dying = new Set<string>();
  static readonly handled = new Map<string, number>();

  @BatchHandler(row, group)
  async onLinks({ records }: RecordBatch<Link>): Promise<Outcome[]> {
    return records.map(({ record }) => {
      if (record === null || LinkConsumer.dying.has(record.id)) return dead('a defect');
      LinkConsumer.handled.set(record.id, record.data.integration_id.length);
      return done;
    });
  }
}

describe('dead letters of records that are too large for their topic', () => {
  const registry = new Registry();
  const producer = new RecordProducer(kafka, { logger, registry, topics: [] });
  const admin = kafka.admin();
  const topic = row as unknown as TopicRow;
  let app: INestMicroservice;

  beforeAll(async () => {
    await ensureTopics(kafka, [topic], { replicationFactor: 1, minInsyncReplicas: 1 });
    await Promise.all([admin.connect(), producer.start()]);
    await take(row.name, 20 * megabyte);
    const module = await Test.createTestingModule({ controllers: [LinkConsumer] }).compile();
    const retry = { baseMs: 5, maxMs: 20 };
    app = module.createNestMicroservice({
      strategy: new BatchKafkaServer({ kafka, producer, group, logger, registry, retry }),
    });
    await app.listen();
  }, 120_000);

  afterAll(async () => {
    await app.close();
    await producer.stop();
    await admin.deleteTopics({ topics: [row.name, deadLetterTopic(group, row).name, redriveTopic(group, row).name] });
    await admin.deleteGroups([group]).catch(() => undefined);
    await admin.disconnect();
  }, 120_000);

  it('refer to them, and the partition goes on', async () => {
    LinkConsumer.dying = new Set(['large', 'larger']);
    // Random text, so that compressing takes only a quarter away.
    await send('small', 10);
    await send('large', 9 * megabyte);
    await send('larger', 12 * megabyte);
    await send('after', 10);
    await until(() => LinkConsumer.handled.has('after'), 'the records around them are handled');
    expect(LinkConsumer.handled.get('small')).toBe(10);
    const shown = await json('dlq', 'show', group);
    const [large, larger] = ['0:1', '0:2'].map((place) => shown.find(({ source }) => source === place));
    expect(large).toMatchObject({ key: 'large', reason: 'a defect', value_bytes: 64 * 1024 });
    expect(large!.refers_to).toMatchObject({ kind: 'record', topic: row.name, partition: 0, firstOffset: 1 });
    expect((large!.refers_to as { sizeBytes: number }).sizeBytes).toBeGreaterThan(9 * megabyte);
    expect(larger).toMatchObject({ key: 'larger', refers_to: { firstOffset: 2 } });
  }, 120_000);

  it('are redriven whole, re-read from the source; those too large for the redrive topic are counted', async () => {
    LinkConsumer.dying = new Set();
    const [large, larger] = [await countOf(1n), await countOf(2n)];
    expect(await redrive('--dry-run')).toMatchObject({ handed_over: large + larger, too_large: 0, gone: 0 });
    expect(await redrive()).toMatchObject({ handed_over: large, too_large: larger, gone: 0 });
    await until(() => LinkConsumer.handled.has('large'), 'the smaller is handled');
    expect(LinkConsumer.handled.get('large')).toBe(9 * megabyte);
  }, 120_000);

  it('that die again refer to the redrive topic and keep the position in the source', async () => {
    LinkConsumer.dying = new Set(['larger']);
    const [large, larger] = [await countOf(1n), await countOf(2n)];
    await take(redriveTopic(group, row).name, 20 * megabyte);
    expect(await redrive()).toMatchObject({ handed_over: larger, redriven_before: large, too_large: 0 });
    const diedAgain = async (): Promise<Letter[]> => (await letters()).filter(({ redrives }) => redrives === 1);
    await until(async () => (await diedAgain()).length > 0, 'it died again');
    const [again] = await diedAgain();
    expect(again).toMatchObject({ source: { partition: 0, offset: 2n }, redriven: false });
    expect(again.reference).toMatchObject({ topic: redriveTopic(group, row).name, firstOffset: BigInt(large) });
    LinkConsumer.dying = new Set();
    expect(await redrive()).toMatchObject({ too_large: 0, gone: 0 });
    await until(() => LinkConsumer.handled.has('larger'), 'it is handled');
    expect(LinkConsumer.handled.get('larger')).toBe(12 * megabyte);
  }, 120_000);

  it('are not redriven when the source record has changed or is gone', async () => {
    const [{ record, reference }] = await letters();
    expect(await readAgain(kafka, record, reference!)).toHaveLength(1);
    expect(await readAgain(kafka, record, { ...reference!, firstOffset: 2n, lastOffset: 2n })).toBe('gone');
    const inSource = (await countOf(1n)) + (await countOf(2n));
    await admin.deleteTopicRecords({ topic: row.name, partitions: [{ partition: 0, offset: '4' }] });
    expect(await redrive('--again')).toMatchObject({ gone: inSource });
  }, 120_000);

  it('that refer to a batch are redriven only when all of its records are', async () => {
    await take(redriveTopic(group, row).name, megabyte);
    const letter = await batchLetter(['one', 10], ['two', 4 * megabyte], ['three', 10]);
    expect(await redriveLetter(letter)).toMatchObject({ handed_over: 2, too_large: 1, redriven_before: 0 });
    await until(() => LinkConsumer.handled.has('three'), 'those that fit are handled');
    await take(redriveTopic(group, row).name, 20 * megabyte);
    expect(await redriveLetter(letter)).toMatchObject({ handed_over: 3, too_large: 0, redriven_before: 0 });
    await until(() => LinkConsumer.handled.has('two'), 'the large one is handled');
    expect(await redriveLetter(letter)).toMatchObject({ handed_over: 0, redriven_before: 1 });
  }, 120_000);

  /** Sends records, and a dead letter that refers to them as a batch; returns its place as the command takes it. */
  async function batchLetter(...sent: readonly [id: string, characters: number][]): Promise<string> {
    const high = async (name: string): Promise<number> => Number((await admin.fetchTopicOffsets(name))[0].high);
    const firstOffset = BigInt(await high(row.name));
    for (const [id, characters] of sent) await send(id, characters);
    const lastOffset = BigInt((await high(row.name)) - 1);
    const reference = { kind: 'batch' as const, topic: row.name, partition: 0, firstOffset, lastOffset };
    const headers = { [referenceHeader]: referenceText({ ...reference, digest: 'unknown', sizeBytes: 1 }) };
    const name = deadLetterTopic(group, row).name;
    const place = `0:${await high(name)}`;
    const letter = { topic: deadLetterTopic(group, row), partition: 0, key: null, value: null, headers };
    await producer.send(letter, { deadlineMs: Date.now() + 20_000 });
    return place;
  }

  async function redriveLetter(place: string): Promise<Record<string, unknown>> {
    const [result] = await json('dlq', 'redrive', group, '--offset', place);
    return result;
  }

  /** How many letters refer to this offset of the source: a record may die twice when its group changes meanwhile. */
  async function countOf(offset: bigint): Promise<number> {
    const referring = (await letters()).filter(({ reference }) => reference?.topic === row.name);
    return referring.filter(({ source }) => source.offset === offset).length;
  }

  async function redrive(...options: string[]): Promise<Record<string, unknown>> {
    const [result] = await json('dlq', 'redrive', group, '--all', ...options);
    return result;
  }

  async function json(...args: string[]): Promise<Record<string, unknown>[]> {
    let out = '';
    let err = '';
    const code = await runPodium(['--json', ...args], {
      env: { KAFKA_BROKERS: brokers.join(',') },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
      topics: [topic],
    });
    const results = JSON.parse(out) as Record<string, unknown>[];
    const isWhole = results.every(({ gone, undecodable, too_large }) => !gone && !undecodable && !too_large);
    const remedy = expect.stringMatching(/^Not all was redriven \(.*[1-9].*\): /) as string;
    expect({ code, err }).toEqual(isWhole ? { code: 0, err: '' } : { code: 1, err: remedy });
    return results;
  }

  async function letters(): Promise<Letter[]> {
    const read: Letter[] = [];
    await readLetters(kafka, { group, row: topic }, {}, (more) => void read.push(...more));
    return read;
  }

  /** Produces a link whose integration has so many random characters. */
  async function send(id: string, characters: number): Promise<void> {
    const data = {
      link_id: id,
      integration_id: randomBytes(characters).toString('base64').slice(0, characters),
      platform: 'p',
      platform_user_id: 'u',
      user_id: 'u',
      organizer_id: 'o',
      state: 'ready' as const,
      linked_at: 1,
    };
    const value = encodeRecord(linkChanged, { id, revision: 1, occurred_at: 1, key: id, source: 'spec', data });
    await producer.send({ topic: row, key: id, value }, { deadlineMs: Date.now() + 20_000 });
  }

  /** Sets the maximum batch size of a topic; its other settings do not matter here. */
  async function take(name: string, bytes: number): Promise<void> {
    const configEntries = [{ name: 'max.message.bytes', value: String(bytes) }];
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name, configEntries }],
    });
  }
});

async function until(condition: () => boolean | Promise<boolean>, what: string, timeoutMs = 90_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !(await condition()); await new Promise((wait) => setTimeout(wait, 25)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}
