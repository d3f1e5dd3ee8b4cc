import { deposits, taskOf } from '../../test/given-definitions';
import { TaskBody } from '../evaluation/definition';
import { evaluateTask } from '../evaluation/evaluate-task';
import { HistoryEvent } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { LiveDefinition, definitionSet } from '../progress/definition-set';
import { boundHistory } from './bounded-history';
import { addEvent, allEvents } from './change-history';
import { addAndFindChanges } from './changed-definitions';
import { packHistory, unpackHistory } from './history-codec';
import { StoredHistory } from './stored-history';

const dayS = 86_400;
const nowS = Date.parse('2026-11-20T12:00:00Z') / 1000;
const links = [{ linkedAt: nowS - 400 * dayS, unlinkedAt: null, account: 'sub-1' }];

interface Step {
  readonly atS: number;
  readonly events: readonly HistoryEvent[];
}

function eventAt(id: string, createdAt: number, receivedAt: number, amount = '1'): HistoryEvent {
  const rest = { linkedAt: links[0].linkedAt, account: 'sub-1', contractVersion: 1, attributes: { amount } };
  return { id, name: 'deposit', createdAt, receivedAt, ...rest };
}

/** Three hundred events of 300 days ago in each second. */
function oldOnes(count: number, fromS: number): Step[] {
  return Array.from({ length: count / 300 }, (_, batch) => ({
    atS: fromS + batch,
    events: Array.from({ length: 300 }, (_each, i) =>
      eventAt(`old-${batch}-${i}`, nowS - 300 * dayS + batch * 1_000 + i, fromS + batch),
    ),
  }));
}

/** One on each of the last twelve days, on time, the newest first. */
function recentOnes(fromS: number): Step[] {
  return Array.from({ length: 12 }, (_, i) => ({
    atS: fromS + i,
    events: [eventAt(`recent-${i}`, nowS - (i + 1) * dayS, fromS + i)],
  }));
}

function taskWith(body: Pick<TaskBody, 'goal' | 'repeat'>) {
  const set = definitionSet([taskOf('00000000-0000-4000-8000-000000000001', { ...body, starts_at: nowS - 20 * dayS })]);
  const [task] = [...set.byId.values()];
  if (task.kind !== 'task') throw new Error('a task is expected');
  return { set, task };
}

/** The occurrences that are found in any step, each with its last `reachedAt`, and the history at the end. */
function run({ set, task }: ReturnType<typeof taskWith>, steps: readonly Step[]) {
  const owed = new Map<string, number>();
  const kept = set.keptState('acme', 'deposit');
  let history = new StoredHistory();
  let early = 0;
  for (const { atS, events } of steps) {
    for (const event of events) addEvent(history, event, kept);
    for (const { occurrence, reachedAt } of owedBy(task, history, atS)) owed.set(occurrence, reachedAt);
    if (boundHistory(history, kept, () => allEvents(history))) early++;
    history = unpackHistory('deposit', packHistory(history));
  }
  return { owed, history, early };
}

function owedBy(task: LiveDefinition, history: StoredHistory, atS: number) {
  if (task.kind !== 'task') return [];
  const view = new UserView(new Map([['deposit', history]]), links);
  const { owed } = evaluateTask(task, view, task.names, { fromS: history.finalTo, nowS: atS });
  return owed.flatMap(({ occurrences, reachedAt }) =>
    occurrences.kind === 'one' ? [{ occurrence: occurrences.occurrence, reachedAt }] : [],
  );
}

describe('a partner who uploads thousands of old events', () => {
  const daily = taskWith({
    goal: { count: deposits, window: { task: true }, op: 'gte', value: '1' },
    repeat: { per: 'day' },
  });
  const orders: [string, Step[]][] = [
    ['before recent ones', [...oldOnes(2_100, nowS), ...recentOnes(nowS + 100)]],
    ['after recent ones', [...recentOnes(nowS), ...oldOnes(2_100, nowS + 100)]],
    [
      'between recent ones',
      [...recentOnes(nowS).slice(0, 6), ...oldOnes(2_100, nowS + 20), ...recentOnes(nowS + 100).slice(6)],
    ],
    ['of which none has to be merged', [...oldOnes(900, nowS), ...recentOnes(nowS + 100)]],
  ];

  it.each(orders)('makes no recent instant final: %s', (_, steps) => {
    const { owed, history, early } = run(daily, steps);
    expect([...owed.keys()].sort()).toEqual(
      Array.from({ length: 12 }, (_each, i) => new Date((nowS - (12 - i) * dayS) * 1000).toISOString().slice(0, 10)),
    );
    expect(history.finalTo).toBeLessThan(nowS - 300 * dayS);
    expect(history.summary.count).toBeLessThanOrEqual(1_012);
    expect(early > 0).toBe(steps.length > 15);
    // What was issued is still owed.
    expect(owedBy(daily.task, history, nowS + 200)).toHaveLength(12);
  });

  it('has them counted at the second at which enough of them are received', () => {
    const goal = { count: deposits, window: { lifetime: true }, op: 'gte', value: '1850' } as const;
    const { owed } = run(taskWith({ goal, repeat: { once: true } }), orders[0][1]);
    expect([...owed]).toEqual([['g1:once', nowS + 6]]);
  });
});

