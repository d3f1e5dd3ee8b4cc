import { deposits, segmentOf } from '../../test/given-definitions';
import type { Window } from '../evaluation/condition';
import type { HistoryEvent } from '../evaluation/history';
import { definitionSet } from '../progress/definition-set';
import { addAndFindChanges } from './changed-definitions';
import { StoredHistory } from './stored-history';

const linkedAt = 1_000;
const count = 400;
const nowS = 10_000_000;

/** Segments over one attribute in several windows, with thresholds that no user reaches. */
const windows: readonly Window[] = [{ lifetime: true }, { rolling: 'P30D' }, { calendar: 'month' }];
const set = definitionSet(
  windows.map((window, at) =>
    segmentOf(`00000000-0000-4000-8000-00000000000${at}`, {
      ...({ max: deposits, attribute: 'amount', op: 'gte', value: '1000000' } as const),
      window,
    }),
  ),
);

describe('an event that arrives after later ones of the same user', () => {
  it('reads each of them a bounded number of times, however many instants are compared', () => {
    let reads = 0;
    const eventAt = (createdAt: number): HistoryEvent => ({
      ...{ id: `at-${createdAt}`, name: 'deposit', createdAt, receivedAt: createdAt, linkedAt, account: 'sub-1' },
      contractVersion: 1,
      get attributes() {
        reads++;
        return { amount: '2' };
      },
    });
    const to = {
      ...{ history: new StoredHistory(), kept: set.keptState('acme', 'deposit'), nowS },
      ...{ index: set.forEvent('acme', 'deposit'), isLinkKnown: () => true },
    };
    for (let at = 0; at < count; at++) addAndFindChanges([eventAt(nowS - (count - at) * 600)], to);
    reads = 0;
    // Twenty later events, so that twenty instants are compared.
    const { changed } = addAndFindChanges([eventAt(nowS - 20 * 600 - 1)], to);
    expect(changed.size).toBe(0);
    expect(reads).toBeGreaterThan(count);
    expect(reads).toBeLessThan(10 * count);
  });
});
