import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { migrations, schema } from '../../src/migrations';
import { deposits, segmentOf } from '../given-definitions';
import { EngineOverTime, expireAll } from './engine-over-time';

const fromS = Date.parse('2026-01-05T00:00:00Z') / 1000;
const dayS = 86_400;
const active = segmentOf('00000000-0000-4000-8000-000000000001', {
  count: deposits,
  window: { rolling: 'P7D' },
  op: 'gte',
  value: '1',
});

describe('the engine over time', () => {
  let database: FreshDatabase;
  let engine: EngineOverTime;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    engine = await EngineOverTime.open(database.url, { lanes: 1, definitions: [active], nowS: fromS });
  });
  afterAll(async () => {
    await engine.close();
    await database.drop();
  });

  it('settles what falls due and deletes what has expired before the next events', async () => {
    const link = { link_id: 'link-1', integration_id: 'integration-1', platform: 'acme', organizer_id: 'organizer-1' };
    const user = { platform_user_id: 'sub-of-user-1', user_id: 'user-1', state: 'ready', linked_at: 1 } as const;
    await engine.applier.link([{ revision: 1, data: { ...link, ...user } }]);
    expect(await engine.apply(0, [userEvent({ id: 'first', createdAt: fromS + 60 })])).toBe(1);
    expect(await engine.passTo(fromS + 6 * dayS)).toBe(0);
    expect(await count('memberships WHERE member')).toBe(1);
    expect(await engine.passTo(fromS + 7 * dayS)).toBe(1);
    expect(await count('memberships WHERE member')).toBe(0);
    expect(await count('outbox')).toBe(0);
    await engine.passTo(Date.parse('2026-07-05T00:01:00Z') / 1000);
    expect(await count('events')).toBe(1);
    await engine.passTo(Date.parse('2026-07-05T00:01:01Z') / 1000);
    expect(await count('events')).toBe(0);
    expect(await count('event_histories')).toBe(1);
  });

  it('deletes what has expired from a store without the engine', async () => {
    await engine.apply(0, [userEvent({ id: 'second', createdAt: Date.parse('2026-07-06T00:00:00Z') / 1000 })]);
    await expireAll(engine.pool, Date.parse('2027-01-07T00:00:00Z') / 1000);
    expect(await count('events')).toBe(0);
  });

  async function count(rowsOf: string): Promise<number> {
    const { rows } = await engine.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM engagement.${rowsOf}`,
    );
    return rows[0].count;
  }
});
