import { historiesOf, setOf } from '../../test/evaluated-world';
import { at, atLeast, deposit, event, lifetime, link, login, segment } from '../../test/oracle/example-parts';
import { definitionSet } from '../progress/definition-set';
import { evaluateSegment } from '../evaluation/evaluate-segment';
import { UserView } from '../evaluation/user-history';

const counts = [
  segment({ condition: atLeast(1, login, lifetime) }, { definitionId: 'logins' }),
  segment({ condition: atLeast(1, deposit, lifetime) }, { definitionId: 'deposits' }),
];
const published = segment({ condition: { sequence: [login, deposit], within: 'PT1H' } }, { definitionId: 'sequence' });

function isMember(times: { readonly login: string; readonly deposit: string }): boolean {
  const events = [
    event('l1', 'login', times.login),
    event('d1', 'deposit', times.deposit),
    event('l2', 'login', '11-20 10:00:00'),
    event('d2', 'deposit', '11-20 18:00:00'),
  ];
  const definitions = [...counts, published];
  const world = { definitions, events, links: [link('10-01')], rates: [], horizonS: 35 * 86_400 };
  const histories = historiesOf(world, events, at('10-20'), definitionSet(counts));
  const segmentNow = setOf(world).byId.get('sequence')!;
  if (segmentNow.kind !== 'segment') throw new Error('a segment is expected');
  return evaluateSegment(segmentNow, new UserView(histories, world.links), segmentNow.names, at('11-25')).member;
}

describe('a sequence that is published when the histories of its names are condensed', () => {
  it('has happened if the stored events say so', () => {
    expect(isMember({ login: '10-05 10:00:00', deposit: '10-05 10:30:00' })).toBe(true);
    expect(isMember({ login: '10-05 10:00:00', deposit: '10-05 11:00:01' })).toBe(false);
  });

  it('goes on with an event of before', () => {
    expect(isMember({ login: '10-19 23:30:00', deposit: '10-20 00:15:00' })).toBe(true);
  });
});