describe('a user with few events', () => {
  const counted = taskWith({
    goal: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1000' },
    repeat: { once: true },
  });
  /** How many events are merged each time, over three years, and the days of the single ones at the end. */
  const mergedBy = (everyDays: number): { merged: number[]; singleDays: number } => {
    const kept = counted.set.keptState('acme', 'deposit');
    const history = new StoredHistory();
    const merged: number[] = [];
    for (let day = 0; day < 3 * 365; day += everyDays) {
      const atS = nowS + day * dayS;
      addEvent(history, eventAt(`few-${day}`, atS, atS), kept);
      const { count } = history.summary;
      boundHistory(history, kept, () => allEvents(history));
      if (history.summary.count < count) merged.push(count - history.summary.count);
    }
    return { merged, singleDays: (history.summary.lastSeenAt - history.summary.firstSeenAt) / dayS };
  };

  it.each([12, 10, 7])('has several merged at once: one each %i days', (everyDays) => {
    const { merged } = mergedBy(everyDays);
    expect(merged.length).toBeGreaterThan(10);
    expect(Math.min(...merged)).toBeGreaterThanOrEqual(4);
  });

  it('has none waiting for months, and many merged as soon as some have waited', () => {
    expect(mergedBy(40).singleDays).toBeLessThan(35 + 21 + 63 + 40);
    expect(Math.max(...mergedBy(2).merged)).toBeLessThanOrEqual(12);
  });
});

