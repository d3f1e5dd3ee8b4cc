import { viewOf, setOf } from '../../test/evaluated-world';
import type { World } from '../../test/oracle';
import { at, deposit, event, lifetime, link, segment } from '../../test/oracle/example-parts';
import { explainSegment } from './explain-segment';

const dollars = (id: string, createdAt: string, amount: string) =>
  event(id, 'deposit', createdAt, { amount, currency: 'USD' });

const world: World = {
  definitions: [
    segment({
      condition: { sum: deposit, attribute: 'amount', convert_to: 'EUR', window: lifetime, op: 'gte', value: '100' },
    }),
  ],
  events: [
    dollars('d1', '11-02', '7'),
    dollars('d2', '11-04', '50'),
    event('d3', 'deposit', '11-05', { amount: '60.5', currency: 'EUR' }),
    event('d4', 'deposit', '11-05', { amount: '1', currency: 'GBP' }),
  ],
  links: [link('10-01')],
  rates: [{ from: 'USD', to: 'EUR', day: '2026-11-03', rate: '0.9' }],
  horizonS: 35 * 86_400,
};

function explained(finalTo: number) {
  const live = setOf(world).byId.get('segment')!;
  if (live.kind !== 'segment') throw new Error('the world has a segment');
  const stored = new Map([['deposit', world.events]]);
  const view = viewOf(world, world.events, finalTo);
  const { comparisons, member } = explainSegment(live, { view, atS: at('11-06'), stored, segments: new Map() });
  const [{ value, target, counted, notCounted, buckets, notStored }] = comparisons;
  return {
    ...{ member, value, target, notStored, buckets },
    counted: counted.map((each) => `${each.event.id} ${each.text}`),
    notCounted: notCounted.map((each) => `${each.event.id} ${each.reason}`),
  };
}

describe('the explanation of converted money', () => {
  it('shows what each amount is worth, and which are left out without a rate', () => {
    expect(explained(0)).toEqual({
      ...{ member: true, value: '105.5', target: '100', notStored: 0, buckets: [] },
      counted: ['d3 60.5 EUR', 'd2 50 USD = 45 EUR'],
      notCounted: ['d4 absent_value', 'd1 no_rate'],
    });
  });

  it('shows merged amounts by day and currency', () => {
    expect(explained(at('11-05'))).toEqual({
      ...{ member: true, value: '105.5', target: '100', notStored: 0 },
      buckets: [
        { startsAt: at('11-04'), value: '50 USD = 45 EUR', stored: 1 },
        { startsAt: at('11-02'), value: '7 USD', stored: 1 },
      ],
      counted: ['d3 60.5 EUR', 'd2 50 USD = 45 EUR'],
      notCounted: ['d4 absent_value', 'd1 no_rate'],
    });
  });
});
