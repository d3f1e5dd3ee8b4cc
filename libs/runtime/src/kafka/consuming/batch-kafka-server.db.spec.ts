import { Controller, INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConsumerGroup, encodeRecord, linkChanged, TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { KafkaMessage } from 'kafkajs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { DataError } from './batch-errors';
import { BatchHandler } from './batch-handler';
import { BatchKafkaServer, BatchKafkaServerOptions } from './batch-kafka-server';
import { createKafka } from '../client/create-kafka';
import { deadLetterHeaders, deadLetterTopic } from '../dead-letters/dead-letters';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { GroupPositions } from '../positions/group-positions';
import { dead, done, Outcome, retry, retryDependency, skip } from './outcomes';
import type { RecordBatch } from './outcomes';
import { RecordProducer } from '../producing/record-producer';
import { redriveHeaders, redriveTopic, redrivenRecord } from '../dead-letters/redrive';

type Link = typeof linkChanged;

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const group = freshName('batch-spec') as ConsumerGroup;
const row: TopicRow<Link> = { ...topics.links, name: freshName('links'), partitions: 2, consumers: [group] };

/** Returns outcomes per record as set by the test; records deliveries per partition. */
@Controller()
class LinkConsumer {
  static decide: (batch: RecordBatch<Link>) => Outcome[] | Promise<Outcome[]> = (batch) =>
    batch.records.map(() => done);
  static delivered: { partition: number; values: string[]; firstOffset: bigint; lastOffset: bigint }[] = [];

  @BatchHandler(row, group)
  async onLinks(batch: RecordBatch<Link>): Promise<Outcome[]> {
    const { partition, firstOffset, lastOffset } = batch;
    LinkConsumer.delivered.push({ partition, firstOffset, lastOffset, values: batch.records.map(nameOf) });
    return LinkConsumer.decide(batch);
  }

  /** Belongs to another group of the same app; the server under test must not call it. */
  @BatchHandler(row, 'engagement.link-view')
  onOthers(_batch: RecordBatch<Link>): Promise<Outcome[]> {
    throw new Error('a handler of another group was called');
  }
}

function nameOf({ record, key }: RecordBatch<Link>['records'][number]): string {
  return record ? record.id : `tombstone ${key}`;
}

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

/** Outcomes by record name, `done` for the rest. */
function byName(outcomes: Record<string, Outcome>): typeof LinkConsumer.decide {
  return (batch) => batch.records.map((record) => outcomes[nameOf(record)] ?? done);
}

async function until(condition: () => boolean | Promise<boolean>, what: string, timeoutMs = 8_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !(await condition()); await new Promise((wait) => setTimeout(wait, 10)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}

describe('BatchKafkaServer', () => {
  const registry = new Registry();
  const producer = new RecordProducer(kafka, { logger, registry, topics: [] });
  const positions = new GroupPositions(kafka, logger);
  const letters: KafkaMessage[] = [];
  const letterConsumer = kafka.consumer({ groupId: freshName('letters'), maxWaitTimeInMs: 50 });
  let app: INestMicroservice | undefined;

  const send = (partition: number, value: Buffer | null, key = 'k') =>
    producer.send({ topic: row, key, value, partition }, { deadlineMs: Date.now() + 3_000 });
  const sendAll = (partition: number, ...ids: string[]) =>
    Promise.all(ids.map((id) => send(partition, linkRecord(id))));
  const lettersWith = (id: string) => letters.filter(({ value }) => value?.toString().includes(id));
  const committedAll = async (): Promise<boolean> => {
    const commits = await positions.committed(group, row.name);
    return (await positions.ends(row.name)).every((end, partition) => end === 0n || commits[partition] === end);
  };

  async function serve(options: Partial<BatchKafkaServerOptions> = {}): Promise<void> {
    const module = await Test.createTestingModule({ controllers: [LinkConsumer] }).compile();
    const retryPolicy = { baseMs: 10, maxMs: 100 };
    const strategy = new BatchKafkaServer({ kafka, producer, group, logger, registry, retry: retryPolicy, ...options });
    app = module.createNestMicroservice({ strategy });
    await app.listen();
  }

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
    LinkConsumer.decide = byName({});
  });

  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const namesIn = (partition: number) =>
    LinkConsumer.delivered.filter((batch) => batch.partition === partition).flatMap(({ values }) => values);

  it('delivers batches, tombstones included, and commits done and skipped records', async () => {
    await sendAll(0, 'a1', 'a2', 'a3');
    await send(0, null, 'gone');
    LinkConsumer.decide = byName({ a2: skip('known') });
    await serve();
    await until(committedAll, 'all is committed');
    expect(LinkConsumer.delivered).toEqual([
      { partition: 0, firstOffset: 0n, lastOffset: 3n, values: ['a1', 'a2', 'a3', 'tombstone gone'] },
    ]);
    expect(await registry.getSingleMetricAsString('kafka_consumer_records_total')).toMatch(/outcome="skip".*\} 1/);
  });

  it('takes no more records than its turn allows, and ends each turn', async () => {
    const turns = { taken: 0, ended: 0 };
    await serve({
      takeTurn: async () => {
        turns.taken += 1;
        return { maxRecords: 2, end: () => void (turns.ended += 1) };
      },
    });
    await sendAll(0, 't1', 't2', 't3', 't4', 't5');
    await until(() => LinkConsumer.delivered.flatMap(({ values }) => values).length === 5, 'all are delivered');
    await until(committedAll, 'all is committed');
    expect(LinkConsumer.delivered.flatMap(({ values }) => values)).toEqual(['t1', 't2', 't3', 't4', 't5']);
    for (const { values } of LinkConsumer.delivered) expect(values.length).toBeLessThanOrEqual(2);
    expect(turns).toEqual({ taken: LinkConsumer.delivered.length, ended: LinkConsumer.delivered.length });
  });

  it('pauses only the partition of a retry, keeps its order, and counts no attempt while a dependency is unavailable', async () => {
    let away = true;
    LinkConsumer.decide = (batch) =>
      batch.records.map((record) => (away && nameOf(record) === 'b2' ? retryDependency('database away') : done));
    await serve({ retry: { baseMs: 5, maxMs: 10, maxAttempts: 3 } });
    await sendAll(0, 'b1', 'b2', 'b3');
    await until(() => namesIn(0).filter((name) => name === 'b2').length > 5, 'the retry repeats');
    await sendAll(1, 'c1');
    await until(() => namesIn(1).includes('c1'), 'the other partition goes on');
    expect(namesIn(0).filter((name) => name === 'b1')).toHaveLength(1);
    away = false;
    await until(committedAll, 'all is committed');
    expect(namesIn(0).slice(-2)).toEqual(['b2', 'b3']);
    expect(lettersWith('b2')).toHaveLength(0);
  });

  it('writes a poison record to the dead letters after its attempts, and continues', async () => {
    LinkConsumer.decide = byName({ d2: retry('cannot apply') });
    await serve({ retry: { baseMs: 5, maxMs: 10, maxAttempts: 3 } });
    await sendAll(0, 'd1', 'd2', 'd3');
    await until(committedAll, 'all is committed');
    await until(() => lettersWith('d2').length > 0, 'the dead letter is there');
    expect(namesIn(0).filter((name) => name === 'd2')).toHaveLength(3);
    expect(namesIn(0).at(-1)).toBe('d3');
    const [letter] = lettersWith('d2');
    expect(letter.value).toEqual(linkRecord('d2'));
    expect(String(letter.key)).toBe('k');
    const headers = Object.fromEntries(
      Object.entries(letter.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(headers).toMatchObject({
      [deadLetterHeaders.topic]: row.name,
      [deadLetterHeaders.partition]: '0',
      [deadLetterHeaders.key]: 'k',
      [deadLetterHeaders.reason]: 'cannot apply',
      [deadLetterHeaders.attempts]: '3',
    });
  });

  it('dead-letters undecodable records in the transport with the reason, and delivers the rest', async () => {
    await serve();
    await send(1, Buffer.from('{"type":"linkage.link.changed","e":1}'));
    await send(1, Buffer.from('not JSON e2'));
    await sendAll(1, 'e3');
    await until(committedAll, 'all is committed');
    await until(() => lettersWith('e2').length > 0, 'the dead letter is there');
    expect(namesIn(1)).toEqual(['e3']);
    expect(String(lettersWith('e2')[0].headers?.[deadLetterHeaders.reason])).toBe('the value is not JSON');
  });

  it('halves a batch after a data error until the faulty record is alone and is dead-lettered', async () => {
    LinkConsumer.decide = (batch) => {
      if (batch.records.some((record) => nameOf(record) === 'f5')) throw new DataError('value out of range');
      return batch.records.map(() => done);
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => send(0, linkRecord(`f${index}`))));
    await serve({ retry: { baseMs: 1, maxMs: 2, maxAttempts: 2 } });
    await until(committedAll, 'all is committed');
    await until(() => lettersWith('f5').length > 0, 'the dead letter is there');
    expect(letters.filter(({ value }) => /"id":"f\d"/.test(String(value)))).toHaveLength(1);
    expect(String(lettersWith('f5')[0].headers?.[deadLetterHeaders.reason])).toBe('value out of range');
  });

  it('treats a thrown error as an unavailable dependency', async () => {
    let failures = 0;
    LinkConsumer.decide = (batch) => {
      if (failures++ < 8) throw new Error('connection refused');
      return batch.records.map(() => done);
    };
    await serve({ retry: { baseMs: 1, maxMs: 5, maxAttempts: 2 } });
    await sendAll(0, 'g1', 'g2');
    await until(committedAll, 'all is committed');
    expect(lettersWith('g1')).toHaveLength(0);
  });

  it('pauses rather than lose a record whose dead letter cannot be written', async () => {
    let broken = true;
    LinkConsumer.decide = byName({ h1: dead('never') });
    const failing: Pick<RecordProducer, 'send'> = {
      send: (...args) => (broken ? Promise.reject(new Error('Kafka away')) : producer.send(...args)),
    };
    await serve({ producer: failing });
    await sendAll(0, 'h1', 'h2');
    await until(() => namesIn(0).filter((name) => name === 'h1').length > 2, 'it is delivered again');
    expect(await committedAll()).toBe(false);
    broken = false;
    await until(committedAll, 'all is committed');
    await until(() => lettersWith('h1').length === 1, 'the dead letter is there');
  });

  it('finishes the batch in progress when it closes, with its commit', async () => {
    LinkConsumer.decide = async (batch) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return batch.records.map(() => done);
    };
    await serve();
    await sendAll(0, 'i1');
    await until(() => namesIn(0).includes('i1'), 'the batch is in progress');
    await app!.close();
    expect(await committedAll()).toBe(true);
  });

  it('continues at the stored position, forward or back, whatever the group has committed', async () => {
    const ends = await positions.ends(row.name);
    const stored = new Map([
      [0, ends[0] - 2n],
      [1, ends[1]],
    ]);
    await serve({ positions: { load: (_topic, partition) => Promise.resolve(stored.get(partition) ?? null) } });
    await until(() => namesIn(0).length >= 2, 'the last two come again');
    expect(LinkConsumer.delivered[0].firstOffset).toBe(ends[0] - 2n);
    await app!.close();

    await sendAll(1, 'j1', 'j2');
    stored.set(0, ends[0]).set(1, ends[1] + 1n);
    LinkConsumer.delivered = [];
    await serve({ positions: { load: (_topic, partition) => Promise.resolve(stored.get(partition) ?? null) } });
    await until(() => namesIn(1).length > 0, 'the second of the new ones comes');
    expect(LinkConsumer.delivered).toEqual([
      { partition: 1, firstOffset: ends[1] + 1n, lastOffset: ends[1] + 1n, values: ['j2'] },
    ]);
    await app!.close();

    LinkConsumer.delivered = [];
    let loads = 0;
    const load = (_topic: string, partition: number): Promise<bigint | null> =>
      ++loads < 4 ? Promise.reject(new Error('database away')) : Promise.resolve(partition === 0 ? null : ends[1] + 2n);
    await serve({ positions: { load } });
    await until(() => namesIn(0).length >= Number(ends[0]), 'a partition without position comes from the beginning');
    expect(LinkConsumer.delivered[0].firstOffset).toBe(0n);
    expect(namesIn(1)).toEqual([]);
  });

  it('exports its failures as 0 from the start, those of redriven records too, so that alerts see the first ones', async () => {
    const own = new Registry();
    await serve({ registry: own });
    for (const topic of [row.name, redriveTopic(group, row).name]) {
      const dead = await own.getSingleMetricAsString('kafka_consumer_dead_letters_total');
      expect(dead).toContain(`{group="${group}",topic="${topic}"} 0`);
      const retries = await own.getSingleMetricAsString('kafka_consumer_retries_total');
      expect(retries).toContain(`{group="${group}",topic="${topic}",cause="record"} 0`);
    }
  });

  it('delivers a redriven record to the same handler, and keeps its source position when it is dead-lettered again', async () => {
    const stored = new Map((await positions.ends(row.name)).map((end, partition) => [partition, end]));
    const redriven = new Map<number, bigint>();
    const load = (topic: string, partition: number): Promise<bigint | null> =>
      Promise.resolve((topic === row.name ? stored : redriven).get(partition) ?? null);
    LinkConsumer.decide = byName({ m1: dead('not yet') });
    await serve({ positions: { load } });
    const { offset } = await send(1, linkRecord('m1'));
    await until(() => lettersWith('m1').length === 1, 'the dead letter is there');

    await redrive(lettersWith('m1')[0]);
    await until(() => lettersWith('m1').length === 2, 'it died again');
    const again = lettersWith('m1')[1];
    const headers = Object.fromEntries(
      Object.entries(again.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(headers).toMatchObject({
      [deadLetterHeaders.topic]: row.name,
      [deadLetterHeaders.partition]: '1',
      [deadLetterHeaders.offset]: String(offset),
      [deadLetterHeaders.redrives]: '1',
      [redriveHeaders.of]: `1:${lettersWith('m1')[0].offset}`,
    });
    expect(await positions.ends(row.name)).toEqual([stored.get(0), offset + 1n]);

    LinkConsumer.decide = byName({});
    await redrive(again);
    await until(redrivenAll, 'the group has read what was redriven');
    expect(LinkConsumer.delivered.filter(({ values }) => values.includes('m1'))).toHaveLength(3);
    expect(lettersWith('m1')).toHaveLength(2);
    await app!.close();

    stored.set(1, offset + 1n);
    (await positions.ends(redriveTopic(group, row).name)).forEach((end, partition) => redriven.set(partition, end));
    LinkConsumer.delivered = [];
    await serve({ positions: { load } });
    await sendAll(0, 'm2');
    await until(() => namesIn(0).includes('m2'), 'the next record comes');
    expect(LinkConsumer.delivered.flatMap(({ values }) => values)).not.toContain('m1');
  });

  it('reports the lag in records and seconds: none when idle, growing while a partition is paused', async () => {
    await sendAll(0, 'l0');
    await serve();
    await until(committedAll, 'all is committed');
    await app!.close();
    await serve({ lagCheckMs: 20 });
    await until(async () => (await lagOf(0, 'records')) === 0 && (await lagOf(1, 'records')) === 0, 'idle is no lag');
    expect([await lagOf(0, 'seconds'), await lagOf(1, 'seconds')]).toEqual([0, 0]);

    LinkConsumer.decide = (batch) => batch.records.map(() => retryDependency('database away'));
    await sendAll(1, 'l1', 'l2', 'l3');
    await until(async () => (await lagOf(1, 'records')) === 3, 'three wait');
    const seconds = await lagOf(1, 'seconds');
    await until(async () => (await lagOf(1, 'seconds')) > seconds + 0.5, 'the lag grows');
    expect(await lagOf(0, 'seconds')).toBe(0);
    LinkConsumer.decide = byName({});
    await until(async () => (await lagOf(1, 'records')) === 0 && (await lagOf(1, 'seconds')) === 0, 'it is worked off');
  });

  it('says that a group was not joined, of which there is no lag', async () => {
    const own = new Registry();
    const joined = async () => (await own.getSingleMetric('kafka_consumer_joined')?.get())?.values;
    const away = createKafka({ brokers: ['127.0.0.1:1'], clientId: 'spec', logger });
    await serve({ kafka: away, registry: own, joinsInBackground: true });
    expect(await joined()).toEqual([{ labels: { group }, value: 0 }]);
    await app!.close();
    await serve({ registry: own });
    await until(async () => (await joined())?.[0].value === 1, 'it is joined');
  });

  async function lagOf(partition: number, unit: 'records' | 'seconds'): Promise<number> {
    const metric = await registry.getSingleMetric(`kafka_consumer_lag_${unit}`)!.get();
    const { value } =
      metric.values.find(({ labels }) => labels.topic === row.name && labels.partition === String(partition)) ?? {};
    return value ?? NaN;
  }

  function redrive(letter: KafkaMessage): Promise<unknown> {
    const { offset, key, value, headers = {} } = letter;
    const partition = Number(String(headers[deadLetterHeaders.partition]));
    const dead = { partition, offset: BigInt(offset), rawHeaders: headers };
    const record = redrivenRecord(group, row, { ...dead, key, value }, { nowMs: Date.now(), isLast: true });
    return producer.send(record, { deadlineMs: Date.now() + 3_000 });
  }

  async function redrivenAll(): Promise<boolean> {
    const { name } = redriveTopic(group, row);
    const [committed] = await positions.committed(group, name);
    return committed === (await positions.ends(name))[0];
  }
});
