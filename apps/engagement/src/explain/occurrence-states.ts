import { OccurrenceRange, RangeMap, lengthOf, rangeOf } from '../awards/occurrence-range';
import { DecidingEvent, Owed } from '../evaluation/owed';
import { RecordedOccurrences } from '../reports/task-awards.queries';

/** Consecutive occurrences of a user that are alike. */
export interface OccurrencesExplanation {
  readonly range: OccurrenceRange;
  /** Unix seconds. */
  readonly reachedAt: number;
  readonly version: number;
  /** As recorded; `beyond_max_per_user` or `not_issued` where nothing is. */
  readonly state: string;
  /** Of withheld ones. */
  readonly reason: string | null;
  readonly account: string | null;
  readonly decidedBy: DecidingEvent | null;
  /** Of blocked ones: the user to whom the account was paid. */
  readonly blockedBy: string | null;
  /** Whether it is owed by what is known now; an award that is not reversed stays although it is undone. */
  readonly isOwed: boolean;
}

/** States of awards that are not taken back. */
const standingStates = new Set(['issued', 'confirmed', 'rejected', 'kept']);

/** States that count toward `max_per_user` (docs/engine.md, reading 5). */
const fillingStates = new Set([...standingStates, 'held_by_pause', 'held_by_limit', 'withheld', 'refused']);

/**
 * What became of occurrences that are owed by an instant, and of those that are recorded as reached by then and are not owed
 * or not evaluated any more; ordered by `reachedAt`.
 */
export function occurrenceStates(
  owed: readonly Owed[],
  recorded: readonly RecordedOccurrences[],
  atS: number,
  maxPerUser: number,
): OccurrencesExplanation[] {
  const present = presentStates(recorded);
  const known = new RangeMap(present);
  const filled = filledOf(present);
  const unrecorded = filled >= maxPerUser ? 'beyond_max_per_user' : 'not_issued';
  const states = owed.flatMap(({ occurrences, reachedAt, version, decidedBy, account }) =>
    known.cut(rangeOf(occurrences)).map(({ range, value }): OccurrencesExplanation => ({
      ...{ range, reachedAt, version, decidedBy, isOwed: true },
      state: value?.state ?? unrecorded,
      reason: value?.reason ?? null,
      account: value?.account ?? account,
      blockedBy: value?.blockedBy ?? null,
    })),
  );
  const owedRanges = new RangeMap(owed.map(({ occurrences }) => ({ range: rangeOf(occurrences), value: true })));
  for (const each of present.filter(({ value }) => value.reachedAt <= atS))
    for (const { range, value } of owedRanges.cut(each.range))
      if (value === undefined) {
        const { reachedAt, version, state, reason, account, blockedBy } = each.value;
        states.push({ range, reachedAt, version, state, reason, account, blockedBy, decidedBy: null, isOwed: false });
      }
  return states.sort((a, b) => a.reachedAt - b.reachedAt || a.range.first - b.range.first);
}

/** How many recorded occurrences count toward `max_per_user`. */
export function filledByRecords(recorded: readonly RecordedOccurrences[]): number {
  return filledOf(presentStates(recorded));
}

function filledOf(present: readonly PresentState[]): number {
  return present
    .filter(({ value }) => fillingStates.has(value.state))
    .reduce((sum, { range }) => sum + lengthOf(range), 0);
}

/** Occurrences that share a record. */
interface PresentState {
  readonly range: OccurrenceRange;
  readonly value: RecordedOccurrences;
}

/**
 * The record of each occurrence that says what it is now. One whose award was reversed may be noted as not issued since then, and
 * the bonus engine may refuse to take the award back after that: an award that stands comes before a note, a note before a
 * reversed award.
 */
function presentStates(recorded: readonly RecordedOccurrences[]): readonly PresentState[] {
  const rankOf = ({ state }: RecordedOccurrences): number =>
    standingStates.has(state) ? 0 : state === 'reversed' ? 2 : 1;
  return [0, 1, 2].reduce((before: readonly PresentState[], rank) => {
    const known = new RangeMap(before);
    const added = recorded
      .filter((each) => rankOf(each) === rank)
      .flatMap((each) =>
        known
          .cut(rangeOfRecord(each))
          .flatMap(({ range, value }) => (value === undefined ? [{ range, value: each }] : [])),
      );
    return [...before, ...added];
  }, []);
}

function rangeOfRecord({ series, first, last }: RecordedOccurrences): OccurrenceRange {
  return { series, first, last };
}
