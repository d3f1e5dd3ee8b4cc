import { Controller, INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  ConsumerGroup,
  TopicRow,
  UserEventData,
  encodeRecord,
  recordKey,
  topics,
  userEventAccepted,
  userEventRecordId,
} from '@podium/messages';
import {
  BatchHandler,
  BatchKafkaServer,
  GroupPositions,
  type Outcome,
  type RecordBatch,
  RecordProducer,
  createKafka,
  deadLetterTopic,
  ensureTopics,
  redriveTopic,
} from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { ApplyParts } from '../apply-batch';
import { EngagementMetrics } from '../engagement-metrics';
import { PublishedDefinition } from '../evaluation/compiled-definition';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { PositionsStore } from './positions.store';
import { UserEventsConsumer } from './user-events.consumer';

const group = freshName('user-events-spec') as ConsumerGroup;
const row: TopicRow<typeof userEventAccepted> = {
  ...topics.userEvents,
  name: freshName('user-events'),
  partitions: 4,
  consumers: [group],
};
const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const nowS = Math.floor(Date.now() / 1000);

/** The consumer under test on a topic and group of this test's own. */
@Controller()
class SpecConsumer extends UserEventsConsumer {
  constructor(parts: ApplyParts, metrics: EngagementMetrics) {
    super(parts, metrics);
  }

  @BatchHandler(row, group)
  override handle(batch: RecordBatch<typeof userEventAccepted>): Promise<Outcome[]> {
    return super.handle(batch);
  }
}

const task: PublishedDefinition = {
  definitionId: '00000000-0000-4000-8000-000000000001',
  version: 1,
  generation: 1,
  platform: 'acme',
  organizerId: 'organizer-1',
  paused: false,
  countsFromMs: 0,
  attributeTypes: {},
  kind: 'task',
  body: {
    goal: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
    repeat: { every: 1 },
    reward: { type: 'points', amount: '1' },
  },
};

describe('the consumer of user events', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const positions = new GroupPositions(kafka, logger);
  let database: FreshDatabase;
  let pool: Pool;
  const running: { app: INestMicroservice; pool: Pool }[] = [];

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
    database = await freshDatabase({ schema, migrations });
    pool = newPool();
  });

  afterAll(async () => {
    for (const instance of running) await stop(instance);
    await producer.stop();
    await positions.close();
    await pool.end();
    await database.drop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name, deadLetterTopic(group, row).name, redriveTopic(group, row).name] });
    await admin.deleteGroups([group]).catch(() => undefined);
    await admin.disconnect();
  });

  it('goes to the stored position, applies each event once with one of two instances dying, and sets a poison event aside', async () => {
    // What lies before the stored position was applied by an earlier life: it is not read again.
    const [place] = await send([event('before', 'user-0')]);
    await pool.query(`INSERT INTO engagement.positions VALUES ($1, $2, $3)`, [
      row.name,
      place.partition,
      Number(place.offset) + 1,
    ]);

    const events = Array.from({ length: 400 }, (_, i) => event(`e${i}`, `user-${i % 40}`));
    const poison = userEvent({ id: 'poison', createdAt: nowS, attributes: { note: 'a\0b' }, userId: 'user-7' });
    await send([...events.slice(0, 150), poison, ...events.slice(100, 250)]);
    const first = await start();
    await start();
    await until(async () => (await count('inbox')) > 60, 'some events are applied');

    // The first instance loses its database in the middle of its work, then goes.
    void first.pool.end();
    await send(events.slice(200));
    await stop(first);
    await send([...events].reverse());

    await until(async () => (await count('inbox')) >= 400 && (await caughtUp()), 'all events are applied');
    expect(await count('inbox')).toBe(400);
    expect(await count('events')).toBe(400);
    expect(await count('awards')).toBe(400);
    expect(await count('ledger_entries')).toBe(400);
    expect(await count('outbox', `type = 'engagement.bonus-award.issued'`)).toBe(400);
    expect(new Set(await deadLetterIds())).toEqual(new Set(['poison']));
  });

  async function start(): Promise<{ app: INestMicroservice; pool: Pool }> {
    const own = newPool();
    const registry = new Registry();
    const definitions = new LiveDefinitions({ readEpoch: async () => 1, loadPublished: async () => [task] });
    const module = await Test.createTestingModule({
      controllers: [SpecConsumer],
      providers: [
        { provide: ApplyParts, useValue: new ApplyParts(own, definitions) },
        { provide: EngagementMetrics, useValue: new EngagementMetrics(registry) },
      ],
    }).compile();
    const strategy = new BatchKafkaServer({
      kafka,
      producer,
      group,
      logger,
      registry,
      positions: new PositionsStore(queryable(own)),
      maxBatchRecords: 20,
      maxWaitMs: 50,
      retry: { baseMs: 20, maxMs: 200 },
    });
    const app = module.createNestMicroservice({ strategy });
    const instance = { app, pool: own };
    running.push(instance);
    await app.listen();
    return instance;
  }

  async function stop(instance: { app: INestMicroservice; pool: Pool }): Promise<void> {
    const at = running.indexOf(instance);
    if (at >= 0) running.splice(at, 1);
    await instance.app.close();
    if (!instance.pool.ending) await instance.pool.end();
  }

  function newPool(): Pool {
    return createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
  }

  function send(events: readonly UserEventData[]): Promise<{ partition: number; offset: bigint }[]> {
    return Promise.all(
      events.map((data) => {
        const key = recordKey(data.platform, data.platform_user_id);
        const value = encodeRecord(userEventAccepted, {
          id: userEventRecordId(data.platform, data.event.id),
          revision: 0,
          occurred_at: Date.now(),
          key,
          source: 'spec',
          data,
        });
        return producer.send({ topic: row, key, value }, { deadlineMs: Date.now() + 5_000 });
      }),
    );
  }

  async function caughtUp(): Promise<boolean> {
    const ends = await positions.ends(row.name);
    const { rows } = await pool.query<{ partition: number; next_offset: number }>(
      `SELECT partition, next_offset FROM engagement.positions WHERE topic = $1`,
      [row.name],
    );
    const stored = new Map(rows.map(({ partition, next_offset }) => [partition, BigInt(next_offset)]));
    return ends.every((end, partition) => end === 0n || stored.get(partition) === end);
  }

  async function deadLetterIds(): Promise<string[]> {
    const consumer = kafka.consumer({ groupId: freshName('letters'), maxWaitTimeInMs: 50 });
    const ids: string[] = [];
    await consumer.connect();
    await consumer.subscribe({ topic: deadLetterTopic(group, row).name, fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message }) => {
        ids.push((JSON.parse(String(message.value)) as { data: UserEventData }).data.event.id);
      },
    });
    await until(async () => ids.length > 0, 'a dead letter is there');
    await consumer.disconnect();
    return ids;
  }

  async function count(table: string, where = 'true'): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*) FROM engagement.${table} WHERE ${where}`);
    return rows[0].count;
  }
});

function event(id: string, userId: string): UserEventData {
  return userEvent({ id, createdAt: nowS, userId });
}

async function until(condition: () => Promise<boolean>, what: string, timeoutMs = 25_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !(await condition()); await new Promise((wait) => setTimeout(wait, 25)))
    if (Date.now() > endMs) throw new Error(`waited in vain until ${what}`);
}
