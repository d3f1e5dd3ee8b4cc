import { linkChanged } from '@podium/messages';
import * as fc from 'fast-check';
import { tombstoneHeaders } from '../kafka';
import { NewestState, StateRecord, newestStates } from './newest-states';

type Record = StateRecord<typeof linkChanged>;

const state = (revision: number, key = 'k'): Record =>
  ({ key, headers: {}, record: { revision } }) as unknown as Record;
const tombstone = (revision: number | null, key = 'k'): Record => ({
  key,
  headers: revision === null ? {} : tombstoneHeaders(revision),
  record: null,
});
const told = ({ removed, state: kept }: NewestState<typeof linkChanged>) => [
  removed?.everything ? 'everything' : removed?.revision,
  kept?.revision,
];

describe('newestStates', () => {
  it('keeps the highest revision of each key', () => {
    const newest = newestStates([state(5), state(9, 'other'), state(4), state(6)]);
    expect(newest.map(({ key }) => key)).toEqual(['k', 'other']);
    expect(newest.map(told)).toEqual([
      [undefined, 6],
      [undefined, 9],
    ]);
  });

  it.each([
    { records: [state(5), tombstone(7)], come: [7, undefined] },
    { records: [tombstone(7), state(5)], come: [7, undefined] },
    { records: [tombstone(7), state(8)], come: [7, 8] },
    { records: [state(8), tombstone(7)], come: [7, 8] },
    { records: [tombstone(7), state(8), tombstone(3)], come: [7, 8] },
    { records: [state(8), tombstone(null)], come: ['everything', undefined] },
    { records: [tombstone(null), state(5)], come: ['everything', 5] },
    { records: [tombstone(7), tombstone(null), state(6)], come: ['everything', undefined] },
  ])('%j', ({ records, come }) => {
    expect(told(newestStates(records)[0])).toEqual(come);
  });

  it('comes to the same in every order where all revisions are known', () => {
    const any = fc.record({ revision: fc.nat(30), gone: fc.boolean() });
    fc.assert(
      fc.property(fc.uniqueArray(any, { selector: ({ revision }) => revision, minLength: 1 }), (given) => {
        const records = given.map(({ revision, gone }) => (gone ? tombstone(revision) : state(revision)));
        const turned = [...records].reverse();
        expect(told(newestStates(turned)[0])).toEqual(told(newestStates(records)[0]));
      }),
    );
  });
});
