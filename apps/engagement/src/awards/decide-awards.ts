import { Reward } from '@podium/messages';
import { newestBody } from '../evaluation/definition';
import { Candidate, Comparison } from './compare-awards';
import { AwardTerms, Unissued, UnissuedStatus, WithheldReason, fillsCap } from './known-award';
import { OccurrenceRange, lengthOf, occurrenceKey } from './occurrence-range';
import { TaskFinding, bodyOf, capOf } from './task-finding';

/** An occurrence to issue, if the budget suffices. */
export interface AwardToIssue {
  readonly range: OccurrenceRange;
  readonly occurrence: string;
  readonly account: string;
  readonly reward: Reward;
  readonly terms: AwardTerms;
}

/** What becomes of a user's occurrences of a task. */
export interface AwardDecision {
  readonly issue: readonly AwardToIssue[];
  readonly unissued: readonly Unissued[];
}

/** A decision of everything that is owed. */
export interface WholeDecision extends AwardDecision {
  /** Whether another decision may issue more: an occurrence found no place before a later one freed its own. */
  readonly isUnfinished: boolean;
}

/** Which accounts were paid for which occurrence under another user; of what is blocked for good, also what was reversed. */
export interface PaidAccounts {
  has(account: string, occurrence: string): boolean;
}

/**
 * Decides, in the order of (reachedAt, n), what is issued. An occurrence passes in this order: the key of the account that has
 * blocked it, the rest of `max_per_user`, the pause, a link, the rest of `max_per_event`, the key of the account, a reward that
 * is an amount.
 */
export function decideAwards(finding: TaskFinding, comparison: Comparison, paid: PaidAccounts): WholeDecision {
  const { task } = finding;
  const issue: AwardToIssue[] = [];
  const { blocked, open } = stillBlocked(comparison.candidates, paid);
  const unissued: Unissued[] = [...comparison.kept, ...blocked];
  const takenAt = new Map(comparison.takenAt);
  const places = new Places(capOf(task) - comparison.filled);

  for (const candidate of open) {
    const { range, terms, account, isCounted } = candidate;
    const take = (wanted: number): number => (isCounted ? wanted : places.take(wanted));
    const add = (first: number, length: number, status: UnissuedStatus, reason: WithheldReason | null = null): void => {
      if (length > 0)
        unissued.push({
          range: { ...range, first, last: first + length - 1 },
          status,
          reason,
          terms: termsOf(candidate),
        });
      if (isCounted && !fillsCap(status)) places.free(length);
    };
    if (task.paused) {
      add(range.first, take(lengthOf(range)), 'held_by_pause');
      continue;
    }
    if (account === null) {
      add(range.first, isCounted ? lengthOf(range) : places.available(lengthOf(range)), 'unlinked');
      continue;
    }
    const limit = (bodyOf(task, terms.version) ?? newestBody(task)).max_per_event;
    for (let n = range.first; n <= range.last && (isCounted || places.available(1) > 0); n++) {
      const occurrence = occurrenceKey(range.series, n);
      const takenHere = takenAt.get(terms.reachedAt) ?? 0;
      if (takenHere >= limit) {
        add(n, take(range.last - n + 1), 'held_by_limit');
        break;
      }
      if (paid.has(account, occurrence)) {
        add(n, 1, 'blocked');
        continue;
      }
      take(1);
      takenAt.set(terms.reachedAt, takenHere + 1);
      const { reward } = terms;
      if ('unpayable' in reward) add(n, 1, 'withheld', reward.unpayable);
      else
        issue.push({ range: { ...range, first: n, last: n }, occurrence, account, reward, terms: termsOf(candidate) });
    }
  }
  return { issue, unissued, isUnfinished: places.hasFreedLate };
}

/** The places that `max_per_user` leaves; fewer than none where it was lowered. */
class Places {
  private isShort = false;
  private hasFreed = false;

  constructor(private left: number) {}

  /** Whether a place is free for what found none before. */
  get hasFreedLate(): boolean {
    return this.hasFreed && this.left > 0;
  }

  /** How many of so many places there are. */
  available(wanted: number): number {
    const found = Math.min(wanted, Math.max(0, this.left));
    if (found < wanted) this.isShort = true;
    return found;
  }

  /** Takes up to `wanted` places, fewer when fewer are left. */
  take(wanted: number): number {
    const taken = this.available(wanted);
    this.left -= taken;
    return taken;
  }

  free(count: number): void {
    this.hasFreed ||= this.isShort;
    this.left += count;
  }
}

/** Another event may decide a blocked occurrence by now: what blocks it is the account with which it was blocked. */
function stillBlocked(
  candidates: readonly Candidate[],
  paid: PaidAccounts,
): { readonly blocked: readonly Unissued[]; readonly open: readonly Candidate[] } {
  const blocked: Unissued[] = [];
  const open = candidates.flatMap((candidate) => {
    const { range, terms, blockedBy } = candidate;
    if (blockedBy === null) return [candidate];
    const freed: Candidate[] = [];
    for (let n = range.first; n <= range.last; n++) {
      const part = { ...range, first: n, last: n };
      if (paid.has(blockedBy, occurrenceKey(range.series, n)))
        blocked.push({ range: part, status: 'blocked', reason: null, terms: { ...terms, account: blockedBy } });
      else freed.push({ ...candidate, range: part });
    }
    return freed;
  });
  return { blocked, open };
}

/** Joins consecutive occurrences that are alike, so that they share a row. */
export function joinRanges(unissued: readonly Unissued[]): Unissued[] {
  const sorted = [...unissued].sort(({ range: a }, { range: b }) =>
    a.series === b.series ? a.first - b.first : a.series < b.series ? -1 : 1,
  );
  const joined: Unissued[] = [];
  for (const each of sorted) {
    const last = joined.at(-1);
    if (last && isNext(last, each))
      joined[joined.length - 1] = { ...last, range: { ...last.range, last: each.range.last } };
    else joined.push(each);
  }
  return joined;
}

function isNext(one: Unissued, next: Unissued): boolean {
  return (
    one.range.series === next.range.series &&
    one.range.last + 1 === next.range.first &&
    one.status === next.status &&
    one.reason === next.reason &&
    one.terms.account === next.terms.account &&
    one.terms.evidence === next.terms.evidence
  );
}

/** What a row of an occurrence keeps of its account: a blocked one is found by it. */
function termsOf({ terms, account }: Candidate): AwardTerms {
  return account === terms.account ? terms : { ...terms, account };
}
