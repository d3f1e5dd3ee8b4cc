import { BonusAwardIssuedData, bonusAwardIssued, recordKey, topics } from '@podium/messages';
import { OutboxRecord, appendOutbox, outboxRecord } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { Span, childSpan, traceparentOfSpan } from '@podium/runtime/trace';
import { awardIdOf } from '../awards/award-id';
import { issueAwards, issuedSeq } from '../awards/awards.store';
import { DueTime, writeDueTimes } from '../progress/due-times.store';
import { CompiledDefinition, CompiledSegment, CompiledTask } from '../evaluation/compiled-definition';
import { evaluateSegment } from '../evaluation/evaluate-segment';
import { evaluateTask } from '../evaluation/evaluate-task';
import { TermPoint } from '../evaluation/term-point';
import { UserLink, readUserLinks } from '../users/user-links.store';
import { LockedUser } from '../users/users.store';
import { MembershipChange, membershipRecord } from '../memberships/membership-record';
import { Membership, MembershipReason, readMemberships, writeMemberships } from '../memberships/memberships.store';
import { SettledOccurrences, readSettled, writeSettled } from '../progress/task-occurrences.store';
import { StateKey, readTermPoints, stateKeyText } from '../progress/term-points.store';

/** A definition to evaluate for a user, and the event that caused it, if one did. */
export interface Matter {
  readonly user: LockedUser;
  readonly definition: CompiledDefinition;
  readonly reason: MembershipReason;
  readonly cause?: Cause;
}

/** The event that caused a change. */
export interface Cause {
  readonly platformUserId: string;
  /** Unix milliseconds at the gateway. */
  readonly receivedAtMs: number;
  readonly traceparent?: string;
}

/** An award with the event that caused it; without one when time did. */
export interface CausedAward {
  readonly award: BonusAwardIssuedData;
  readonly cause?: Cause;
  /** The span of the ledger entry, in the trace of the event; the caller ends it after the commit. */
  readonly span?: Span;
}

/** The changes that an evaluation of definitions made. */
export interface Settlement {
  /** Issued now, for the first time. */
  readonly awards: readonly CausedAward[];
  readonly changes: readonly Membership[];
}

/** Retry interval of a task that time completes for a user whose link this service has not seen yet, seconds. */
const unknownAccountWaitS = 60;

/**
 * Evaluates definitions for locked users and writes the results: awards with their ledger entries, changed memberships, due
 * times, and the outgoing records. All causes (an event, a due time, a link, a definition) take this way.
 */
export async function settle(tx: Queryable, matters: readonly Matter[], nowMs: number): Promise<Settlement> {
  if (matters.length === 0) return { awards: [], changes: [] };
  const findings = await evaluate(tx, matters, Math.floor(nowMs / 1000));
  const issued = await issueAwards(
    tx,
    findings.awards.map(({ award }) => award),
    nowMs,
  );
  const awards = findings.awards.filter(({ award }) => issued.has(award.award_id)).map(traced);
  await writeSettled(tx, findings.settled);
  await writeMemberships(
    tx,
    findings.changes.map(({ membership }) => membership),
  );
  await writeDueTimes(tx, findings.dueTimes);
  await appendOutbox(tx, 'engagement', [...awards.map(awardRecord), ...findings.changes.map(membershipRecord)]);
  return { awards, changes: findings.changes.map(({ membership }) => membership) };
}

interface Findings {
  readonly awards: CausedAward[];
  readonly settled: SettledOccurrences[];
  readonly changes: MembershipChange[];
  readonly dueTimes: DueTime[];
}

interface Known {
  readonly points: ReadonlyMap<string, TermPoint[]>;
  readonly settled: ReadonlyMap<string, number>;
  readonly links: ReadonlyMap<number, UserLink>;
  readonly memberships: ReadonlyMap<number, ReadonlySet<string>>;
}

