import { deposits, segmentOf } from '../../test/given-definitions';
import { definitionSet } from '../progress/definition-set';
import { addAndFindChanges } from './changed-definitions';
import { StoredHistory } from './stored-history';

const id = (at: number): string => `00000000-0000-4000-8000-00000000000${at}`;
const atLeast = (at: number, value: string) =>
  segmentOf(id(at), { count: deposits, window: { lifetime: true }, op: 'gte', value });
const set = definitionSet([atLeast(1, '1'), atLeast(2, '100'), segmentOf(id(3), { latest: 'kyc', where: [] })]);

const linkedAt = 1_000;
const nowS = 2_000;

function changedBy(given: { readonly createdAt: number; readonly isLinkKnown: boolean }): string[] {
  const event = {
    ...{ id: 'a', name: 'deposit', createdAt: given.createdAt, receivedAt: nowS, linkedAt, account: 'sub-1' },
    ...{ contractVersion: 1, attributes: {} },
  };
  const { changed } = addAndFindChanges([event], {
    ...{ history: new StoredHistory(), kept: set.keptState('acme', 'deposit'), index: set.forEvent('acme', 'deposit') },
    ...{ nowS, isLinkKnown: (at: number) => given.isLinkKnown && at === linkedAt },
  });
  return [...changed].map(({ definitionId }) => definitionId).sort();
}

describe('the first event of a link', () => {
  it('evaluates only what it changes when the link is known', () => {
    expect(changedBy({ createdAt: 1_500, isLinkKnown: true })).toEqual([id(1)]);
  });

  it('evaluates all definitions that name it when it is the first to show the link', () => {
    expect(changedBy({ createdAt: 1_500, isLinkKnown: false })).toEqual([id(1), id(2)]);
  });

  it('evaluates all definitions that name it when it happened before the link', () => {
    expect(changedBy({ createdAt: 900, isLinkKnown: true })).toEqual([id(1), id(2)]);
  });
});

describe('definitions that need events', () => {
  it('are those that hold for nobody without any', () => {
    const needing = [...set.byId.values()].filter(({ needsEvents }) => needsEvents);
    expect(needing.map(({ definitionId }) => definitionId)).toEqual([id(1), id(2), id(3)]);
    const newcomers = segmentOf(id(4), { count: deposits, window: { lifetime: true }, op: 'lt', value: '1' });
    expect(definitionSet([newcomers]).byId.get(id(4))?.needsEvents).toBe(false);
  });
});
