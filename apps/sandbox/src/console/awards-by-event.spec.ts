import { QueuedEvent } from '../partners/partner';
import { awardsByEvent } from './awards-by-event';
import { IssuedAward } from './issued-awards';

const task = {
  ...{ task_id: 't', name: 'Deposit bonus', state: 'published' },
  goal: { count: { event: 'deposit' }, op: 'gte', value: 1 },
};

function event(id: string, changes: Partial<QueuedEvent> = {}): QueuedEvent {
  return {
    ...{ id, sub: 's1', name: 'deposit', created_at: 100, attributes: [], attempts: 1, next_at: 0, accepted: true },
    ...{ last_answer: '', ...changes },
  };
}

function award(id: string, changes: Partial<IssuedAward> = {}): IssuedAward {
  return {
    ...{ award_id: id, task_id: 't', platform_user_id: 's1', reward: { type: 'bonus_money', amount: '5.00' } },
    ...{ reached_at: new Date(100_000).toISOString(), state: 'issued', ...changes },
  };
}

function idsByEvent(events: QueuedEvent[], awards: IssuedAward[]): Record<string, string[]> {
  const found = awardsByEvent(events, { awards, tasks: [task] });
  return Object.fromEntries([...found].map(([id, list]) => [id, list.map((each) => each.award.award_id)]));
}

describe('awardsByEvent', () => {
  it('finds the event by account, second and name', () => {
    const others = [
      event('other user', { sub: 's2' }),
      event('other second', { created_at: 101 }),
      event('other name', { name: 'bet' }),
      event('not accepted', { accepted: false }),
    ];
    expect(idsByEvent([...others, event('the one')], [award('a')])).toEqual({ 'the one': ['a'] });
    expect(idsByEvent(others, [award('a')])).toEqual({});
  });

  it('gives the awards of one task to the events of one second in turn, oldest first', () => {
    expect(idsByEvent([event('first'), event('second')], [award('newer'), award('older')])).toEqual({
      first: ['older'],
      second: ['newer'],
    });
    expect(idsByEvent([event('only')], [award('b'), award('a')])).toEqual({ only: ['a', 'b'] });
  });
});
