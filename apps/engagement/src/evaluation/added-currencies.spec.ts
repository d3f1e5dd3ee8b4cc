import { segmentOf } from '../../test/given-definitions';
import { DefinitionSet, definitionSet } from '../progress/definition-set';
import type { Condition, Filter } from './condition';
import type { SegmentDefinition } from './definition';
import { evaluateSegment } from './evaluate-segment';
import type { HistoryEvent } from './history';
import { UserView, emptyHistory } from './user-history';

const [before, after] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const nowS = 1_000_000;
const withAmount: Filter = { event: 'deposit', where: [{ attribute: 'amount', op: 'exists' }] };
const count = (filter: Filter): Condition => ({ count: filter, window: { lifetime: true }, op: 'gte', value: '1' });
const sequence: Condition = { sequence: [withAmount, { event: 'bet', where: [] }], within: 'P1D' };

/** A segment that was written when a deposit's money had these currencies, each since a contract version. */
function writtenWith(currencies: Record<string, number>, id: string, condition: Condition): SegmentDefinition {
  const amount = { type: 'decimal', currencyAttribute: 'currency', currencies } as const;
  return { ...segmentOf(id, condition), specs: { deposit: { amount }, bet: {} } };
}

/** Of a condition that was written before and after the contract's second version added pounds. */
function bothOf(condition: Condition): DefinitionSet {
  const old = writtenWith({ EUR: 1, USD: 1 }, before, condition);
  return definitionSet([old, writtenWith({ EUR: 1, USD: 1, GBP: 2 }, after, condition)]);
}

/** A user with a deposit in pounds under the second version, and a bet after it. */
function viewWithPounds(): UserView {
  const common = { linkedAt: 10, account: 'sub-1', contractVersion: 2 };
  const event = (name: string, at: number, attributes: Record<string, string>): [string, HistoryEvent] => [
    name,
    { ...common, id: name, name, createdAt: at, receivedAt: at, attributes },
  ];
  const events = [event('deposit', nowS - 60, { amount: '5', currency: 'GBP' }), event('bet', nowS - 30, {})];
  const histories = events.map(([name, each]) => [name, { ...emptyHistory, events: [each] }] as const);
  return new UserView(new Map(histories), [{ linkedAt: 10, unlinkedAt: null, account: 'sub-1' }]);
}

function isMember(set: DefinitionSet, id: string, view: UserView): boolean {
  const segment = set.byId.get(id);
  if (segment?.kind !== 'segment') throw new Error('not a segment');
  return evaluateSegment(segment, view, segment.names, nowS).member;
}

describe('a test whether money exists, in definitions from before and after a currency was added', () => {
  it.each<[string, Condition]>([
    ['count', count(withAmount)],
    ['sequence', sequence],
  ])('gives each its own answer, whichever is evaluated first: %s', (_, condition) => {
    const set = bothOf(condition);
    for (const order of [
      [before, after],
      [after, before],
    ]) {
      const view = viewWithPounds();
      const found = new Map(order.map((id) => [id, isMember(set, id, view)]));
      expect([found.get(before), found.get(after)]).toEqual([false, true]);
    }
  });

  it('keeps state for each', () => {
    expect(bothOf(count(withAmount)).keptState('acme', 'deposit').terms).toHaveLength(2);
    expect(bothOf(sequence).keptState('acme', 'deposit').sequences).toHaveLength(2);
  });

  it('shares state where the currencies do not matter', () => {
    const inEuros: Condition = {
      ...{ sum: { event: 'deposit', where: [] }, attribute: 'amount', currency: 'EUR', window: { lifetime: true } },
      ...{ op: 'gte', value: '1' },
    };
    for (const condition of [inEuros, count({ event: 'deposit', where: [] })])
      expect(bothOf(condition).keptState('acme', 'deposit').terms).toHaveLength(1);
  });
});
