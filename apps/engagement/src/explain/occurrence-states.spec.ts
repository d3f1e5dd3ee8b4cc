import { every, nowS, one, owedAgo } from '../../test/task-findings';
import { Occurrences } from '../evaluation/owed';
import { RecordedOccurrences } from '../reports/task-awards.queries';
import { occurrenceStates } from './occurrence-states';

describe('the states of occurrences', () => {
  it('are those of now where some of a reversed range are withheld since', () => {
    const recorded = [record('g1:every', 1, 3, 'reversed'), record('g1:every', 2, 2, 'withheld')];
    expect(statesOf(every(1, 3), recorded)).toEqual([
      'g1:every 1-1 reversed owed',
      'g1:every 2-2 withheld owed',
      'g1:every 3-3 reversed owed',
    ]);
    // Not owed any more, they are cut in the same way.
    expect(statesOf(null, recorded)).toEqual([
      'g1:every 1-1 reversed',
      'g1:every 2-2 withheld',
      'g1:every 3-3 reversed',
    ]);
  });

  it.each([
    ['g1:once', 'held_by_pause'],
    ['2026-11', 'blocked'],
  ])('name %s once, as %s, after its award was reversed', (occurrence, state) => {
    const recorded = [record(occurrence, 1, 1, 'reversed'), record(occurrence, 1, 1, state)];
    for (const each of [recorded, recorded.toReversed()])
      expect(statesOf(one(occurrence), each)).toEqual([`${occurrence} 1-1 ${state} owed`]);
    expect(statesOf(null, recorded)).toEqual([`${occurrence} 1-1 ${state}`]);
  });

  it('are those of awards that stand, whatever was noted before the bonus engine refused to take them back', () => {
    const recorded = [record('g1:every', 2, 4, 'withheld'), record('g1:every', 1, 2, 'kept')];
    expect(statesOf(every(1, 5), recorded, 4)).toEqual([
      'g1:every 1-2 kept owed',
      'g1:every 3-4 withheld owed',
      'g1:every 5-5 beyond_max_per_user owed',
    ]);
    expect(statesOf(every(5), recorded, 5)).toContain('g1:every 5-5 not_issued owed');
  });
});

function record(series: string, first: number, last: number, state: string): RecordedOccurrences {
  const reason = state === 'withheld' ? 'budget_total' : null;
  return {
    series,
    first,
    last,
    state,
    reason,
    version: 1,
    account: 'account-1',
    reachedAt: nowS - 30,
    blockedBy: null,
  };
}

/** What is owed since 30 seconds, and what was recorded at that time: `g1:every 1-3 issued owed`. */
function statesOf(
  occurrences: Occurrences | null,
  recorded: readonly RecordedOccurrences[],
  maxPerUser = Infinity,
): string[] {
  const owed = occurrences === null ? [] : [owedAgo(30, occurrences)];
  return occurrenceStates(owed, recorded, nowS, maxPerUser).map(
    ({ range, state, isOwed }) => `${range.series} ${range.first}-${range.last} ${state}${isOwed ? ' owed' : ''}`,
  );
}