describe('a user with thousands of events on time', () => {
  const goal = { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' } as const;
  const onTime = (count: number): HistoryEvent[] =>
    Array.from({ length: count }, (_, i) => eventAt(`now-${i}`, nowS + 10 * i, nowS + 10 * i));

  it('keeps the newest singly and makes earlier instants final, with the late events that are seen there', () => {
    const late = [eventAt('late-1', nowS - 90 * dayS, nowS + 5), eventAt('late-2', nowS - 90 * dayS, nowS + 10_000)];
    const steps = [{ atS: nowS + 20_000, events: [...late, ...onTime(2_001)] }];
    const { history, early } = run(taskWith({ goal, repeat: { once: true } }), steps);
    expect(early).toBe(1);
    expect(history.finalTo).toBe(nowS + 10 * 501);
    expect(history.events.map(({ id }) => id).filter((id) => id.startsWith('late'))).toEqual(['late-2']);
    expect(history.summary).toMatchObject({ count: 1_501, lateCount: 1 });
  });

  it('may have as many late ones as others have', () => {
    const steps = [...oldOnes(900, nowS), { atS: nowS + 20_000, events: onTime(1_900) }];
    const { history, early } = run(taskWith({ goal, repeat: { once: true } }), steps);
    expect([early, history.finalTo, history.summary.count]).toEqual([0, 0, 2_800]);
  });
});

describe('a user with thousands of events in one second', () => {
  const everyTenth = taskWith({
    goal: { count: deposits, window: { lifetime: true }, op: 'gte', value: '10' },
    repeat: { every: '10' },
  });
  /** As a partner sends them who states the day alone. */
  const inOneSecond = (count: number, from = 0): HistoryEvent[] =>
    Array.from({ length: count }, (_, i) => eventAt(`day-${from + i}`, nowS, nowS + i));
  const countOf = (history: StoredHistory): number => {
    const [, count] = [...history.running.values()].at(-1)!.flat;
    return Number(count);
  };

  it('keeps that second open while they are few enough', () => {
    const before = Array.from({ length: 500 }, (_, i) => eventAt(`before-${i}`, nowS - 1_000 + i, nowS));
    const { history } = run(everyTenth, [{ atS: nowS + 5_000, events: [...before, ...inOneSecond(3_900)] }]);
    expect([history.finalTo, history.summary.count]).toEqual([nowS, 3_900]);
  });

  it('makes that second final when they are more, and goes on counting', () => {
    const first = inOneSecond(4_001);
    const { history } = run(everyTenth, [
      { atS: nowS + 5_000, events: [...first, eventAt('next', nowS + 1, nowS + 1)] },
      { atS: nowS + 9_000, events: inOneSecond(4_000, first.length) },
    ]);
    expect(history.finalTo).toBe(nowS + 1);
    expect(history.events.map(({ id }) => id)).toEqual(['next']);
    expect(countOf(history)).toBe(8_002);
    expect(packHistory(history).length).toBeLessThan(1_000);
  });

  it('finds what they reach then at the next instant', () => {
    const goal = { count: deposits, window: { lifetime: true }, op: 'gte', value: '6000' } as const;
    const { owed } = run(taskWith({ goal, repeat: { once: true } }), [
      { atS: nowS + 5_000, events: inOneSecond(4_001) },
      { atS: nowS + 9_000, events: inOneSecond(4_000, 4_001) },
      { atS: nowS + 9_500, events: [eventAt('next', nowS + 9_100, nowS + 9_100)] },
    ]);
    expect([...owed]).toEqual([['g1:once', nowS + 9_100]]);
  });
});

describe('a user with thousands of events that a sequence may begin with', () => {
  const amount = (value: string) => ({ event: 'deposit', where: [{ attribute: 'amount', op: 'eq', value }] }) as const;
  const sequence = [amount('1'), amount('3')];
  const onTime = (count: number, value: string, from = 0): HistoryEvent[] =>
    Array.from({ length: count }, (_, i) => eventAt(`${value}-${from + i}`, nowS + from + i, nowS + from + i, value));

  it('keeps the newest of them, and none that is no step', () => {
    const made = taskWith({ goal: { sequence, within: 'P7D' }, repeat: { once: true } });
    const steps = Array.from({ length: 10 }, (_, i) => ({
      atS: nowS + 2_000 * (i + 1),
      events: [...onTime(1_000, '1', 2_000 * i), ...onTime(1_000, '2', 2_000 * i + 1_000)],
    }));
    const { history } = run(made, steps);
    expect(history.tail).toHaveLength(2_000);
    expect(history.tail.every(({ attributes }) => attributes.amount === '1')).toBe(true);
    const { owed } = run(made, [...steps, { atS: nowS + 20_001, events: onTime(1, '3', 20_000) }]);
    expect([...owed]).toEqual([['g1:once', nowS + 20_000]]);
  });
});

describe('the newest event of before another one', () => {
  const { set, task } = taskWith({
    goal: { latest: 'deposit', where: [{ attribute: 'amount', op: 'eq', value: '1' }] },
    repeat: { per: 'day' },
  });
  const kept = set.keptState('acme', 'deposit');
  const others = Array.from({ length: 1_001 }, (_, i) => eventAt(`late-${i}`, nowS - 200 * dayS + i, nowS, '2'));
  const addsToTask = (history: StoredHistory): boolean => {
    const to = { history, kept, index: set.forEvent('acme', 'deposit'), nowS: nowS + 10, isLinkKnown: () => true };
    return addAndFindChanges([eventAt('next', nowS + 5, nowS + 6, '2')], to).changed.has(task);
  };

  it('may be final while older late ones are single', () => {
    const history = new StoredHistory();
    for (const event of [eventAt('final', nowS - 150 * dayS, nowS - 150 * dayS), others[0]])
      addEvent(history, event, kept);
    expect(boundHistory(history, kept, () => allEvents(history))).toBe(false);
    expect(history.finalTo).toBeGreaterThan(0);
    expect(history.newest?.id).toBe('late-0');
    expect(addsToTask(unpackHistory('deposit', packHistory(history)))).toBe(true);
  });

  it('may be one of late ones that are merged', () => {
    const history = new StoredHistory();
    addEvent(history, eventAt('merged', nowS - 100 * dayS, nowS - 1_000), kept);
    for (const event of others) addEvent(history, event, kept);
    expect(boundHistory(history, kept, () => allEvents(history))).toBe(true);
    expect(history.hasLateGroups).toBe(true);
    expect(addsToTask(unpackHistory('deposit', packHistory(history)))).toBe(true);
  });
});
