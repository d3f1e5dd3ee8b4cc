import { randomBytes } from 'node:crypto';
import { INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { TopicRow, topics } from '@podium/messages';
import {
  BatchKafkaServer,
  CompactedTopicView,
  DeadRecord,
  GroupPositions,
  Kafka,
  RecordProducer,
  TopicReader,
  createKafka,
  deadLetterTopic,
  done,
  ensureTopics,
  redriveTopic,
  referenceOf,
  scanTopics,
} from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { CompressionTypes } from 'kafkajs';
import { pino } from 'pino';
import { StackFolders, openFolders, removeStack } from '../../../../tools/stack/folders';
import { KafkaCluster } from '../../../../tools/stack/kafka';
import { freePorts } from '../../../../tools/stack/ports';
import { runPodium } from '../podium';
import {
  Link,
  LinkConsumer,
  broken,
  changes,
  compacted,
  consumed,
  delivered,
  flipped,
  group,
  keys,
  linkRecord,
  passedOver,
  refused,
  rows,
  standBeforeGap,
  states,
  stopped,
  stopsOf,
  store,
  unknown,
  until,
  wrongLength,
} from '../../test/batch-consumer';
import { changeSegment } from '../../test/change-segment';

describe('batches that cannot be decoded', () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const registry = new Registry();
  const fatal: Error[] = [];
  let folders: StackFolders;
  let cluster: KafkaCluster;
  let kafka: Kafka;
  let producer: RecordProducer;
  let app: INestMicroservice;
  let view: CompactedTopicView<Link>;
  let viewStart: Promise<void> | undefined;
  const seen = new Map<string, number>();
  let revision = 0;

  beforeAll(async () => {
    folders = openFolders(`batches-${randomBytes(4).toString('hex')}`);
    cluster = await KafkaCluster.open(folders, freePorts, 1);
    await cluster.start();
    kafka = createKafka({ brokers: [cluster.addresses], clientId: 'spec', logger });
    producer = new RecordProducer(kafka, { logger, registry, topics: [] });
    await ensureTopics(kafka, [...rows, topics.passedBatches], { replicationFactor: 1, minInsyncReplicas: 1 });
    await produce();
    await cluster.stop();
    for (const change of changes) changeSegment(folders, change);
    await cluster.start();
    // A broker that reads it at its start would fail.
    changeSegment(folders, wrongLength);
    await producer.start();
    await serve();
    openView();
  }, 600_000);

  afterAll(async () => {
    await app?.close();
    await view?.stop();
    await viewStart?.catch(() => undefined);
    await producer?.stop();
    await cluster?.stop();
    removeStack(folders);
  }, 60_000);

  it('pause only their partitions: records before them and in other partitions are handled, and no process ends', async () => {
    for (const { name } of consumed) {
      await until(() => handled(name, 1).length === 6, `${name}/1 is handled`);
      expect(handled(name, 1)).toEqual(keys('b', 6));
    }
    for (const { name } of consumed)
      await until(() => handled(name, 0).length === 2, `${name}/0 is paused at the batch`);
    await until(async () => (await stops()).size === 4, 'the metrics show all four');
    expect(fatal).toEqual([]);
    const all = await stops();
    expect(all.get('flipped/0')).toEqual([2, 3]);
    expect(all.get('unknown-codec/0')).toEqual([2, 3]);
    expect(all.get('broken-compression/0')).toEqual([2, 3]);
    expect(all.get('refused/0')?.[0]).toBe(2);
  });

  it('are logged once, with position and reason, and without their content', async () => {
    const stopped = lines.filter(({ msg }) => String(msg).startsWith('a batch cannot be decoded'));
    const told = stopped.filter((line) => line.group === group);
    expect(told).toHaveLength(4);
    expect(told.find(({ topic }) => topic === flipped.name)).toMatchObject({
      group,
      partition: 0,
      first_offset: '2',
      last_offset: '3',
      reason: 'wrong_checksum',
      codec: 'none',
    });
    expect(told.find(({ topic }) => topic === unknown.name)).toMatchObject({
      reason: 'unknown_codec',
      codec: 'codec 6',
    });
    expect(told.find(({ topic }) => topic === broken.name)).toMatchObject({
      reason: 'broken_compression',
      codec: 'gzip',
    });
    expect(JSON.stringify(stopped)).not.toContain('canary');
  });

  it('are listed and shown by a command, from the broker alone', async () => {
    const listed = await json('batches', 'list');
    expect(listed.map(({ group: name, topic, batch }) => [name, topic, batch])).toEqual(
      expect.arrayContaining([
        [group, flipped.name, '0:2'],
        [group, unknown.name, '0:2'],
        [group, broken.name, '0:2'],
        [group, refused.name, '0:2'],
        [view.group, states.name, '0:1'],
      ]),
    );
    expect(await json('batches', 'show', flipped.name, '0:3')).toMatchObject({
      can_be_decoded: false,
      first_offset: 2,
      last_offset: 3,
      reason: 'wrong_checksum',
      may_pass: false,
    });
    expect(await json('batches', 'show', flipped.name, '1:0')).toMatchObject({ can_be_decoded: true });
    expect((await run('lag', '--group', group)).code).toBe(0);
  });

  it('are listed where compaction has removed the records between a group and the batch', async () => {
    await standBeforeGap(kafka);
    const listed = await json('batches', 'list');
    expect(listed.filter(({ topic }) => topic === compacted.name)).toEqual([
      expect.objectContaining({ group: stopped, batch: '0:3', last_offset: 3, reason: 'wrong_checksum', members: 0 }),
    ]);
  });

  it('are not shown for an offset that does not exist', async () => {
    expect((await run('batches', 'show', flipped.name, '1:99')).err).toMatch(/no offset 99 yet: it ends before 6/);
  });

  it('fail a command that needs all records, with a remedy', async () => {
    await expect(scan(flipped)).rejects.toThrow(
      /flipped\/0: the records from 2 to 3 cannot be decoded .*batches show flipped 0:2/,
    );
  });

  it.each([
    ['another digest', ['0:2', '--digest', '0123456789ab'], /another digest/],
    ['an offset inside', ['0:3', '--digest', '0123456789ab'], /begins at 2/],
    ['a batch that can be decoded', ['0:0', '--digest', '0123456789ab'], /can be decoded/],
    ['an end of its own', ['0:2', '--digest', 'DIGEST', '--to', '9'], /ends at 3/],
  ])('are not passed by %s', async (_what, args, sentence) => {
    const { digest } = await show(flipped, 2);
    const ended = await run('batches', 'pass', flipped.name, ...args.map((arg) => arg.replace('DIGEST', digest)));
    expect(ended.code).not.toBe(0);
    expect(ended.err).toMatch(sentence);
  });

  it('are passed one by one: each leaves a dead letter that refers to it, and its partition continues after it', async () => {
    for (const row of [flipped, unknown, broken]) {
      await pass(row, 2);
      await until(() => handled(row.name, 0).length === 4, `${row.name}/0 continues`);
      expect(handled(row.name, 0)).toEqual([...keys('a', 2), ...keys('c', 2)]);
      expect(passedOver.filter(({ topic }) => topic === row.name)).toEqual([
        { topic: row.name, firstOffset: 2n, lastOffset: 3n },
      ]);
      const [letter, ...more] = await letters(row);
      expect(more).toEqual([]);
      const { digest } = await show(row, 2);
      expect(referenceOf(letter.headers)).toMatchObject({
        kind: 'batch',
        topic: row.name,
        partition: 0,
        firstOffset: 2n,
        lastOffset: 3n,
        digest,
      });
      expect(letter.value).toBeNull();
    }
    await until(async () => (await stops()).size === 1, 'only the one that was not passed is paused');
  }, 120_000);

  it('stay passed: passing again changes nothing, and a reader from the beginning skips them too', async () => {
    await pass(flipped, 2);
    await scan(flipped);
    const dead: DeadRecord[] = [];
    const read: string[] = [];
    const reader = new TopicReader<Link>({
      kafka,
      row: flipped,
      groupPrefix: 'spec.rebuild',
      logger,
      registry: new Registry(),
      handle: async ({ partition, records }) => {
        if (partition === 0) read.push(...records.map(({ key }) => key));
        return records.map(() => done);
      },
      onDead: (record) => void dead.push(record),
      onFatal: (error) => void fatal.push(error),
    });
    await reader.start();
    await until(() => reader.positions().get(0) === 6n, 'it has read the topic');
    await reader.stop();
    expect(read).toEqual([...keys('a', 2), ...keys('c', 2)]);
    expect(dead).toMatchObject([
      { partition: 0, offset: 2n, reason: expect.stringContaining('wrong_checksum') as string },
    ]);
    expect(await letters(flipped)).toHaveLength(1);
  }, 60_000);

  it('are redriven by their dead letter once they can be decoded: each record, to the group alone', async () => {
    const args = ['dlq', 'redrive', group, '--topic', flipped.name, '--all'];
    const redrive = () => json(...args);
    const { code, err } = await run(...args);
    expect([code, err]).toEqual([1, expect.stringContaining('(undecodable: 1)')]);
    // As when another replica with an intact disk becomes leader.
    changeSegment(folders, changes[0]);
    expect(await redrive()).toMatchObject([{ handed_over: 2, undecodable: 0 }]);
    const { name } = redriveTopic(group, flipped);
    await until(() => handled(name, 0).length === 2, 'the group has both');
    expect(handled(name, 0)).toEqual(keys('x', 2));
    expect(await redrive()).toMatchObject([{ handed_over: 0, redriven_before: 1 }]);
  }, 60_000);

  it('that the broker cannot return are passed up to the given offset', async () => {
    const { reason, digest } = await show(refused, 2);
    expect(reason).toBe('refused_by_broker');
    const ended = await run('batches', 'pass', refused.name, '0:2', '--digest', digest);
    expect(ended.err).toMatch(/give the last offset to pass with --to/);
    const passUpTo = (last: string) => run('batches', 'pass', refused.name, '0:2', '--digest', digest, '--to', last);
    expect(await passUpTo('1000')).toMatchObject({ code: 2, err: expect.stringContaining('ends before 6') as string });
    expect(await passUpTo('5')).toMatchObject({
      code: 2,
      err: expect.stringContaining('returns refused 0:5') as string,
    });
    expect(await json('batches', 'show', refused.name, '0:2')).toMatchObject({ may_pass: false });
    expect(await passUpTo('3')).toMatchObject({ code: 0 });
    // The broker seeks the next batch from the last index entry before it, so offset 4 is unavailable too.
    await until(async () => (await stops()).get('refused/0')?.[0] === 4, 'it is past the batch');
    expect(passedOver.filter(({ topic }) => topic === refused.name)).toEqual([
      { topic: refused.name, firstOffset: 2n, lastOffset: 3n },
    ]);
  }, 60_000);

  it('of a compacted topic make a view stale until its states are published again and they are passed', async () => {
    expect([...seen.keys()]).toEqual(['key-a']);
    expect(view.isCaughtUp()).toBe(false);
    await until(() => view.ageMs() > 2_000, 'the view becomes stale though the broker responds');
    const { digest } = await show(states, 1);
    const tooSoon = await run('batches', 'pass', states.name, '0:1', '--digest', digest);
    expect(tooSoon).toMatchObject({ code: 1, err: expect.stringContaining('published again first') as string });
    await send(states, 0, 'key-b');
    const ended = await run('batches', 'pass', states.name, '0:1', '--digest', digest, '--published-again');
    expect(ended).toMatchObject({ code: 0 });
    await viewStart;
    expect(seen.get('key-b')).toBe(revision);
    expect(view.ageMs()).toBeLessThan(2_000);
    expect((await json('batches', 'list')).filter(({ topic }) => topic === states.name)).toEqual([]);
  }, 60_000);

  /** Two records per batch: `a` before the batch to corrupt, `x` in it, `c` after it; `b` in the other partition. */
  async function produce(): Promise<void> {
    await producer.start();
    const client = kafka.producer();
    await client.connect();
    for (const { name } of [...consumed, compacted]) {
      const batch = (partition: number, prefix: string, from: number) =>
        client.send({
          topic: name,
          compression: name === broken.name ? CompressionTypes.GZIP : CompressionTypes.None,
          messages: [`${prefix}${from}`, `${prefix}${from + 1}`].map((key) => ({
            partition,
            key,
            // A broker finds records behind a refused batch only with an index entry, of which it has one every 4 KiB.
            value: linkRecord(key, ++revision, name === refused.name ? 'u'.repeat(3_000) : 'u'),
          })),
        });
      for (const prefix of ['a', 'x', 'c']) await batch(0, prefix, 0);
      for (const from of [0, 2, 4]) await batch(1, 'b', from);
    }
    await client.disconnect();
    await send(states, 0, 'key-a');
    await send(states, 0, 'key-b');
    await producer.stop();
    producer = new RecordProducer(kafka, { logger, registry, topics: [] });
  }

  async function send(row: TopicRow, partition: number, key: string): Promise<void> {
    const value = linkRecord(key, ++revision);
    await producer.send({ topic: row, partition, key, value }, { deadlineMs: Date.now() + 10_000 });
  }

  async function serve(): Promise<void> {
    const module = await Test.createTestingModule({ controllers: [LinkConsumer] }).compile();
    const onFatal = (error: Error): void => void fatal.push(error);
    const strategy = new BatchKafkaServer({ kafka, producer, group, logger, registry, positions: store, onFatal });
    app = module.createNestMicroservice({ strategy });
    await app.listen();
  }

  function openView(): void {
    view = new CompactedTopicView<Link>({
      kafka,
      row: states,
      viewGroup: 'gateway.key-view',
      instance: 'spec',
      logger,
      registry,
      apply: (key, record) => void seen.set(key, record?.revision ?? 0),
      onUnreadable: () => undefined,
    });
    viewStart = view.start();
    viewStart.catch(() => undefined);
  }

  const handled = (topic: string, partition: number): string[] => delivered.get(`${topic}/${partition}`) ?? [];

  const stops = () => stopsOf(registry);

  async function letters(row: TopicRow): Promise<{ headers: Record<string, string>; value: Buffer | null }[]> {
    const found: { headers: Record<string, string>; value: Buffer | null }[] = [];
    const { name } = deadLetterTopic(group, row);
    await scan({ ...row, name }, (records) => void found.push(...records));
    return found;
  }

  async function scan(
    { name }: TopicRow,
    onRecords: (records: readonly { headers: Record<string, string>; value: Buffer | null }[]) => void = () =>
      undefined,
  ): Promise<void> {
    const offsets = new GroupPositions(kafka, logger);
    const bounds = await offsets.bounds(name).finally(() => offsets.close());
    const ranges = bounds.map(({ low, high }, partition) => ({ topic: name, partition, from: low, to: high }));
    await scanTopics({ kafka, logger, ranges, onRecords });
  }

  async function show(row: TopicRow, offset: number): Promise<{ digest: string; reason: string }> {
    return (await json('batches', 'show', row.name, `0:${offset}`)) as unknown as { digest: string; reason: string };
  }

  async function pass(row: TopicRow, offset: number): Promise<void> {
    const { digest } = await show(row, offset);
    expect(await run('batches', 'pass', row.name, `0:${offset}`, '--digest', digest.slice(0, 12))).toMatchObject({
      code: 0,
      err: '',
    });
  }

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const code = await runPodium(args, {
      env: { KAFKA_BROKERS: cluster.addresses },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
      topics: rows,
    });
    return { code, out, err };
  }

  async function json(...args: string[]): Promise<Record<string, unknown>[]> {
    const { code, out, err } = await run('--json', ...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out) as Record<string, unknown>[];
  }
});
