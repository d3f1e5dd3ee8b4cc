import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { Registry } from '@podium/runtime/metrics';
import { createLog } from '@podium/runtime/log';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { migrations, schema } from '../migrations';
import { deleteExpired, storeEvents } from './events.store';
import { storedEventsCap } from './retention';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const novemberS = Date.parse('2026-11-01T00:00:00Z') / 1000;

describe('the event store', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('stores the newest 500 of a name and month in any order of arrival, ties by the bytes of the id', async () => {
    const db = queryable(pool);
    // Two events a second: ids decide; 'Z' comes before 'a' in bytes although not in a language's order.
    const events = Array.from({ length: 620 }, (_, i) =>
      userEvent({ name: 'bet', id: `${i % 2 === 0 ? 'Z' : 'a'}${i}`, createdAt: novemberS + Math.floor(i / 2) }),
    );
    const other = Array.from({ length: 30 }, (_, i) =>
      userEvent({ name: 'deposit', id: `d${i}`, createdAt: novemberS + i }),
    );
    const october = Array.from({ length: 5 }, (_, i) =>
      userEvent({ name: 'bet', id: `o${i}`, createdAt: novemberS - 1 - i }),
    );
    const all = [...events, ...other, ...october];
    for (const [userRef, arrival] of [
      [1, all],
      [2, [...all].reverse()],
      [3, shuffled(all)],
    ] as const) {
      for (let at = 0; at < arrival.length; at += 97)
        await storeEvents(
          db,
          arrival.slice(at, at + 97).map((data) => ({ userRef, data })),
          nowMs,
        );
      const { rows } = await pool.query<{ event_id: string; name: string; month: number }>(
        'SELECT event_id, name, month FROM engagement.events WHERE user_ref = $1',
        [userRef],
      );
      const newest = events.slice(-storedEventsCap).map(({ event: { id } }) => id);
      const kept = rows.filter(({ name, month }) => name === 'bet' && month === 202611).map(({ event_id }) => event_id);
      expect(kept.sort()).toEqual(newest.sort());
      expect(rows.filter(({ name }) => name === 'deposit')).toHaveLength(30);
      expect(rows.filter(({ month }) => month === 202610)).toHaveLength(5);
    }
  });

  it('does not store repeatable events older than six calendar months, and deletes those that become older', async () => {
    const db = queryable(pool);
    const cutoffS = Date.parse('2026-05-20T12:00:00Z') / 1000;
    const given = [
      userEvent({ id: 'late', createdAt: cutoffS - 1 }),
      userEvent({ id: 'edge', createdAt: cutoffS }),
      userEvent({ id: 'old kyc', name: 'kyc', createdAt: 1_500_000_000, kind: 'one_off' }),
    ];
    await storeEvents(
      db,
      given.map((data) => ({ userRef: 9, data })),
      nowMs,
    );
    expect(await idsOf(9)).toEqual(['edge', 'old kyc']);
    expect(await deleteExpired(db, nowMs, 10)).toBe(0);
    expect(await deleteExpired(db, nowMs + 1000, 10)).toBe(1);
    expect(await idsOf(9)).toEqual(['old kyc']);
  });

  it('is vacuumed when a twentieth of it has expired: by default that would be a month and more of events', async () => {
    const { rows } = await pool.query<{ reloptions: string[] | null }>(
      `SELECT reloptions FROM pg_class WHERE oid = 'engagement.events'::regclass`,
    );
    expect(rows[0].reloptions).toContain('autovacuum_vacuum_scale_factor=0.05');
  });

  async function idsOf(userRef: number): Promise<string[]> {
    const { rows } = await pool.query<{ event_id: string }>(
      'SELECT event_id FROM engagement.events WHERE user_ref = $1 ORDER BY event_id',
      [userRef],
    );
    return rows.map(({ event_id }) => event_id);
  }
});

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item, index) => ({ item, rank: ((index * 7919) % 104_729) % items.length }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
