import { closesAt } from '../evaluation/definition';
import { LinkPeriod } from '../evaluation/history';
import { linksBySecond } from '../evaluation/user-history';
import { Standing } from './award-standing';
import { AwardTerms, KnownAward, Unissued, fillsCap } from './known-award';
import { OccurrenceRange, RangeMap, lengthOf, rangeOf } from './occurrence-range';
import { TaskFinding, bodyOf } from './task-finding';
import { waitsForLinks } from './waits-for-links';

/** What is known of a user and a task before a decision. */
export interface KnownState {
  readonly awards: readonly KnownAward[];
  readonly unissued: readonly Unissued[];
  /** Standings of the awards of `undecidedAwards`, by award id. */
  readonly standings: ReadonlyMap<string, Standing>;
}

/** Occurrences of one instant that may be issued now. */
export interface Candidate {
  readonly range: OccurrenceRange;
  readonly terms: AwardTerms;
  /** The account that is paid; null: none, because the user is not linked. */
  readonly account: string | null;
  /** Already counted in `filled`. */
  readonly isCounted: boolean;
  /** The account that has blocked it: while that is paid under another user, no account of this user is (reading 7). */
  readonly blockedBy: string | null;
  /** It is blocked and the task has closed: a reversal of the award that blocks it does not end the block any more. */
  readonly isBlockedForGood: boolean;
}

/** What is owed, beside what is known. */
export interface Comparison {
  readonly candidates: readonly Candidate[];
  readonly kept: readonly Unissued[];
  /** No longer owed. */
  readonly reverse: readonly KnownAward[];
  readonly moved: readonly { readonly award: KnownAward; readonly owedAt: number }[];
  /** Occurrences that count toward `max_per_user`. */
  readonly filled: number;
  /** Occurrences that count toward `max_per_event`, by their instant: issued ones, and those that are withheld. */
  readonly takenAt: ReadonlyMap<number, number>;
  /**
   * Unix seconds after now at which to compare again: something known is of a second that the clock has yet to reach; null
   * without any.
   */
  readonly againAt: number | null;
}

/** The awards whose ledgers decide: reversed ones, and those that may be reversed now. */
export function undecidedAwards(finding: TaskFinding, awards: readonly KnownAward[], nowS: number): KnownAward[] {
  const owed = owedMap(finding);
  const mayBeReversed = (award: KnownAward): boolean =>
    isUndone(finding, owed, award) && !isAhead(award.owedAt, nowS) && clawBackOf(finding, award) !== 'none';
  return awards.filter((award) => award.reversed || mayBeReversed(award));
}

/**
 * Compares what is owed with what is known; a pause stops no reversal. Occurrences that have become final while they were not
 * issued are still owed. What another instance found reached in a second after `nowS`, because its clock is ahead, stays as it
 * is: an evaluation of that second decides.
 */
export function compareAwards(finding: TaskFinding, known: KnownState, nowS: number): Comparison {
  const { task, finalTo } = finding;
  const owed = owedMap(finding);
  const paid = known.awards.filter(({ awardId, reversed }) => !reversed || known.standings.get(awardId) === 'kept');
  const undone = paid.filter((award) => !award.reversed && isUndone(finding, owed, award));
  const reverse = undone.filter((award) => !isAhead(award.owedAt, nowS) && isReversed(finding, award, known));
  const paidMap = new RangeMap(paid.map((award) => ({ range: award.range, value: award })));
  const unissuedMap = new RangeMap(known.unissued.map((each) => ({ range: each.range, value: each })));
  const candidates: Candidate[] = [];
  const kept: Unissued[] = [];
  const moved: { award: KnownAward; owedAt: number }[] = [];
  const takenAt = new Map<number, number>();
  const take = (atS: number, range: OccurrenceRange): void =>
    void takenAt.set(atS, (takenAt.get(atS) ?? 0) + lengthOf(range));
  const waiting = undone.flatMap(({ owedAt }) => owedAt ?? []).filter((atS) => isAhead(atS, nowS));

  const candidate = (range: OccurrenceRange, terms: AwardTerms, row?: Unissued): void => {
    const next = terms.account === null ? nextLink(finding, terms.reachedAt) : null;
    if (next && isAhead(next.linkedAt, nowS)) waiting.push(next.linkedAt);
    const account = next && next.linkedAt <= nowS ? next.account : terms.account;
    const blockedBy = row?.status === 'blocked' ? row.terms.account : null;
    const isBlockedForGood = blockedBy !== null && nowS >= closesAt(task);
    const isCounted = row !== undefined && fillsCap(row.status);
    candidates.push({ range, terms, account, isCounted, blockedBy, isBlockedForGood });
  };
  for (const owing of finding.owed) {
    const { occurrences } = owing;
    const terms = termsOf(owing);
    const isWaiting = waitsForLinks(finding, owing);
    for (const { range, value: award } of paidMap.cut(rangeOf(occurrences))) {
      if (award) {
        take(terms.reachedAt, range);
        // One that was first reached before `finalTo` is only reached again.
        const isFinal = award.owedAt !== null && award.owedAt < finalTo;
        if (award.owedAt !== terms.reachedAt && !award.isErased && !isFinal)
          moved.push({ award, owedAt: terms.reachedAt });
        continue;
      }
      for (const { range: part, value: row } of unissuedMap.cut(range)) {
        if (!row) {
          if (!isWaiting) candidate(part, terms);
          continue;
        }
        const first = row.terms.reachedAt < finalTo ? row.terms : terms;
        if (row.status === 'refused') kept.push({ ...row, range: part });
        else if (waitsForApprover(row, first))
          kept.push({ ...row, range: part, terms: { ...first, account: first.account ?? row.terms.account } });
        else candidate(part, first, row);
      }
    }
  }
  const passed = passedMap(finding);
  for (const row of known.unissued)
    for (const { range, isPassed } of openParts(row.range, paidMap, owed, passed)) {
      const { reachedAt } = row.terms;
      const isFinal = reachedAt < finalTo || isPassed;
      if (row.status === 'refused') kept.push({ ...row, range });
      else if (isAhead(reachedAt, nowS)) {
        kept.push({ ...row, range });
        waiting.push(reachedAt);
      } else if (isFinal && waitsForApprover(row, row.terms)) kept.push({ ...row, range });
      else if (isFinal) candidate(range, row.terms, row);
    }
  // An approver who pays them decides about the budget, not about the limit.
  for (const { status, range, terms } of kept) if (status === 'withheld') take(terms.reachedAt, range);
  candidates.sort((a, b) => a.terms.reachedAt - b.terms.reachedAt || a.range.first - b.range.first);
  const filled =
    paid.length -
    reverse.length +
    total(kept.filter(({ status }) => fillsCap(status))) +
    total(candidates.filter(({ isCounted }) => isCounted));
  const againAt = waiting.length === 0 ? null : waiting.reduce((a, b) => Math.min(a, b));
  return { candidates, kept, reverse, moved, filled, takenAt, againAt };
}

