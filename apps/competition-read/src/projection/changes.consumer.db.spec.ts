import { Controller, INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { CompetitionChange, ConsumerGroup, topics } from '@podium/messages';
import {
  BatchHandler,
  BatchKafkaServer,
  GroupPositions,
  type Outcome,
  OutgoingRecord,
  PositionMovedError,
  RecordProducer,
  createKafka,
  deadLetterHeaders,
  deadLetterTopic,
  ensureTopics,
  redriveTopic,
  retryDependency,
} from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { EarlierTables } from '@podium/testing/earlier-tables';
import { changeHistory, seededRandom, shuffledWithRepeats } from '../../test/change-history';
import { sampleChange } from '../../test/sample';
import { contentsOf, emptySet } from '../../test/table-contents';
import { copyLoad } from '../operations/copy-load';
import { rebuild } from '../operations/rebuild';
import { ChangesRow, connectionsOfRebuild } from '../operations/run-rebuild';
import { migrations, schema } from '../migrations';
import { applyChanges } from './apply-changes';
import { ChangesConsumer } from './changes.consumer';
import { type ChangesBatch } from './handle-changes';
import { LiveProjector, applyToLiveSet } from './live-projector';
import { readLiveSet, writeLiveSet } from '../table-sets/live-table-set.store';
import { PositionsStore, movePosition, readPositions } from './positions.store';
import { ProjectionMetrics } from './projection-metrics';
import { readChange } from './read-change';
import { tablesOf } from '../table-sets/table-set';

const group = freshName('changes-spec') as ConsumerGroup;
const row: ChangesRow = {
  ...topics.competitionChanges,
  name: freshName('changes'),
  partitions: 3,
  consumers: [group],
};
/** 1,024 characters of three bytes each that do not compress. */
const random = seededRandom(1);
const longId = Array.from({ length: 1024 }, () => String.fromCharCode(0x4e00 + Math.floor(random() * 20_000))).join('');
const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });

/** The consumer under test, with its own topic and group; it can be made to fail before a batch. */
@Controller()
class SpecConsumer extends ChangesConsumer {
  static breakOffAfter = Infinity;
  static batches = 0;

  constructor(projector: LiveProjector) {
    super(projector);
  }

  @BatchHandler(row, group)
  override handle(batch: ChangesBatch): Promise<Outcome[]> {
    if (++SpecConsumer.batches > SpecConsumer.breakOffAfter)
      return Promise.resolve(batch.records.map(() => retryDependency('as if the process were gone')));
    return super.handle(batch);
  }
}

