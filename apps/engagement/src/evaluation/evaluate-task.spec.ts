import { deposits, taskOf } from '../../test/given-definitions';
import { definitionSet } from '../progress/definition-set';
import type { Condition } from './condition';
import { evaluateTask } from './evaluate-task';
import type { HistoryEvent } from './history';
import { UserView, emptyHistory } from './user-history';

const id = '00000000-0000-4000-8000-000000000001';
const link = { linkedAt: 10, unlinkedAt: null, account: 'sub-1' };

/** A user with a deposit each second; `reads` counts how often the engine looks at the time of one. */
function userWith(count: number): { readonly view: UserView; readonly reads: () => number } {
  let reads = 0;
  const events = Array.from({ length: count }, (_, at): HistoryEvent => {
    const fields = { id: String(at).padStart(6, '0'), name: 'deposit', receivedAt: 100 + at, linkedAt: 10 };
    return {
      ...{ ...fields, account: 'sub-1', contractVersion: 1, attributes: { amount: '2' } },
      get createdAt() {
        reads++;
        return 100 + at;
      },
    };
  });
  const history = { ...emptyHistory, events };
  return { view: new UserView(new Map([['deposit', history]]), [link]), reads: () => reads };
}

function evaluate(goal: Condition, view: UserView) {
  const set = definitionSet([taskOf(id, { goal, repeat: { every: '1' }, max_per_user: 100_000 })]);
  const task = set.byId.get(id);
  if (task?.kind !== 'task') throw new Error('the task was not compiled');
  return evaluateTask(task, view, task.names, { fromS: 0, nowS: 1_000_000 }).owed;
}

describe('a task that repeats every N', () => {
  const count = { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' } as const;

  it('finds evidence when it is read, and once', () => {
    const { view, reads } = userWith(100);
    const owed = evaluate(count, view);
    const before = reads();
    const { evidence } = owed[99];
    expect(evidence.events.map(({ id: eventId }) => eventId)).toEqual([
      '000099',
      '000098',
      '000097',
      '000096',
      '000095',
    ]);
    expect(evidence.values).toEqual({ goal: '100' });
    expect(reads()).toBeGreaterThan(before);
    expect(owed[99].evidence).toBe(evidence);
  });
});

describe('a task that pays each day by time', () => {
  const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`) / 1000;
  const goal = { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' } as const;

  /** When it is due for a user with a deposit, if its days are those of another zone from an instant on. */
  function dueAt(zones: readonly [string, string], inForceFrom: number, nowS: number): number | null {
    const given = taskOf(id, { goal, repeat: { per: 'day' }, zone: zones[0], starts_at: at('01T00:00') });
    const [first] = given.versions;
    const second = { version: 2, generation: 2, inForceFrom, body: { ...first.body, zone: zones[1] } };
    const task = definitionSet([{ ...given, versions: [first, second] }]).byId.get(id);
    if (task?.kind !== 'task') throw new Error('the task was not compiled');
    return evaluateTask(task, userWith(1).view, task.names, { fromS: 0, nowS }).dueAt;
  }

  it.each([
    ['begins on a day that is paid', 'UTC', 'America/New_York', '06T05:00', '06T00:00', '07T05:00'],
    ['begins when the next day is paid too', 'UTC', 'America/New_York', '07T01:10', '07T01:10', '08T05:00'],
    ['is behind by 25 hours', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', '07T10:30', '07T10:30', '09T11:00'],
    ['is ahead', 'America/New_York', 'UTC', '06T00:00', '05T05:00', '06T00:00'],
  ])('is due on the next day that is not paid, if another zone %s', (_which, from, to, inForceFrom, now, due) => {
    expect(dueAt([from, to], at(inForceFrom), at(now))).toBe(at(due));
  });
});

describe('links that began in one second', () => {
  const lasting = { linkedAt: 10, unlinkedAt: null, account: 'sub-1' };
  const ended = { linkedAt: 10, unlinkedAt: 10, account: 'sub-2' };

  it.each([
    ['one that ended in it after one that lasts', [lasting, ended]],
    ['one that lasts after one that ended in it', [ended, lasting]],
  ])('decide by the one that lasts: %s', (_, links) => {
    const goal: Condition = { not: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' } };
    const task = definitionSet([taskOf(id, { goal, repeat: { once: true }, starts_at: 20 })]).byId.get(id);
    if (task?.kind !== 'task') throw new Error('the task was not compiled');
    const { owed } = evaluateTask(task, new UserView(new Map(), links), task.names, { fromS: 0, nowS: 100 });
    expect(owed.map(({ account }) => account)).toEqual(['sub-1']);
  });
});