/** Whether the clock has yet to reach a second: what will be true in it cannot be judged. */
function isAhead(atS: number | null, nowS: number): boolean {
  return atS !== null && atS > nowS;
}

function owedMap({ owed }: TaskFinding): RangeMap<true> {
  return new RangeMap(owed.map(({ occurrences }) => ({ range: rangeOf(occurrences), value: true })));
}

/** Those that only events of before `finalTo` still tell of. */
function passedMap({ finalSteps }: TaskFinding): RangeMap<true> {
  return new RangeMap(finalSteps ? [{ range: rangeOf(finalSteps), value: true }] : []);
}

/** Reads no evidence: only what is issued or held needs it. */
function termsOf(owed: TaskFinding['owed'][number]): AwardTerms {
  const { reachedAt, version, account, reward } = owed;
  return {
    ...{ reachedAt, version, account, reward },
    get evidence() {
      return owed.evidence;
    },
  };
}

/** An event that arrives after its time was final moves the steps after it: one that it has passed is no longer found, but reached. */
function isUndone(finding: TaskFinding, owed: RangeMap<true>, { range, owedAt, isErased }: KnownAward): boolean {
  if (isErased || owedAt === null || owedAt < finding.finalTo || owed.at(range) !== undefined) return false;
  return passedMap(finding).at(range) === undefined;
}

/** Of one that is undone. */
function isReversed(finding: TaskFinding, award: KnownAward, known: KnownState): boolean {
  const standing = known.standings.get(award.awardId);
  const policy = clawBackOf(finding, award);
  return (standing === 'issued' && policy !== 'none') || (standing === 'confirmed' && policy === 'always');
}

/** Of the version under which it was issued. */
function clawBackOf({ task }: TaskFinding, { version }: KnownAward): string {
  return bodyOf(task, version)?.claw_back ?? 'none';
}

/** A formula that gives an amount by now lets its award be issued; what the budget or a limit has stopped does not pass alone. */
function waitsForApprover({ status, reason }: Unissued, { reward }: AwardTerms): boolean {
  if (status === 'held_by_limit') return true;
  return status === 'withheld' && (reason === 'budget_total' || reason === 'budget_day' || 'unpayable' in reward);
}

/** The first link after an instant, if it begins before the task closes. */
function nextLink({ links, task }: TaskFinding, reachedAt: number): LinkPeriod | null {
  const next = [...linksBySecond(links).values()].find(({ linkedAt }) => linkedAt > reachedAt);
  return next && next.linkedAt < closesAt(task) ? next : null;
}

function openParts(
  range: OccurrenceRange,
  paid: RangeMap<KnownAward>,
  owed: RangeMap<true>,
  passed: RangeMap<true>,
): { readonly range: OccurrenceRange; readonly isPassed: boolean }[] {
  return paid
    .cut(range)
    .flatMap((part) => (part.value ? [] : owed.cut(part.range).filter(({ value }) => value === undefined)))
    .flatMap((part) => passed.cut(part.range).map((each) => ({ range: each.range, isPassed: each.value === true })));
}

function total(parts: readonly { readonly range: OccurrenceRange }[]): number {
  return parts.reduce((sum, { range }) => sum + lengthOf(range), 0);
}
