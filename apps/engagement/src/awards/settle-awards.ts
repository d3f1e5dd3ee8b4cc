import { Queryable } from '@podium/runtime/postgres';
import { publishAwards } from './award-records';
import { nextSeq, standingOf } from './award-standing';
import { moveOwed, reverseAwards } from './awards.store';
import { TooManyAwardsError, mostDecided } from './award-volume';
import { CausedAward, CausedReversal } from './cause';
import { TaskDefinition } from '../evaluation/definition';
import { DueTime } from '../progress/due-times.store';
import { Candidate, compareAwards, undecidedAwards } from './compare-awards';
import { dayChanges, tasksWithRate } from './count-days';
import { noteDayChanges } from './day-counts.store';
import { AwardDecision, decideAwards } from './decide-awards';
import { enterDecisions } from './enter-decisions';
import { readKnownAwards } from './known-awards.store';
import { lockLedgers } from './ledger.store';
import { occurrenceKey } from './occurrence-range';
import { AccountCandidate, PaidAccountsOfBatch } from './paid-accounts';
import { TaskFinding } from './task-finding';
import { UserTask, readUnblocked, readUnissued } from './unissued.store';

/** What became of the findings; the records are in the outbox. */
export interface AwardSettlement {
  readonly issued: readonly CausedAward[];
  readonly reversed: readonly CausedReversal[];
  /** To evaluate again: what blocked them was reversed, or was not issued after all. Their users may not be locked. */
  readonly unblocked: readonly UserTask[];
  /** When to evaluate findings again: something known is of a second that the clock has yet to reach, or a place became free late. */
  readonly again: readonly DueTime[];
}

/** Why the engine reverses an award. */
const undoneReason = 'goal undone';

/**
 * Issues what is owed and reverses what is not owed any more, with ledger, evidence, budgets, what is not issued, and the
 * outgoing records. The caller has locked the users and gives at most one finding per user and task. With `isDivisible` it can
 * try again with fewer findings: too many awards are then refused with `TooManyAwardsError`, before anything is written.
 */
export async function settleAwards(
  tx: Queryable,
  findings: readonly TaskFinding[],
  nowMs: number,
  isDivisible = false,
): Promise<AwardSettlement> {
  if (findings.length === 0) return { issued: [], reversed: [], unblocked: [], again: [] };
  const nowS = Math.floor(nowMs / 1000);
  const awards = await readKnownAwards(tx, findings, isDivisible);
  const unissued = await readUnissued(tx, findings);
  const ledgers = await lockLedgers(
    tx,
    findings.flatMap((finding, at) => undecidedAwards(finding, awards[at], nowS).map(({ awardId }) => awardId)),
  );
  const standings = new Map([...ledgers].map(([awardId, ledger]) => [awardId, standingOf(ledger)]));
  const comparisons = findings.map((finding, at) =>
    compareAwards(finding, { awards: awards[at], unissued: unissued[at], standings }, nowS),
  );
  const accounts = await PaidAccountsOfBatch.read(
    tx,
    findings,
    comparisons.map(({ candidates }, at) => accountsToAsk(candidates, findings[at].task)),
  );
  let decided = 0;
  const decisions = findings.map((finding, at) => {
    const decision = decideAwards(finding, comparisons[at], accounts.of(at));
    decided += decision.issue.length;
    if (isDivisible && decided > mostDecided)
      throw new TooManyAwardsError(`a transaction decides more than ${mostDecided} awards`);
    accounts.claim(at, decision.issue);
    return decision;
  });
  const reversals = comparisons.flatMap(({ reverse }, at) => reverse.map(({ awardId }) => ({ awardId, at })));
  const reversed = await reverseAwards(
    tx,
    reversals.map(({ awardId }) => ({ awardId, seq: nextSeq(ledgers.get(awardId)!), reason: undoneReason })),
    nowMs,
  );
  const withRate = tasksWithRate(findings);
  const { issued } = await enterDecisions(
    tx,
    findings.map((finding, at) => ({
      finding,
      awards: awards[at],
      unissued: unissued[at],
      decision: decisions[at],
    })),
    ledgers,
    { nowMs, counted: withRate },
  );
  const awarded = issued.map(({ award }) => award);
  await noteDayChanges(tx, dayChanges(withRate, awarded, reversed));
  await moveOwed(
    tx,
    comparisons.flatMap(({ moved }) => moved.map(({ award, owedAt }) => ({ awardId: award.awardId, owedAt }))),
  );
  const unblocked = [
    ...(await readUnblocked(
      tx,
      reversed.map(({ award }) => award.award_id),
    )),
    ...(awarded.length === decided ? [] : blockedByWithheld(findings, decisions, accounts.unpaid(awarded))),
  ];
  const published = await publishAwards(tx, {
    reversed: reversed.map(({ award }, index) => ({
      award: { ...award, reason: undoneReason },
      cause: findings[reversals[index].at].cause,
    })),
    issued,
  });
  const again = comparisons.flatMap(({ againAt }, at): DueTime[] => {
    const { user, task } = findings[at];
    const dueAt = decisions[at].isUnfinished ? nowS : againAt;
    return dueAt === null ? [] : [{ userRef: user.userRef, definitionId: task.definitionId, dueAt }];
  });
  return { ...published, unblocked, again };
}

/** Tasks of users who are blocked by an award of the same transaction that the budget has withheld: nobody was paid. */
function blockedByWithheld(
  findings: readonly TaskFinding[],
  decisions: readonly AwardDecision[],
  unpaid: ReturnType<PaidAccountsOfBatch['unpaid']>,
): UserTask[] {
  return findings.flatMap(({ user, task }, at): UserTask[] => {
    const isBlocked = decisions[at].unissued.some(
      ({ status, range: { series, first }, terms: { account } }) =>
        status === 'blocked' && account !== null && unpaid.has(at, account, occurrenceKey(series, first)),
    );
    return isBlocked ? [{ userRef: user.userRef, taskId: task.definitionId }] : [];
  });
}

/** A pause holds what is owed whatever was paid; only blocked occurrences stay blocked. */
function accountsToAsk(candidates: readonly Candidate[], { paused }: TaskDefinition): AccountCandidate[] {
  return candidates.flatMap(({ range, account, blockedBy, isBlockedForGood }) => {
    const accounts = new Set([paused ? null : account, blockedBy]);
    return [...accounts].map((each) => ({ range, account: each, orReversed: isBlockedForGood && each === blockedBy }));
  });
}
