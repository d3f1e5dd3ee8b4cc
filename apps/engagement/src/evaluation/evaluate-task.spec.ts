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
