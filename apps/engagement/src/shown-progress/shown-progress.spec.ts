import { setOf, viewOf } from '../../test/evaluated-world';
import { type World } from '../../test/oracle';
import { at, deposit, event, lifetime, link, task } from '../../test/oracle/example-parts';
import { progressOf, seriesAt } from './shown-progress';

describe('shown progress', () => {
  it('of a step of converted money is an exact decimal in its currency', () => {
    const world: World = {
      definitions: [
        task({
          goal: { sum: deposit, attribute: 'amount', convert_to: 'EUR', window: lifetime, op: 'gte', value: '100' },
          repeat: { every: '100' },
          max_per_user: 50,
        }),
      ],
      events: [event('d1', 'deposit', '11-05', { amount: '200', currency: 'USD' })],
      links: [link('10-01')],
      rates: [{ from: 'USD', to: 'EUR', day: '2026-11-04', rate: '0.900000000001' }],
      horizonS: 35 * 86_400,
    };
    const live = setOf(world).byId.get('task');
    if (live?.kind !== 'task') throw new Error('the world has a task');
    const progress = progressOf(live, seriesAt(live, at('11-06')), viewOf(world, world.events), []);
    expect(progress).toEqual({ value: '180.0000000002', target: '200', reachedAt: null });
  });

  it('after the dates of a task is that of its last second', () => {
    const dates = { starts_at: at('11-01'), ends_at: at('11-10') };
    const daily = task({ goal: { count: deposit, window: { calendar: 'day' }, op: 'gte', value: '2' }, ...dates });
    const world: World = { definitions: [daily], events: [], links: [link('10-01')], rates: [], horizonS: 35 * 86_400 };
    const live = setOf(world).byId.get('task');
    if (live?.kind !== 'task') throw new Error('the world has a task');
    expect(seriesAt(live, at('11-09')).shownAt).toBe(at('11-09'));
    expect(seriesAt(live, at('11-12')).shownAt).toBe(at('11-10') - 1);
  });
});