describe('the consumer of changes', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const positions = new GroupPositions(kafka, logger);
  let database: FreshDatabase;
  let pool: Pool;
  let app: INestMicroservice | undefined;

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 6 + connectionsOfRebuild, service: 'test' }, logger, new Registry());
  }, 60_000);

  afterEach(async () => {
    await app?.close();
    app = undefined;
  }, 60_000);

  afterAll(async () => {
    await producer.stop();
    await positions.close();
    await pool.end();
    await database.drop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name, deadLetterTopic(group, row).name, redriveTopic(group, row).name] });
    await admin.deleteGroups([group]).catch(() => undefined);
    await admin.disconnect();
  }, 60_000);

  it('updates the live set, and writes invalid changes to the dead letters with the reason', async () => {
    const hub = sampleChange('hub', { document: { hub_id: 'good', name: 'Good' } });
    const otherId = sampleChange('hub', { document: { hub_id: 'inner' }, id: 'outer' });
    await Promise.all([
      send(recordOf(hub)),
      send(recordOf(otherId)),
      send({ ...recordOf(sampleChange('hub', { document: { hub_id: 'under-another-key' } })), key: 'hub:good' }),
      send({ ...recordOf(hub), value: Buffer.from('{"no": "json"') }),
      send({ ...recordOf(hub), value: Buffer.from(JSON.stringify({ ...hub, data: { id: 'x', document: {} } })) }),
      send({ ...recordOf(hub), key: 'nothing:x', value: null }),
      send(withDeepField(sampleChange('hub', { document: { hub_id: 'deep' } }))),
      send({ ...recordOf(hub), value: Buffer.from(JSON.stringify({ ...hub, revision: 2 ** 60 })) }),
      // Longer than an index entry may be, so that Postgres itself refuses it.
      send(recordOf(sampleChange('player-ban', { id: longId }))),
      send(recordOf(sampleChange('hub', { document: { hub_id: 'gone' } }))),
      send({ ...recordOf(sampleChange('hub', { document: { hub_id: 'gone' } })), value: null }),
    ]);
    await start();
    await until(caughtUp, 'all records are applied');
    expect(
      (await contentsOf(queryable(pool), 'a')).documents.map((text) => (JSON.parse(text) as { id: string }).id),
    ).toEqual(['good']);
    const reasons = await deadLetterReasons(8);
    expect(reasons).toEqual([
      expect.stringContaining('/data'),
      'Maximum call stack size exceeded',
      'data.id is "outer", the document\'s own is "inner"',
      expect.stringContaining('index row size'),
      'revision is above 2^53 - 1',
      'the key of the tombstone is not that of a document',
      'the record key is not that of hub under-another-key',
      'the value is not JSON',
    ]);
  }, 60_000);

  it('continues from the stored positions after a crash between batches, with the same tables in the end', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const history = changeHistory(seed, 6);
    await send({ ...recordOf(sampleChange('hub', { document: { hub_id: 'good' } })), value: null });
    await Promise.all(shuffledWithRepeats(history, seededRandom(seed)).map((change) => send(recordOf(change))));
    SpecConsumer.batches = 0;
    SpecConsumer.breakOffAfter = 8;
    const dying = await start();
    await until(async () => SpecConsumer.batches > SpecConsumer.breakOffAfter, 'the first consumer breaks off');
    await dying.close();
    expect(await caughtUp()).toBe(false);
    SpecConsumer.breakOffAfter = Infinity;
    await start();
    await until(caughtUp, 'all records are applied');
    expect({ seed, ...(await contentsOf(queryable(pool), 'a')) }).toEqual({ seed, ...(await inOneGo(history)) });
  }, 60_000);

  it('applies again what Postgres has lost, even when no new changes arrive', async () => {
    const { set: _, ...names } = tablesOf('a');
    const tables = Object.values(names).map((name) => name.slice(`${schema}.`.length));
    const earlier = new EarlierTables(pool, schema, tables);
    await start();
    await until(caughtUp, 'all records are applied');
    await earlier.keep();
    const before = await contentsOf(queryable(pool), 'a');
    await send(recordOf(sampleChange('hub', { document: { hub_id: 'lost-once' } })));
    await until(
      async () => (await contentsOf(queryable(pool), 'a')).documents.length > before.documents.length,
      'it is there',
    );
    await until(caughtUp, 'all records are applied');
    const after = await contentsOf(queryable(pool), 'a');
    const { batches } = SpecConsumer;
    await earlier.goBack();
    await until(async () => SpecConsumer.batches > batches, 'what was lost is handled again');
    await until(caughtUp, 'all records are applied again');
    expect(await contentsOf(queryable(pool), 'a')).toEqual(after);
  }, 60_000);

  it('refuses a batch that does not follow the position of the live set', async () => {
    const db = queryable(pool);
    await emptySet(db, 'b');
    await writeLiveSet(db, 'b', 1);
    const place = { topic: 'other', partition: 1 };
    await movePosition(db, tablesOf('b'), { ...place, position: null, nextOffset: 3n });
    const changes = ['h1', 'h2'].map((hub_id) => {
      const read = readChange(sampleChange('hub', { document: { hub_id } }));
      if (!read.ok) throw new Error(read.reason);
      return read.change;
    });
    for (const position of [null, 1n, 4n])
      await expect(applyToLiveSet(pool, { ...place, position, nextOffset: 5n, changes })).rejects.toThrow(
        PositionMovedError,
      );
    expect((await contentsOf(db, 'b')).documents).toHaveLength(0);
    const outcomes = await applyToLiveSet(pool, { ...place, position: 3n, nextOffset: 5n, changes });
    expect(outcomes).toEqual(['applied', 'applied']);
    expect((await contentsOf(db, 'b')).documents).toHaveLength(2);
    expect(await new PositionsStore(db).load('other', 1)).toBe(5n);
    await writeLiveSet(db, 'a', 1);
    expect(await new PositionsStore(db).load('other', 1)).toBeNull();
  });

  it('does not read redriven records again after a rebuild or a load: they may have been removed since', async () => {
    const { name } = redriveTopic(group, row);
    const db = queryable(pool);
    const revived = sampleChange('hub', { document: { hub_id: 'revived' }, revision: 3 });
    const stored = async (): Promise<boolean> =>
      (await contentsOf(db, (await readLiveSet(db)).live)).documents.some((text) => text.includes('"revived"'));
    await start();
    await send({ ...recordOf(revived), topic: redriveTopic(group, row), partition: 0 });
    await until(stored, 'the redriven record is applied');
    await send({ ...recordOf(revived), value: null });
    await until(async () => !(await stored()), 'the document is removed');
    const parts = { pool, kafka, logger, registry: new Registry(), row, graceMs: 0 };
    const copied = [[sampleChange('hub', { document: { hub_id: 'copied' } })]];
    for (const replace of [() => rebuild(parts), () => copyLoad(parts, copied)]) {
      const { live: before } = await readLiveSet(db);
      await replace();
      const { live } = await readLiveSet(db);
      expect(live).not.toBe(before);
      expect(await readPositions(db, tablesOf(live), name)).toEqual(new Map([[0, 1n]]));
      // Five times as long as the interval of checks.
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(await stored()).toBe(false);
    }
  }, 60_000);

  async function start(): Promise<INestMicroservice> {
    const module = await Test.createTestingModule({
      controllers: [SpecConsumer],
      providers: [{ provide: LiveProjector, useValue: new LiveProjector(pool, new ProjectionMetrics(new Registry())) }],
    }).compile();
    const strategy = new BatchKafkaServer({
      kafka,
      producer,
      group,
      logger,
      registry: new Registry(),
      positions: new PositionsStore(queryable(pool)),
      maxBatchRecords: 20,
      maxWaitMs: 50,
      positionsCheckMs: 50,
      retry: { baseMs: 20, maxMs: 200, maxAttempts: 2 },
    });
    app = module.createNestMicroservice({ strategy });
    await app.listen();
    return app;
  }

  function recordOf(change: CompetitionChange): OutgoingRecord {
    return { topic: row, key: change.key, value: Buffer.from(JSON.stringify(change)) };
  }

  /** Its schema allows fields that it does not know, at any depth. */
  function withDeepField(change: CompetitionChange): OutgoingRecord {
    const { value, ...record } = recordOf(change);
    const field = `"more":${'['.repeat(20_000)}${']'.repeat(20_000)},`;
    return { ...record, value: Buffer.from(String(value).replace('"document":{', `$&${field}`)) };
  }

  async function send(record: OutgoingRecord): Promise<void> {
    await producer.send(record, { deadlineMs: Date.now() + 10_000 });
  }

  async function caughtUp(): Promise<boolean> {
    const ends = await positions.ends(row.name);
    const stored = await readPositions(queryable(pool), tablesOf('a'), row.name);
    return ends.every((end, partition) => end === 0n || stored.get(partition) === end);
  }

  /** The expected tables: the same changes applied to the other set, which has no other writer. */
  async function inOneGo(changes: readonly CompetitionChange[]): Promise<Record<string, string[]>> {
    await emptySet(queryable(pool), 'b');
    const read = changes.map(readChange).flatMap((result) => (result.ok ? [result.change] : []));
    await inTransaction(pool, (tx) => applyChanges(tx, tablesOf('b'), read));
    return contentsOf(queryable(pool), 'b');
  }

  async function deadLetterReasons(count: number): Promise<string[]> {
    const consumer = kafka.consumer({ groupId: freshName('letters'), maxWaitTimeInMs: 50 });
    const reasons: string[] = [];
    await consumer.connect();
    await consumer.subscribe({ topic: deadLetterTopic(group, row).name, fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message }) => void reasons.push(String(message.headers?.[deadLetterHeaders.reason])),
    });
    await until(async () => reasons.length >= count, `${count} dead letters are there`);
    await consumer.disconnect();
    return reasons.sort();
  }
});

async function until(condition: () => Promise<boolean>, what: string, timeoutMs = 45_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !(await condition()); await new Promise((wait) => setTimeout(wait, 25)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}
