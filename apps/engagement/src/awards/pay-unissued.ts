import { Queryable } from '@podium/runtime/postgres';
import { TaskDefinition } from '../evaluation/definition';
import { LockedUser } from '../users/users.store';
import { publishAwards } from './award-records';
import { Standing, standingOf } from './award-standing';
import { CausedAward } from './cause';
import { AwardDecision, AwardToIssue } from './decide-awards';
import { enterDecisions } from './enter-decisions';
import { KnownAward, Unissued } from './known-award';
import { readAwardsOfOccurrences } from './known-awards.store';
import { lockLedgers } from './ledger.store';
import { OccurrenceRange, RangeMap, lengthOf, occurrenceKey, rangeOfKey } from './occurrence-range';
import { PaidAccountsOfBatch } from './paid-accounts';
import { TaskOfUser } from './task-finding';
import { readUnissued } from './unissued.store';

/** The most occurrences of one call of `payUnissued`, so that no transaction holds its locks for long. */
const occurrencesPerPayment = 1000;

/** Occurrences of a locked user that share a row of what is not issued. */
export interface RowToPay {
  readonly user: LockedUser;
  readonly range: OccurrenceRange;
}

/** What became of a row. */
export interface RowPayment {
  /** Occurrences that were issued now. */
  readonly issued: number;
  /** Occurrences that are still not issued. */
  readonly left: number;
  /** Why the rest is not issued; null when nothing is left. */
  readonly reason: string | null;
}

/** What a payment did; the records are in the outbox. */
export interface Payment {
  readonly issued: readonly CausedAward[];
  /** In the order of the given rows. */
  readonly rows: readonly RowPayment[];
  /**
   * Row numbers of users for whom more may be issued now: what is blocked no longer fills their maximum, and the award that blocks
   * it may have been withheld by this payment.
   */
  readonly freed: readonly number[];
}

/**
 * Issues what waits for an approver, in the order of (`reachedAt`, user), with the keys, budgets, ledgers and records of every
 * award. What does not fit into the budget stays withheld, also when it was held before. The caller holds the epoch, has locked
 * the users, and has read the rows under these locks; the task is not paused, or has ended while it was, and no row was held by the
 * pause. The ledger names the approver.
 */
export async function payUnissued(
  tx: Queryable,
  task: TaskDefinition,
  wanted: readonly RowToPay[],
  { nowMs, approver }: { readonly nowMs: number; readonly approver: string },
): Promise<Payment> {
  const users = new Map(wanted.map(({ user }) => [user.userRef, user]));
  const tasks = [...users.values()].map((user): TaskOfUser => ({ user, task }));
  const indexOf = new Map([...users.keys()].map((userRef, at) => [userRef, at]));
  const unissued = await readUnissued(tx, tasks);
  const rows = wanted.map(({ user, range }): RowOfUser => {
    const at = indexOf.get(user.userRef)!;
    return { at, user, row: unissued[at].find((each) => isSame(each.range, range))! };
  });
  const parts = chooseParts(rows);
  const awards = await readAwardsOfOccurrences(tx, tasks, parts);
  const ledgers = await lockLedgers(
    tx,
    awards.flatMap((own) => own.filter(({ reversed }) => reversed).map(({ awardId }) => awardId)),
  );
  const standings = new Map([...ledgers].map(([awardId, ledger]) => [awardId, standingOf(ledger)]));
  const accounts = await PaidAccountsOfBatch.read(
    tx,
    parts.map(({ at }) => tasks[at]),
    parts.map(({ row, range }) => [{ account: row.terms.account, range }]),
  );
  const decided = parts.map(({ at, row, range }, part) => {
    const decision = decidePart(row, range, { paid: paidOf(awards[at], standings), accounts: accounts.of(part) });
    accounts.claim(part, decision.issue);
    return { at, range, decision };
  });
  const { issued, unissued: after } = await enterDecisions(
    tx,
    tasks.map((finding, at) => {
      const own = decided.filter((each) => each.at === at);
      const rest = unissued[at].flatMap((row) => withoutParts(row, own));
      const decision = {
        issue: own.flatMap((each) => each.decision.issue),
        unissued: [...rest, ...own.flatMap((each) => each.decision.unissued)],
      };
      return { finding, awards: awards[at], unissued: unissued[at], decision };
    }),
    ledgers,
    // What an approver pays does not count toward the rate above which the engine pauses a task.
    { nowMs, counted: new Set(), reason: `paid by the approver ${approver}` },
  );
  const published = await publishAwards(tx, { reversed: [], issued });
  const freed = decided.filter(({ decision }) => decision.unissued.length > 0).map(({ at }) => tasks[at].user.userRef);
  return {
    issued: published.issued,
    rows: rows.map((each) =>
      paymentOf(each, parts.find(({ row }) => row === each.row)?.range ?? null, after[each.at], issued),
    ),
    freed: [...new Set(freed)],
  };
}

