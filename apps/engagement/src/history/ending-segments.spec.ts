import { deposits, segmentOf } from '../../test/given-definitions';
import { evaluateSegment } from '../evaluation/evaluate-segment';
import type { HistoryEvent } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { definitionSet } from '../progress/definition-set';
import { addAndFindChanges } from './changed-definitions';
import { StoredHistory } from './stored-history';

const at = (time: string): number => Date.parse(`2026-11-20T${time}Z`) / 1000;
const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const endedAt = at('12:00:00');
const everybody = segmentOf(id(1), { count: deposits, window: { lifetime: true }, op: 'gte', value: '0' });
const activeOthers = segmentOf(id(2), {
  all: [
    { not: { in_segment: everybody.definitionId } },
    { count: deposits, window: { rolling: 'PT2H' }, op: 'gte', value: '2' },
  ],
});
const set = definitionSet([{ ...everybody, endedAt }, activeOthers]);
const link = { linkedAt: 1_000, unlinkedAt: null, account: 'sub-1' };

function depositAt(createdAt: number): HistoryEvent {
  const fields = { id: String(createdAt), name: 'deposit', createdAt, receivedAt: createdAt, linkedAt: link.linkedAt };
  return { ...fields, account: link.account, contractVersion: 1, attributes: {} };
}

/** A user with deposits of these times, and what the last of them can change. */
function afterDeposits(...times: readonly string[]) {
  const history = new StoredHistory();
  let changed: string[] = [];
  for (const createdAt of times.map(at)) {
    const to = { kept: set.keptState('acme', 'deposit'), index: set.forEvent('acme', 'deposit') };
    const found = addAndFindChanges([depositAt(createdAt)], {
      ...{ ...to, history, nowS: createdAt, isLinkKnown: () => true },
    });
    changed = [...found.changed].map(({ definitionId }) => definitionId);
  }
  const live = set.byId.get(activeOthers.definitionId)!;
  if (live.kind !== 'segment') throw new Error('not a segment');
  const view = new UserView(new Map([['deposit', history]]), [link]);
  return { changed, dueAt: evaluateSegment(live, view, live.names, at(times[times.length - 1])).dueAt };
}

describe('a segment that is about to end', () => {
  it('lets every event evaluate what depends on it: one that passes nothing now may decide when it ends', () => {
    // At 12:00 the deposit of 10:59 has left the window.
    expect(afterDeposits('10:59:00', '11:50:00').dueAt).toBeNull();
    const { changed, dueAt } = afterDeposits('10:59:00', '11:50:00', '11:55:00');
    expect(dueAt).toBe(endedAt);
    expect(changed).toContain(activeOthers.definitionId);
  });

  it('lets only events that pass something evaluate it once it has ended', () => {
    expect(afterDeposits('11:50:00', '11:55:00', '12:10:00').changed).toEqual([]);
  });
});
