import { BonusAwardIssuedData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { reserveUnits } from '../budgets/reserve-units';
import { toBillionths } from '../evaluation/exact-decimal';
import { Evidence } from '../evaluation/owed';
import { awardIdOf } from './award-id';
import { LedgerEntry } from './ledger-entry';
import { nextSeq } from './award-standing';
import { issueAwards, issuedSeq } from './awards.store';
import { BoundedEvidence, boundEvidence } from './bound-evidence';
import { CausedAward } from './cause';
import { AwardDecision, AwardToIssue, joinRanges } from './decide-awards';
import { AwardTerms, KnownAward, Unissued } from './known-award';
import { occurrenceKey } from './occurrence-range';
import { TaskOfUser } from './task-finding';
import { UnissuedChange, writeUnissued } from './unissued.store';

/** What was decided for a task of a user, with what was known before. */
export interface DecidedTask {
  readonly finding: TaskOfUser;
  readonly awards: readonly KnownAward[];
  readonly unissued: readonly Unissued[];
  readonly decision: AwardDecision;
}

/** What became of decisions. */
export interface EnteredDecisions {
  readonly issued: readonly CausedAward[];
  /** What is not issued now, in the order of the decisions. */
  readonly unissued: readonly (readonly Unissued[])[];
}

/**
 * Takes the units of decided awards, issues those that fit, withholds the others, and writes what is not issued. `ledgers` has
 * the locked ledgers of all awards that are issued again; awards of `counted` tasks are marked as counted, and the caller counts
 * them; `reason` is that of `issueAwards`. The caller publishes the awards.
 */
export async function enterDecisions(
  tx: Queryable,
  decided: readonly DecidedTask[],
  ledgers: ReadonlyMap<string, readonly LedgerEntry[]>,
  {
    nowMs,
    counted,
    reason = null,
  }: { readonly nowMs: number; readonly counted: ReadonlySet<string>; readonly reason?: string | null },
): Promise<EnteredDecisions> {
  const withheld = await withholdByBudget(
    tx,
    decided.flatMap(({ finding, decision }) => decision.issue.map((award) => ({ award, finding }))),
    nowMs,
  );
  const evidenceOf = evidenceBounder();
  const issued = decided.flatMap(({ finding, awards, decision }) => {
    const issue = decision.issue.filter((award) => !withheld.has(award));
    const known = issue.length === 0 ? noAwards : byOccurrence(awards);
    return issue.map((award) => ({
      award: issuedAward(finding, award, known, ledgers),
      evidence: evidenceOf(award.terms),
      isCounted: counted.has(finding.task.definitionId),
      cause: finding.cause,
    }));
  });
  await issueAwards(tx, issued, nowMs, reason);
  const changes = decided.map(({ finding: { user, task }, unissued, decision }): UnissuedChange => {
    const more = decision.issue.flatMap((award) => withheld.get(award) ?? []);
    const after = joinRanges([...decision.unissued, ...more]).map((each) => ({
      ...each,
      terms: { ...each.terms, evidence: evidenceOf(each.terms) },
    }));
    return { userRef: user.userRef, taskId: task.definitionId, before: unissued, after };
  });
  await writeUnissued(tx, changes, nowMs);
  return { issued, unissued: changes.map(({ after }) => after) };
}

/** Takes the units of all awards, in the order of (`reachedAt`, user); those that do not fit are withheld. */
async function withholdByBudget(
  tx: Queryable,
  awards: readonly { readonly award: AwardToIssue; readonly finding: TaskOfUser }[],
  nowMs: number,
): Promise<Map<AwardToIssue, Unissued>> {
  const ordered = [...awards].sort(
    (a, b) => a.award.terms.reachedAt - b.award.terms.reachedAt || a.finding.user.userRef - b.finding.user.userRef,
  );
  const reasons = await reserveUnits(
    tx,
    ordered.map(({ award, finding }) => ({ task: finding.task, units: toBillionths(award.reward.amount) })),
    nowMs,
  );
  return new Map(
    ordered.flatMap(({ award }, index) => {
      const reason = reasons[index];
      return reason === null
        ? []
        : [[award, { range: award.range, status: 'withheld', reason, terms: award.terms } satisfies Unissued] as const];
    }),
  );
}

const noAwards: ReadonlyMap<string, KnownAward> = new Map();

function byOccurrence(awards: readonly KnownAward[]): Map<string, KnownAward> {
  return new Map(awards.map((award) => [occurrenceKey(award.range.series, award.range.first), award]));
}

function issuedAward(
  { user, task }: TaskOfUser,
  { range, occurrence, account, reward, terms }: AwardToIssue,
  known: ReadonlyMap<string, KnownAward>,
  ledgers: ReadonlyMap<string, readonly LedgerEntry[]>,
): BonusAwardIssuedData {
  const again = known.get(occurrence);
  return {
    award_id: again?.awardId ?? awardIdOf({ taskId: task.definitionId, userId: user.userId, occurrence }),
    seq: again ? nextSeq(ledgers.get(again.awardId)!) : issuedSeq,
    task_id: task.definitionId,
    task_version: terms.version,
    occurrence: occurrenceKey(range.series, range.first),
    platform: user.platform,
    organizer_id: task.organizerId,
    user_id: user.userId,
    platform_user_id: account,
    reward,
    reached_at: terms.reachedAt,
  };
}

/** Bounds evidence; the occurrences of an instant share theirs. */
function evidenceBounder(): (terms: Pick<AwardTerms, 'evidence' | 'version'>) => BoundedEvidence {
  const known = new Map<Evidence, BoundedEvidence>();
  return ({ evidence, version }) => {
    const bounded = known.get(evidence) ?? boundEvidence(evidence, version);
    known.set(evidence, bounded);
    return bounded;
  };
}
