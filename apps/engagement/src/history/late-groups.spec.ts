import { historiesOf, setOf } from '../../test/evaluated-world';
import type { World } from '../../test/oracle';
import { at, deposit, event, lifetime, link, segment, atLeast } from '../../test/oracle/example-parts';
import type { Condition } from '../evaluation/condition';
import { evaluateSegment } from '../evaluation/evaluate-segment';
import { UserView } from '../evaluation/user-history';
import { explainSegment } from '../explain/explain-segment';
import { mergeLate } from './bounded-history';
import { completeRunning } from './change-history';

/** Deposits of May and June that were received in November, all in one quarter of an hour but the last. */
const late = ['05-01', '05-02', '06-20', '05-03'].map((day, index) =>
  event(
    `l${index}`,
    'deposit',
    day,
    { amount: `${index}`, currency: 'EUR' },
    { receivedAt: `11-04 10:${index === 3 ? '20' : `0${index}`}:00` },
  ),
);

/** What is found when the three that were received first are merged. */
function found(condition: Condition, ...others: World['events']) {
  const events = [...late, ...others];
  const world: World = {
    ...{ definitions: [segment({ condition })], links: [link('04-01')], rates: [], horizonS: 35 * 86_400 },
    events,
  };
  const histories = historiesOf(world, events);
  const history = histories.get('deposit')!;
  const kept = setOf(world).keptState('acme', 'deposit');
  mergeLate(history, 1, kept, () => []);
  expect(history.lateGroups).toHaveLength(1);
  const live = setOf(world).byId.get('segment')!;
  if (live.kind !== 'segment') throw new Error('the world has a segment');
  const view = new UserView(histories, world.links);
  return {
    ...{ view, history, kept },
    at: (second: number) => evaluateSegment(live, view, live.names, second),
    explained: (second: number) => {
      const stored = new Map([['deposit', events]]);
      const [comparison] = explainSegment(live, { view, atS: second, stored, segments: new Map() }).comparisons;
      return comparison;
    },
  };
}

const mergedAt = at('11-04 10:02:00');

describe('merged late events', () => {
  it('count from the last receipt of their quarter of an hour on, and are explained as a part', () => {
    const { at: evaluated, explained } = found(atLeast(3, deposit, lifetime));
    expect(evaluated(mergedAt - 1)).toMatchObject({ member: false });
    expect(evaluated(mergedAt)).toMatchObject({ member: true, changedAt: mergedAt });
    expect(explained(mergedAt - 1)).toMatchObject({ value: '0', buckets: [] });
    const { value, buckets, counted, notStored } = explained(at('11-05'));
    expect({ value, buckets, notStored }).toEqual({
      ...{ value: '4', notStored: 0 },
      buckets: [{ startsAt: null, value: '3', stored: 3 }],
    });
    expect(counted.map((each) => each.event.id)).toEqual(['l2', 'l3', 'l1', 'l0']);
  });

  it('leave a window when they would singly', () => {
    const { at: evaluated } = found(atLeast(1, deposit, { rolling: 'P150D' }));
    expect(evaluated(at('11-05'))).toMatchObject({ member: true, dueAt: at('06-20') + 150 * 86_400 });
  });

  it('are converted', () => {
    const sum = {
      sum: deposit,
      attribute: 'amount',
      convert_to: 'EUR',
      window: lifetime,
      op: 'eq',
      value: '6',
    } as const;
    expect(found(sum).at(at('11-05'))).toMatchObject({ member: true });
  });

  it('count as running values do', () => {
    const { history, kept } = found(atLeast(3, deposit, lifetime));
    const known = [...history.running].map(([id, { flat }]) => [id, [...flat]]);
    expect(known).toEqual([[expect.any(String), [0, 4]]]);
    history.running.clear();
    completeRunning(history, kept);
    expect([...history.running].map(([id, { flat }]) => [id, flat])).toEqual(known);
  });

  it('do not count when their quarter of an hour ends after a task has closed', () => {
    const { view } = found(atLeast(3, deposit, lifetime));
    expect(view.receivedBefore(mergedAt).of('deposit').lateGroups).toEqual([]);
    expect(view.receivedBefore(mergedAt + 1).of('deposit').lateGroups).toHaveLength(1);
  });

  it('may be the newest', () => {
    const passes = {
      latest: 'deposit',
      where: [{ attribute: 'amount', op: 'eq', value: '2', currency: 'EUR' }],
    } as const;
    const { at: evaluated, explained } = found(passes);
    expect(evaluated(at('11-05'))).toMatchObject({ member: true, changedAt: mergedAt });
    expect(explained(at('11-05')).counted.map((each) => each.event.id)).toEqual(['l2']);
    const newer = event('n', 'deposit', '11-05', { amount: '7', currency: 'EUR' });
    expect(found(passes, newer).at(at('11-06'))).toMatchObject({ member: false, changedAt: at('11-05') });
  });
});
