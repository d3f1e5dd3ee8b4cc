import { TablePositions } from '@podium/runtime/consumers';
import { createPool, failureKindOf, queryable } from '@podium/runtime/postgres';
import { Registry } from '@podium/runtime/metrics';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { EventApplier } from '../../test/event-applier';
import { deposits, sourceOf, taskOf } from '../../test/given-definitions';
import { OwnTopics, until } from '../../test/own-topics';
import { TooManyAwardsError } from '../awards/award-volume';
import { positionsTable } from '../inbox/positions-table';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { ApplyParts } from './apply-parts';

const nowS = Math.floor(Date.now() / 1000);
const perEvent = 7_000;
const pointPerEuro = taskOf('00000000-0000-4000-8000-000000000001', {
  goal: { sum: deposits, attribute: 'amount', window: { task: true }, op: 'gte', value: '1' },
  ...{ repeat: { every: '1' }, max_per_user: 100_000, max_per_event: 100_000 },
  reward: { type: 'points', amount: '1' },
});
/** Deposits of different users, of which three bring more awards than a transaction decides. */
const sent = Array.from({ length: 5 }, (_, n) =>
  userEvent({ id: `e${n}`, createdAt: nowS, userId: `user-${n}`, attributes: { amount: String(perEvent) } }),
);

describe('events that bring more awards than a transaction issues', () => {
  let database: FreshDatabase;
  beforeEach(async () => {
    database = await freshDatabase({ schema, migrations });
  });
  afterEach(async () => database.drop());

  it('are refused together, before anything is written, and applied a few at a time', async () => {
    const pool = EventApplier.pool(database.url, 3);
    const applier = new EventApplier(pool, [pointPerEuro], () => nowS * 1000);
    const refused = await applier.apply(0, sent.slice(0, 3)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TooManyAwardsError);
    expect(failureKindOf(refused)).toBe('size');
    const { rows } = await pool.query('SELECT FROM engagement.inbox');
    expect(rows).toHaveLength(0);
    expect(await applier.apply(0, sent.slice(0, 2))).toBe(2 * perEvent);
    expect(await applier.apply(0, sent.slice(2, 3))).toBe(perEvent);
    await pool.end();
  });

  it('are applied in smaller batches by the consumer', async () => {
    const topics = new OwnTopics({ events: 1, links: 1 });
    await topics.create();
    const pool = createPool({ url: database.url, size: 6, service: 'test' }, topics.logger, new Registry());
    for (const data of sent) await topics.sendEvent(data);
    const parts = new ApplyParts(pool, new LiveDefinitions(sourceOf([pointPerEuro])));
    const { app } = await topics.serve(parts, topics.eventsConsumer, {
      positions: new TablePositions(queryable(pool), positionsTable),
      retry: { baseMs: 5, maxMs: 50 },
    });
    const readAwards = async (): Promise<{ awards: number; users: number; transactions: number }> => {
      const { rows } = await pool.query<{ awards: number; users: number; transactions: number }>(
        `SELECT count(*) AS awards, count(DISTINCT user_id) AS users, count(DISTINCT xmin::text) AS transactions
         FROM engagement.awards`,
      );
      return rows[0];
    };
    await until(async () => (await readAwards()).awards === sent.length * perEvent, 'all awards are issued');
    const { users, transactions } = await readAwards();
    expect(users).toBe(sent.length);
    expect(transactions).toBeGreaterThanOrEqual(3);
    await app.close();
    await topics.remove();
    await pool.end();
  });
});
