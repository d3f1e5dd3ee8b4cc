import { INestMicroservice } from '@nestjs/common';
import { UserEventData } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { GroupPositions, deadLetterTopic } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase, freshName } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { OwnTopics, until } from '../../test/own-topics';
import { ApplyParts } from './apply-parts';
import { deposits, sourceOf, taskOf } from '../../test/given-definitions';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { positionsTable } from '../inbox/positions-table';

const topics = new OwnTopics({ events: 4, links: 1 });
const { kafka, logger, events: row, eventsGroup: group } = topics;
const nowS = Math.floor(Date.now() / 1000);

const task = taskOf('00000000-0000-4000-8000-000000000001', {
  goal: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' },
  repeat: { every: '1' },
  max_per_user: 1_000,
});

describe('the consumer of user events', () => {
  const positions = new GroupPositions(kafka, logger);
  let database: FreshDatabase;
  let pool: Pool;
  const running: { app: INestMicroservice; pool: Pool }[] = [];

  beforeAll(async () => {
    await topics.create();
    database = await freshDatabase({ schema, migrations });
    pool = newPool();
  });

  afterAll(async () => {
    for (const instance of running) await stop(instance);
    await positions.close();
    await topics.remove();
    await pool.end();
    await database.drop();
  });

  it('starts at the stored position, applies each event once although one of two instances dies, and dead-letters a poison event', async () => {
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
    const definitions = new LiveDefinitions(sourceOf([task]));
    const { app } = await topics.serve(new ApplyParts(own, definitions), topics.eventsConsumer, {
      positions: new TablePositions(queryable(own), positionsTable),
      maxBatchRecords: 20,
      maxWaitMs: 50,
      retry: { baseMs: 20, maxMs: 200 },
    });
    const instance = { app, pool: own };
    running.push(instance);
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
    return Promise.all(events.map((data) => topics.sendEvent(data)));
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
