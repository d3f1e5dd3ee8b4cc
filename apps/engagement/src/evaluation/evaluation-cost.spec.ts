import { deposits, segmentOf, taskOf } from '../../test/given-definitions';
import { definitionSet } from '../progress/definition-set';
import type { Condition, Window } from './condition';
import type { EngineDefinition } from './definition';
import { decidingEvent } from './deciding-event';
import { evaluateSegment } from './evaluate-segment';
import { evaluateTask } from './evaluate-task';
import type { HistoryEvent } from './history';
import { momentOf } from './moment';
import { ratesOf } from './rates';
import { SeenValues } from './seen-values';
import { UserView, emptyHistory } from './user-history';

const id = '00000000-0000-4000-8000-000000000001';
const dayS = 86_400;
const firstS = 100 * dayS;
const everyS = 600;
const nowS = firstS + 1_000 * everyS;
const link = { linkedAt: 10, unlinkedAt: null, account: 'sub-1' };
const specs = {
  deposit: {
    amount: { type: 'decimal', nonNegative: true },
    money: { type: 'decimal', currencyAttribute: 'currency', currencies: { EUR: 1, USD: 1 }, nonNegative: true },
  },
} as const;
const rates = new Map([['organizer-1', ratesOf([{ from: 'USD', to: 'EUR', dayS: 0, rate: 900_000_000_000n }])]]);

/** A user with a deposit every ten minutes up to now, or so often; `reads` counts how often the engine looks at the time of one. */
function userWith(count: number, stepS = everyS): { readonly view: UserView; readonly reads: () => number } {
  let reads = 0;
  const events = Array.from({ length: count }, (_, at): HistoryEvent => {
    const createdAt = nowS - (count - at) * stepS;
    const fields = { id: String(at).padStart(6, '0'), name: 'deposit', receivedAt: createdAt, linkedAt: 10 };
    const attributes = { amount: '2', money: '2', currency: at % 2 === 0 ? 'EUR' : 'USD' };
    return {
      ...{ ...fields, account: 'sub-1', contractVersion: 1, attributes },
      get createdAt() {
        reads++;
        return createdAt;
      },
    };
  });
  const history = { ...emptyHistory, events };
  return { view: new UserView(new Map([['deposit', history]]), [link]), reads: () => reads };
}

const windows: [string, Window][] = [
  ['lifetime', { lifetime: true }],
  ['30 days', { rolling: 'P30D' }],
  ['6 hours', { rolling: 'PT6H' }],
  ['the month', { calendar: 'month' }],
  ['the link', { since: 'link' }],
];
const comparisons = (window: Window, value: string): [string, Condition][] => [
  ['a count', { count: deposits, window, op: 'gte', value }],
  ['a sum', { sum: deposits, attribute: 'amount', window, op: 'gte', value }],
  ['a greatest value', { max: deposits, attribute: 'amount', window, op: 'gte', value }],
  ['different values', { distinct: deposits, attribute: 'amount', window, op: 'gte', value }],
  ['a converted sum', { sum: deposits, attribute: 'money', convert_to: 'EUR', window, op: 'gte', value }],
  ['a converted least value', { min: deposits, attribute: 'money', convert_to: 'EUR', window, op: 'gte', value }],
];
const others = (value: string): [string, Condition][] => [
  ['a streak', { streak: deposits, every: 'day', op: 'gte', value }],
  ['an absence', { absent: deposits, window: { rolling: 'P1D' } }],
  ['the latest', { latest: 'deposit', where: [{ attribute: 'amount', op: 'eq', value }] }],
  [
    'a sequence',
    { sequence: [deposits, { event: 'deposit', where: [{ attribute: 'amount', op: 'eq', value }] }], within: 'P1D' },
  ],
];
/** The compared value is never reached, so that every instant is evaluated. */
const neverReached: [string, Condition][] = [
  ...windows.flatMap(([of, window]) =>
    comparisons(window, '1000000').map(([name, condition]): [string, Condition] => [`${name} of ${of}`, condition]),
  ),
  ...others('1000000'),
];

