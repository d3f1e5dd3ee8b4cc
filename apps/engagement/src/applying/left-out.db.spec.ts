import { UserEventData } from '@podium/messages';
import { queryable } from '@podium/runtime/postgres';
import { userEvent } from '@podium/testing/user-event';
import { AppliedTables, nowS } from '../../test/applied-tables';
import { deposits, segmentOf, taskOf } from '../../test/given-definitions';
import type { EngineDefinition, SegmentDefinition } from '../evaluation/definition';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { takeUnmarked } from '../due/take-unmarked';
import { deleteExpired, storeEvents } from '../event-store/events.store';

const dayS = 86_400;
const lifetime = { window: { lifetime: true }, op: 'gte' } as const;
const third = taskOf('00000000-0000-4000-8000-000000000031', {
  ...{ goal: { count: deposits, ...lifetime, value: '3' }, repeat: { once: true }, claw_back: 'always' },
});
const atLeast = (value: string): SegmentDefinition =>
  segmentOf(`00000000-0000-4000-8000-0000000001${value}`, { count: deposits, ...lifetime, value });
const left = [third, atLeast('09'), atLeast('10'), atLeast('11')];
const ofLogins = segmentOf('00000000-0000-4000-8000-000000000034', {
  ...{ count: { event: 'login', where: [] }, ...lifetime, value: '1' },
});
const ofDepositsToo = segmentOf('00000000-0000-4000-8000-000000000035', {
  ...{ count: deposits, window: { rolling: 'P7D' }, op: 'gte', value: '1' },
});

describe('awards for events that the store no longer has', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  beforeEach(() => tables.reset());
  afterAll(() => tables.drop());

  it.each<[string, EngineDefinition]>([
    ['that no other names', ofLogins],
    ['that another names too', ofDepositsToo],
  ])('stay, and all is counted, when definitions over events %s were left out', async (_, other) => {
    tables.given.set(...left, other);
    await issueAndForget();

    tables.given.set(other);
    tables.given.setUnreadable(
      ...left.map((each) => ({ ...each, reason: new TypeError('a body of another release') })),
    );
    // On time, late, and after its time was final; then so late that more would be final.
    await applyAt(201, at(201), at(100, 201), at(140));
    await addByReleaseBefore(at(202));
    await applyAt(300, at(300));
    expect(await tables.count('event_histories')).toBe(1);

    tables.given.setUnreadable();
    tables.given.set(...[...left, other].map(withSecondVersion));
    tables.clockMs = (nowS + 301 * dayS) * 1000;
    while ((await sweepDefinitions(tables.parts, 100)) > 0);
    while ((await settleDue(tables.parts, 100)).settled > 0);
    expect(await counted()).toBe(9);
    await applyAt(302, at(302));
    expect(await counted()).toBe(10);
    await applyAt(400, at(400));
    expect(await counted()).toBe(11);
    expect(await ledger()).toEqual(['issued']);
  });

  it('stay when what was kept of them is computed again', async () => {
    tables.given.set(...left);
    await issueAndForget();
    await tables.pool.query('DELETE FROM engagement.event_histories');
    await applyAt(201, at(201));
    expect(await ledger()).toEqual(['issued']);
  });

  /** Three deposits, of which the third one is paid, and one 200 days later; the store forgets the three. */
  async function issueAndForget(): Promise<void> {
    await tables.linkUsers('user-1');
    await applyAt(1, at(0), at(0.5), at(1));
    expect(await ledger()).toEqual(['issued']);
    await applyAt(200, at(200));
    await deleteExpired(queryable(tables.pool), (nowS + 200 * dayS) * 1000, 100);
    expect(await tables.count('events')).toBe(1);
  }

  async function applyAt(day: number, ...events: UserEventData[]): Promise<void> {
    tables.clockMs = (nowS + day * dayS) * 1000;
    await tables.apply(events);
  }

  async function addByReleaseBefore(data: UserEventData): Promise<void> {
    const { rows } = await tables.pool.query<{ ref: number }>('SELECT user_ref AS ref FROM engagement.users');
    await storeEvents(queryable(tables.pool), [{ userRef: rows[0].ref, data }], data.received_at);
    await tables.pool.query('UPDATE engagement.events SET in_history = false WHERE event_id = $1', [data.event.id]);
    expect((await takeUnmarked(tables.parts, 10)).users).toBe(1);
  }

  /** How many deposits the user has, of nine to eleven. */
  async function counted(): Promise<number> {
    let count = 8;
    for (const value of ['09', '10', '11']) count += (await tables.members(atLeast(value))).length;
    return count;
  }

  async function ledger(): Promise<string[]> {
    const { rows } = await tables.pool.query<{ kind: string }>(
      'SELECT kind FROM engagement.ledger_entries ORDER BY seq',
    );
    return rows.map(({ kind }) => kind);
  }
});

/** A deposit of so many days after `nowS`. */
function at(day: number, receivedDay = day): UserEventData {
  const createdAt = nowS + day * dayS;
  return userEvent({ id: `on-day-${day}`, createdAt, receivedAt: (nowS + receivedDay * dayS) * 1000 });
}

function withSecondVersion(definition: EngineDefinition): EngineDefinition {
  const second = { version: 2, inForceFrom: nowS + 300 * dayS };
  return definition.kind === 'task'
    ? { ...definition, versions: [definition.versions[0], { ...definition.versions[0], ...second }] }
    : { ...definition, versions: [definition.versions[0], { ...definition.versions[0], ...second }] };
}
