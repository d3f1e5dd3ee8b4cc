import { UserEventData } from '@podium/messages';
import { queryable } from '@podium/runtime/postgres';
import { userEvent } from '@podium/testing/user-event';
import { AppliedTables, nowS } from '../../test/applied-tables';
import { deposits, segmentOf, taskOf } from '../../test/given-definitions';
import { unpackHistory } from '../../test/histories';
import type { SegmentDefinition } from '../evaluation/definition';
import { deleteExpired } from '../event-store/events.store';

const dayS = 86_400;

/** Members have at least so many deposits, or their amounts add up to so much, ever. */
function atLeast(number: number, value: string, sum = false): SegmentDefinition {
  const comparison = { window: { lifetime: true }, op: 'gte', value } as const;
  return segmentOf(
    `00000000-0000-4000-8000-0000000000${number}`,
    sum ? { sum: deposits, attribute: 'amount', ...comparison } : { count: deposits, ...comparison },
  );
}

const segments = [
  atLeast(11, '2100'),
  atLeast(12, '2101'),
  atLeast(13, '210', true),
  atLeast(14, '210.1', true),
  atLeast(15, '2150'),
  atLeast(16, '2151'),
];

describe('more events than the store keeps', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
    await tables.reset();
    tables.given.set(...segments);
    await tables.linkUsers('user-1');
  });
  afterAll(() => tables.drop());

  it('count and add up exactly, in a month and seven months later', async () => {
    await apply(Array.from({ length: 2100 }, (_, i) => depositAt(`a${i}`, nowS - 2100 + i)));
    expect(await tables.count('events')).toBe(500);
    expect(await memberships()).toEqual([true, false, true, false, false, false]);
    expect((await history()).events.length).toBeLessThanOrEqual(2000);

    const laterS = nowS + 215 * dayS;
    await apply(Array.from({ length: 50 }, (_, i) => depositAt(`b${i}`, laterS + i * dayS)));
    await deleteExpired(queryable(tables.pool), (laterS + 50 * dayS) * 1000, 10_000);
    expect(await tables.count('events', `event_id LIKE 'a%'`)).toBe(0);
    expect((await history()).events.map(({ id }) => id).filter((id) => id.startsWith('a'))).toEqual([]);
    expect(await memberships()).toEqual([true, true, true, true, true, false]);
  });

  it('count at their instant when they were dead letters until the last day', async () => {
    const goal = { count: deposits, window: { calendar: 'day' }, op: 'gte', value: '2' } as const;
    const pair = taskOf('00000000-0000-4000-8000-000000000021', { goal, repeat: { per: 'day' }, starts_at: nowS });
    tables.given.set(pair);
    await tables.linkUsers('user-2');
    const firstS = Math.floor(nowS / dayS) * dayS + 400 * dayS;
    const receivedS = firstS + 34 * dayS;
    const own = (id: string, createdAt: number, at = createdAt): UserEventData => ({
      ...depositAt(id, createdAt),
      ...{ user_id: 'user-2', received_at: at * 1000 },
    });
    await apply([own('c1', firstS)]);
    // While the second one waits on its topic for 7 days and as a dead letter for 14.
    await apply([own('c2', receivedS), own('c3', receivedS + 20.5 * dayS)]);
    await apply([own('c4', firstS + 3_600, receivedS)]);
    expect(await tables.count('awards')).toBe(1);
  });

  it('are paid for each, also when they arrive after their time was final', async () => {
    const goal = { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' } as const;
    const each = { goal, repeat: { every: '1' }, claw_back: 'always', max_per_event: 10 } as const;
    tables.given.set(taskOf('00000000-0000-4000-8000-000000000022', each));
    await tables.linkUsers('user-3');
    const own = (id: string, createdAt: number, receivedAt = createdAt): UserEventData => ({
      ...depositAt(id, createdAt),
      ...{ user_id: 'user-3', received_at: receivedAt * 1000 },
    });
    const paid = async (): Promise<number> =>
      (await tables.count('ledger_entries', `kind = 'issued'`)) -
      (await tables.count('ledger_entries', `kind = 'reversed'`));
    const known = await paid();
    await apply(Array.from({ length: 2100 }, (_, i) => own(`d${i}`, nowS + i)));
    expect((await paid()) - known).toBe(2100);
    await apply(Array.from({ length: 3 }, (_, i) => own(`e${i}`, nowS + 100 + 50 * i, nowS + 2200 + i)));
    expect((await paid()) - known).toBe(2103);
    expect(await tables.count('ledger_entries', `kind = 'reversed'`)).toBe(0);
  });

  async function apply(events: readonly UserEventData[]): Promise<void> {
    for (let at = 0; at < events.length; at += 100) {
      const batch = events.slice(at, at + 100);
      tables.clockMs = batch[batch.length - 1].received_at;
      await tables.apply(batch);
    }
  }

  async function memberships(): Promise<boolean[]> {
    const members = [];
    for (const segment of segments) members.push((await tables.members(segment)).length === 1);
    return members;
  }

  async function history() {
    const { rows } = await tables.pool.query<{ packed: Buffer }>(`SELECT packed FROM engagement.event_histories`);
    return unpackHistory('deposit', rows[0].packed);
  }
});

function depositAt(id: string, createdAt: number): UserEventData {
  return userEvent({ id, createdAt, receivedAt: createdAt * 1000, attributes: { amount: '0.1' } });
}
