import { sourceOf } from '../../test/given-definitions';
import { INestMicroservice } from '@nestjs/common';
import { UserEventData } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { OwnTopics, until } from '../../test/own-topics';
import { ApplyParts } from './apply-parts';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { positionsTable } from '../inbox/positions-table';

const topics = new OwnTopics({ events: 2, links: 1 });
const { logger } = topics;
const nowS = Math.floor(Date.now() / 1000);
const events = 200;

/** Each event takes 20 ms, and a statement may take a second: forty at once, not two hundred. */
const slowness = `
  CREATE FUNCTION engagement.slow() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_sleep(CASE WHEN NEW.event_id LIKE 'stuck%' THEN 60 ELSE 0.02 END);
    RETURN NEW;
  END $$;
  CREATE TRIGGER slow BEFORE INSERT ON engagement.events FOR EACH ROW EXECUTE FUNCTION engagement.slow()`;
const statementTimeoutMs = 1_000;

describe('the consumer of user events, when a batch exceeds the statement timeout', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let app: INestMicroservice | undefined;

  beforeAll(async () => {
    await topics.create();
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 6, service: 'test', statementTimeoutMs }, logger, new Registry());
    await pool.query(slowness);
  });
  afterAll(async () => {
    await app?.close();
    await topics.remove();
    await pool.end();
    await database.drop();
  });

  it('applies smaller batches until all are applied', async () => {
    const sent = Array.from({ length: events }, (_, index) => event(`e${index}`, 'user-1'));
    await Promise.all(sent.map((data) => topics.sendEvent(data)));
    const definitions = new LiveDefinitions(sourceOf([]));
    ({ app } = await topics.serve(new ApplyParts(pool, definitions), topics.eventsConsumer, {
      positions: new TablePositions(queryable(pool), positionsTable),
      retry: { baseMs: 5, maxMs: 50 },
    }));
    await until(async () => (await stored()) === events, 'all events are applied', 40_000);
  });

  async function stored(): Promise<number> {
    const { rows } = await pool.query<{ count: number }>('SELECT count(*) FROM engagement.events');
    return rows[0].count;
  }
});

function event(id: string, userId: string): UserEventData {
  return userEvent({ id, createdAt: nowS, userId });
}
