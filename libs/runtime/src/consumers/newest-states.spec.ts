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
const summaryOf = ({ removed, state: newest }: NewestState<typeof linkChanged>) => [
  removed?.everything ? 'everything' : removed?.revision,
  newest?.revision,
];

describe('newestStates', () => {
  it('keeps the highest revision of each key', () => {
    const newest = newestStates([state(5), state(9, 'other'), state(4), state(6)]);
    expect(newest.map(({ key }) => key)).toEqual(['k', 'other']);
    expect(newest.map(summaryOf)).toEqual([
      [undefined, 6],
      [undefined, 9],
    ]);
  });

  it.each([
    { records: [state(5), tombstone(7)], expected: [7, undefined] },
    { records: [tombstone(7), state(5)], expected: [7, undefined] },
    { records: [tombstone(7), state(8)], expected: [7, 8] },
    { records: [state(8), tombstone(7)], expected: [7, 8] },
    { records: [tombstone(7), state(8), tombstone(3)], expected: [7, 8] },
    { records: [state(8), tombstone(null)], expected: ['everything', undefined] },
    { records: [tombstone(null), state(5)], expected: ['everything', 5] },
    { records: [tombstone(7), tombstone(null), state(6)], expected: ['everything', undefined] },
  ])('%j', ({ records, expected }) => {
    expect(summaryOf(newestStates(records)[0])).toEqual(expected);
  });

  it('does not depend on the order when all revisions are known', () => {
    const any = fc.record({ revision: fc.nat(30), gone: fc.boolean() });
    fc.assert(
      fc.property(fc.uniqueArray(any, { selector: ({ revision }) => revision, minLength: 1 }), (given) => {
        const records = given.map(({ revision, gone }) => (gone ? tombstone(revision) : state(revision)));
        const reversed = [...records].reverse();
        expect(summaryOf(newestStates(reversed)[0])).toEqual(summaryOf(newestStates(records)[0]));
      }),
    );
  });
});