/** Compiles a definition and returns what evaluates it for a view of a user. */
function evaluationOf(definition: EngineDefinition): (view: UserView) => unknown {
  const compiled = definitionSet([{ ...definition, specs }], false, rates).byId.get(id);
  if (compiled?.kind === 'task') return (view) => evaluateTask(compiled, view, compiled.names, { fromS: 0, nowS }).owed;
  if (compiled?.kind === 'segment') return (view) => evaluateSegment(compiled, view, compiled.names, nowS);
  throw new Error('the definition was not compiled');
}

/** How many more looks four times as many events take. */
function growthOf(definition: EngineDefinition): number {
  const evaluate = evaluationOf(definition);
  const [few, many] = [userWith(200), userWith(800)];
  for (const { view } of [few, many]) evaluate(view);
  return many.reads() / few.reads();
}

describe('an evaluation at every instant looks at each event of a user a bounded number of times', () => {
  it.each(neverReached)('of a task or a segment with %s', (_name, condition) => {
    expect(growthOf(taskOf(id, { goal: condition, repeat: { once: true } }))).toBeLessThan(6);
    expect(growthOf(segmentOf(id, condition))).toBeLessThan(6);
  });

  it.each(
    windows
      .filter(([, window]) => 'lifetime' in window || 'since' in window)
      .flatMap(([of, window]) =>
        comparisons(window, '1')
          .filter(([, condition]) => 'count' in condition || 'sum' in condition)
          .map(([name, goal]): [string, Condition] => [`${name} of ${of}`, goal]),
      ),
  )('of a task that repeats at every step of %s', (_name, goal) => {
    const repeating = taskOf(id, { goal, repeat: { every: '1' } });
    expect(evaluationOf(repeating)(userWith(200).view)).not.toEqual([]);
    expect(growthOf(repeating)).toBeLessThan(6);
  });

  it('of a task that pays a percentage of a sum', () => {
    const of = { sum: deposits, attribute: 'money', window: { rolling: 'P30D' } } as const;
    const reward = { type: 'bonus_money', percent: '10', of, currency: 'EUR' } as const;
    const goal = { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' } as const;
    expect(growthOf(taskOf(id, { goal, repeat: { every: '1' }, reward }))).toBeLessThan(6);
  });
});

describe('the events of one second, of which each may decide', () => {
  it('are added up in a number of steps that grows like theirs', () => {
    const stepsOf = (count: number): number => {
      const { view } = userWith(count, 0);
      const events = view.eventsOf('deposit');
      const values = new SeenValues(
        events.map((event) => ({ event, seenAt: event.createdAt, value: 1 })),
        (a, b) => a + b,
      );
      let [steps, most] = [0, 0];
      const decidedBy = decidingEvent(momentOf(view, nowS), events, (moment) => {
        let seen = 0;
        values.forEachAt(moment, 0, Infinity, (value) => {
          seen += value;
          steps++;
        });
        most = Math.max(most, seen);
        return seen === count;
      });
      expect([decidedBy, most]).toEqual([events[count - 1], count]);
      return steps;
    };
    expect(stepsOf(800) / stepsOf(200)).toBeLessThan(6);
  });

  it('are looked at a bounded number of times by a sequence', () => {
    const readsOf = (count: number): number => {
      const { view, reads } = userWith(count, 0);
      const last: Condition = { count: deposits, window: { lifetime: true }, op: 'gte', value: String(count) };
      const goal = { all: [{ sequence: [deposits, deposits], within: 'P1D' }, last] } as Condition;
      const owed = evaluationOf(taskOf(id, { goal, repeat: { once: true } }))(view);
      expect(owed).toMatchObject([{ decidedBy: { id: String(count - 1).padStart(6, '0') } }]);
      return reads();
    };
    expect(readsOf(800) / readsOf(200)).toBeLessThan(6);
  });
});