async function evaluate(tx: Queryable, matters: readonly Matter[], nowS: number): Promise<Findings> {
  const tasks = matters.filter(({ definition }) => definition.kind === 'task');
  const segments = matters.filter(({ definition }) => definition.kind === 'segment');
  const known: Known = {
    points: await readTermPoints(tx, matters.map(stateOf)),
    settled: await readSettled(tx, tasks.map(stateOf)),
    links: await readUserLinks(tx, userRefsOf([...segments, ...tasks.filter(({ cause }) => cause === undefined)])),
    memberships: await readMemberships(tx, userRefsOf(segments)),
  };
  const findings: Findings = { awards: [], settled: [], changes: [], dueTimes: [] };
  for (const matter of matters) {
    const { definition, user } = matter;
    // Due rows of paused definitions wait, so that the definition is evaluated as soon as the pause ends.
    if (definition.paused)
      findings.dueTimes.push({ userRef: user.userRef, definitionId: definition.definitionId, dueAt: nowS });
    else if (definition.kind === 'task') evaluateTaskOf(findings, matter, definition, known, nowS);
    else evaluateSegmentOf(findings, matter, definition, known, nowS);
  }
  return findings;
}

function evaluateTaskOf(findings: Findings, matter: Matter, task: CompiledTask, known: Known, nowS: number): void {
  const { user } = matter;
  const state = stateOf(matter);
  const key = stateKeyText(state);
  const settled = known.settled.get(key) ?? 0;
  const { reached, dueAt } = evaluateTask(task, known.points.get(key) ?? [], nowS, settled);
  const platformUserId = matter.cause?.platformUserId ?? known.links.get(user.userRef)?.platformUserId;
  const due = { userRef: user.userRef, definitionId: task.definitionId };
  if (reached.length > 0 && platformUserId === undefined) {
    findings.dueTimes.push({ ...due, dueAt: nowS + unknownAccountWaitS });
    return;
  }
  findings.dueTimes.push({ ...due, dueAt });
  for (const { occurrence, reachedAt } of reached) {
    const award = {
      award_id: awardIdOf({ taskId: task.definitionId, userId: user.userId, occurrence }),
      seq: issuedSeq,
      task_id: task.definitionId,
      task_version: task.version,
      occurrence,
      platform: user.platform,
      organizer_id: task.organizerId,
      user_id: user.userId,
      platform_user_id: platformUserId!,
      reward: task.reward,
      reached_at: reachedAt,
    };
    findings.awards.push({ award, cause: matter.cause });
  }
  if (reached.length > 0) findings.settled.push({ ...state, settled: settled + reached.length });
}

function evaluateSegmentOf(
  findings: Findings,
  matter: Matter,
  segment: CompiledSegment,
  known: Known,
  nowS: number,
): void {
  const { user } = matter;
  const link = known.links.get(user.userRef);
  const points = known.points.get(stateKeyText(stateOf(matter))) ?? [];
  const { member, dueAt } = evaluateSegment(segment, points, { nowS, linkedAt: link?.linkedAt ?? null });
  findings.dueTimes.push({ userRef: user.userRef, definitionId: segment.definitionId, dueAt });
  const wasMember = known.memberships.get(user.userRef)?.has(segment.definitionId) ?? false;
  if (member === wasMember) return;
  findings.changes.push({
    user,
    organizerId: segment.organizerId,
    platformUserId: link?.platformUserId ?? matter.cause?.platformUserId ?? '',
    traceparent: matter.cause?.traceparent,
    membership: {
      userRef: user.userRef,
      segmentId: segment.definitionId,
      segmentVersion: segment.version,
      member,
      changedAt: nowS,
      reason: matter.reason,
    },
  });
}

function traced({ award, cause }: CausedAward): CausedAward {
  const span = childSpan('enter award', cause?.traceparent, {
    attributes: {
      'podium.award.id': award.award_id,
      'podium.award.seq': award.seq,
      'podium.task.id': award.task_id,
      'podium.platform': award.platform,
    },
  });
  return { award, cause, span };
}

function awardRecord({ award, cause, span }: CausedAward): OutboxRecord {
  return outboxRecord({
    topic: topics.awards,
    key: recordKey(award.platform, award.user_id),
    definition: bonusAwardIssued,
    data: award,
    recordId: `${award.award_id}-${award.seq}`,
    traceparent: span ? traceparentOfSpan(span) : cause?.traceparent,
  });
}

function userRefsOf(matters: readonly Matter[]): number[] {
  return [...new Set(matters.map(({ user }) => user.userRef))];
}

function stateOf({ user, definition }: Matter): StateKey {
  return { userRef: user.userRef, definitionId: definition.definitionId, generation: definition.generation };
}
