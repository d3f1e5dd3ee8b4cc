import { historiesOf, setOf } from '../../test/evaluated-world';
import type { World } from '../../test/oracle';
import { at, deposit, event, link, segment, sinceLink } from '../../test/oracle/example-parts';
import { Packr } from 'msgpackr';
import { momentOf } from '../evaluation/moment';
import { UserView } from '../evaluation/user-history';
import { mergeLate } from './bounded-history';
import { packHistory, unpackHistory } from './history-codec';
import { StoredHistory } from './stored-history';

const condition = { sum: deposit, attribute: 'amount', window: sinceLink, op: 'eq', value: '190' } as const;
const world: World = {
  definitions: [
    segment({ condition: { ...condition, convert_to: 'EUR' } }, { definitionId: 'converted' }),
    segment({ condition: { ...condition, currency: 'USD', value: '200' } }, { definitionId: 'dollars' }),
  ],
  events: ['11-02', '11-03', '11-05'].map((day, index) =>
    event(`d${index}`, 'deposit', day, { amount: index === 2 ? '10' : '95', currency: 'USD' }),
  ),
  links: [link('10-01')],
  rates: [
    { from: 'USD', to: 'EUR', day: '2026-11-01', rate: '1' },
    { from: 'USD', to: 'EUR', day: '2026-11-03', rate: '0.000000000001' },
  ],
  horizonS: 35 * 86_400,
};

describe('a packed history', () => {
  it('is the same when it is read, with its parts by link and day', () => {
    const history = historiesOf(world, world.events, at('11-05')).get('deposit')!;
    const read = unpackHistory('deposit', packHistory(history));
    expect(plain(read)).toEqual(plain(history));
    // Once more, with what the first reading has left packed.
    expect(plain(unpackHistory('deposit', packHistory(unpackHistory('deposit', packHistory(read)))))).toEqual(
      plain(history),
    );
    const buckets = [...read.parts.values()].flatMap((parts) => [...parts.keys()]);
    expect(buckets.some((bucket) => bucket > 2 ** 32)).toBe(true);

    const view = new UserView(new Map([['deposit', read]]), world.links);
    const { byId } = setOf(world);
    const valueOf = (id: string): string => {
      const live = byId.get(id)!;
      let value = '';
      if (live.kind === 'segment')
        live.conditions[0].values(momentOf(view, at('11-06')), '', (_, text) => (value = text));
      return value;
    };
    expect([valueOf('converted'), valueOf('dollars')]).toEqual(['190.00000000001', '200']);
  });
});

describe('a packed history with late events', () => {
  const late = ['06-01', '06-02', '06-05'].map((day, index) =>
    event(`l${index}`, 'deposit', day, { amount: '5', currency: 'USD' }, { receivedAt: '11-04 10:00:00' }),
  );
  const kept = setOf(world).keptState('acme', 'deposit');
  const withGroup = () => {
    const history = historiesOf(world, [...world.events, ...late]).get('deposit')!;
    mergeLate(history, 1, kept, () => []);
    return history;
  };

  it('is the same when it is read, with groups of merged ones', () => {
    const history = withGroup();
    const read = unpackHistory('deposit', packHistory(history));
    expect(read.lateGroups.map(({ newest }) => newest.id)).toEqual(['l1']);
    expect(plain(read)).toEqual(plain(history));
    expect(plain(unpackHistory('deposit', packHistory(read)))).toEqual(plain(history));
    // Neither the events nor the groups have to be decoded.
    const untouched = unpackHistory('deposit', packHistory(history));
    expect(untouched.hasLateGroups).toBe(true);
    expect(plain(unpackHistory('deposit', packHistory(untouched)))).toEqual(plain(history));
  });

  it('is in a form that earlier releases read, unless it has groups, and their form is read', () => {
    const packr = new Packr({ useRecords: false, moreTypes: false, int64AsType: 'bigint', useBigIntExtension: true });
    const history = historiesOf(world, [...world.events, ...late]).get('deposit')!;
    const packed = packr.unpack(packHistory(history)) as unknown[];
    expect([packed[0], packed.length]).toEqual([3, 12]);
    const read = unpackHistory('deposit', packr.pack(packed.slice(0, 11)));
    expect(read.summary.lateCount).toBe(3);
    expect(plain(read)).toEqual(plain(history));
    expect((packr.unpack(packHistory(withGroup())) as unknown[])[0]).toBe(4);
  });
});

describe('an attribute of a packed event', () => {
  it('may have any name', () => {
    const history = new StoredHistory();
    const attributes = Object.fromEntries([
      ['__proto__', '7'],
      ['constructor', '8'],
      ['amount', '9'],
    ]);
    history.append({ ...world.events[0], attributes });
    const [read] = unpackHistory('deposit', packHistory(history)).events;
    expect(Object.entries(read.attributes)).toEqual(Object.entries(attributes));
    expect(Object.getPrototypeOf(read.attributes)).toBe(Object.prototype);
  });
});

function plain({
  finalTo,
  events,
  newest,
  newestFinal,
  tail,
  lateGroups,
  parts,
  sequences,
  running,
  months,
  summary,
}: StoredHistory) {
  return { finalTo, events, newest, newestFinal, tail, lateGroups, parts, sequences, running, months, summary };
}
