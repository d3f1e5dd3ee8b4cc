import { sourceOf } from '../../test/given-definitions';
import { INestMicroservice } from '@nestjs/common';
import { UserEventData } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { EarlierTables } from '@podium/testing/earlier-tables';
import { userEvent } from '@podium/testing/user-event';
import { OwnTopics, until } from '../../test/own-topics';
import { ApplyParts } from './apply-parts';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { positionsTable } from '../inbox/positions-table';

const topics = new OwnTopics({ events: 2, links: 1 });
const { logger } = topics;
const nowS = Math.floor(Date.now() / 1000);

const tables = ['inbox', 'users', 'events', 'positions', 'event_histories', 'due_times', 'memberships'];

describe('the consumer of user events after Postgres lost its last commits', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let app: INestMicroservice;
  let earlier: EarlierTables;

  beforeAll(async () => {
    await topics.create();
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
    earlier = new EarlierTables(pool, schema, tables);
    const definitions = new LiveDefinitions(sourceOf([]));
    ({ app } = await topics.serve(new ApplyParts(pool, definitions), topics.eventsConsumer, {
      positions: new TablePositions(queryable(pool), positionsTable),
      retry: { baseMs: 5, maxMs: 50 },
    }));
  });
  afterAll(async () => {
    await app.close();
    await topics.remove();
    await pool.end();
    await database.drop();
  });

  it('re-applies what was lost, with the next event of the partition', async () => {
    await send('a1', 'a2');
    await until(async () => (await stored()) === 2, 'two are applied');
    await earlier.keep();
    await send('a3', 'a4');
    await until(async () => (await stored()) === 4, 'four are applied');
    await earlier.goBack();
    await send('a5');
    await until(async () => (await ids()).includes('a5'), 'the next one is applied');
    await until(async () => (await stored()) === 5, 'the lost ones are applied again', 15_000);
  });

  it('re-applies what was lost without a further event', async () => {
    await earlier.keep();
    await send('b1', 'b2');
    await until(async () => (await ids()).includes('b2'), 'they are applied');
    await earlier.goBack();
    await until(async () => (await ids()).includes('b2'), 'the lost ones are applied again', 15_000);
  });

  it('starts with the first record when the first position was lost', async () => {
    await pool.query('TRUNCATE engagement.inbox, engagement.events, engagement.positions');
    await until(async () => (await ids()).includes('b2'), 'all are applied again', 15_000);
    expect((await ids()).sort()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2']);
  });

  async function send(...sent: string[]): Promise<void> {
    for (const id of sent) await topics.sendEvent(event(id, 'user-1'));
  }

  async function ids(): Promise<string[]> {
    const { rows } = await pool.query<{ event_id: string }>('SELECT event_id FROM engagement.events');
    return rows.map(({ event_id }) => event_id);
  }

  async function stored(): Promise<number> {
    return (await ids()).length;
  }
});

function event(id: string, userId: string): UserEventData {
  return userEvent({ id, createdAt: nowS, userId });
}