/** Whether an approver may pay a row; else why not. */
function unpayableReason({ status, terms }: Unissued): string | null {
  if (status === 'unlinked' || status === 'blocked' || status === 'refused') return status;
  if ('unpayable' in terms.reward) return terms.reward.unpayable;
  return terms.account === null ? 'unlinked' : null;
}

interface RowOfUser {
  /** Index of the user's task. */
  readonly at: number;
  readonly user: LockedUser;
  readonly row: Unissued;
}

/** The occurrences to pay now: the first ones, by (`reachedAt`, user, n). */
function chooseParts(rows: readonly RowOfUser[]): (RowOfUser & { readonly range: OccurrenceRange })[] {
  const ordered = [...rows].sort(
    (a, b) =>
      a.row.terms.reachedAt - b.row.terms.reachedAt ||
      a.user.userRef - b.user.userRef ||
      a.row.range.first - b.row.range.first,
  );
  let room = occurrencesPerPayment;
  return ordered.flatMap((each) => {
    const { range } = each.row;
    const count = unpayableReason(each.row) === null ? Math.min(room, lengthOf(range)) : 0;
    room -= count;
    return count === 0 ? [] : [{ ...each, range: { ...range, last: range.first + count - 1 } }];
  });
}

function decidePart(
  row: Unissued,
  range: OccurrenceRange,
  known: { paid: RangeMap<true>; accounts: { has(account: string, occurrence: string): boolean } },
): AwardDecision {
  const { terms } = row;
  const { account, reward } = terms;
  const issue: AwardToIssue[] = [];
  const unissued: Unissued[] = [];
  if (account === null || 'unpayable' in reward) return { issue, unissued };
  for (let n = range.first; n <= range.last; n++) {
    const part = { ...range, first: n, last: n };
    const occurrence = occurrenceKey(range.series, n);
    // The bonus engine has meanwhile refused to take an earlier issue back.
    if (known.paid.at(part)) continue;
    if (known.accounts.has(account, occurrence)) unissued.push({ range: part, status: 'blocked', reason: null, terms });
    else issue.push({ range: part, occurrence, account, reward, terms });
  }
  return { issue, unissued };
}

function paidOf(awards: readonly KnownAward[], standings: ReadonlyMap<string, Standing>): RangeMap<true> {
  const paid = awards.filter(({ awardId, reversed }) => !reversed || standings.get(awardId) === 'kept');
  return new RangeMap(paid.map(({ range }) => ({ range, value: true })));
}

function withoutParts(row: Unissued, decided: readonly { readonly range: OccurrenceRange }[]): Unissued[] {
  const parts = new RangeMap(decided.map(({ range }) => ({ range, value: true })));
  return parts.cut(row.range).flatMap(({ range, value }) => (value ? [] : [{ ...row, range }]));
}

function paymentOf(
  { user, row }: RowOfUser,
  chosen: OccurrenceRange | null,
  after: readonly Unissued[],
  issued: readonly CausedAward[],
): RowPayment {
  const rest = new RangeMap(after.map((each) => ({ range: each.range, value: each })));
  const left = rest.cut(row.range).flatMap(({ range, value }) => (value ? [lengthOf(range)] : []));
  const refusal = chosen && rest.cut(chosen).find(({ value }) => value !== undefined)?.value;
  const whole = new RangeMap([{ range: row.range, value: true }]);
  return {
    issued: issued.filter(({ award }) => award.user_id === user.userId && whole.at(rangeOfKey(award.occurrence)))
      .length,
    left: left.reduce((sum, count) => sum + count, 0),
    reason: left.length === 0 ? null : (unpayableReason(row) ?? refusal?.reason ?? refusal?.status ?? 'request_limit'),
  };
}

function isSame(a: OccurrenceRange, b: OccurrenceRange): boolean {
  return a.series === b.series && a.first === b.first && a.last === b.last;
}
