import { appendOutbox } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { Cause } from '../awards/cause';
import { AwardSettlement, settleAwards } from '../awards/settle-awards';
import { TaskFinding } from '../awards/task-finding';
import { waitsForLinks } from '../awards/waits-for-links';
import { evaluateSegment } from '../evaluation/evaluate-segment';
import { evaluateTask, stepsPassedBefore } from '../evaluation/evaluate-task';
import { LinkPeriod } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { LoadedHistories } from '../history/loaded-histories';
import { MembershipChange, membershipRecord } from '../memberships/membership-record';
import { membershipToTell } from '../memberships/membership-to-tell';
import {
  Membership,
  MembershipReason,
  ToldMembership,
  readMemberships,
  writeMemberships,
} from '../memberships/memberships.store';
import { DefinitionSet, LiveDefinition } from '../progress/definition-set';
import { DueTime, makeDue, writeDueTimes } from '../progress/due-times.store';
import { readLinkPeriods } from '../users/link-periods.store';
import { dueOfTask } from '../shown-progress/due-of-task';
import { ContinuedTasks, nothingContinued } from '../shown-progress/running-progress';
import { ProgressFinding, tellProgress } from '../shown-progress/tell-progress';
import { LockedUser } from '../users/users.store';
import { soonest, withNextEffect, withNextLink } from './due-again';

/** A definition to evaluate for a user, and the event that caused it, if one did. */
export interface Matter {
  readonly user: LockedUser;
  readonly definition: LiveDefinition;
  readonly reason: MembershipReason;
  readonly cause?: Cause;
}

/** The changes that an evaluation of definitions made. */
export interface Settlement {
  readonly awards: AwardSettlement['issued'];
  readonly reversals: AwardSettlement['reversed'];
  readonly changes: readonly Membership[];
}

/** What matters are evaluated with; `histories` has all names of their definitions. */
export interface SettleContext {
  readonly definitions: DefinitionSet;
  readonly histories: LoadedHistories;
  readonly nowMs: number;
  /** Unix seconds: awards that time decides later than that wait, because the view of links may lack an end. */
  readonly linksPassedS?: number;
  /** Links by user row that the transaction has read already. */
  readonly links?: ReadonlyMap<number, readonly LinkPeriod[]>;
  /** Whether the caller can try again with fewer records or users, so that too many awards are refused (`TooManyAwardsError`). */
  readonly isDivisible?: boolean;
  /** Tasks whose progress alone changes; they are not among the matters. */
  readonly continued?: ContinuedTasks;
}

/** What an evaluation of nothing changes. */
export const nothingSettled: Settlement = { awards: [], reversals: [], changes: [] };

/**
 * Evaluates definitions for locked users and writes the results: awards with their ledger entries, changed memberships, due
 * times, shown progress, and the outgoing records. All causes (an event, a due time, a link, a definition) take this way.
 */
export async function settle(tx: Queryable, matters: readonly Matter[], context: SettleContext): Promise<Settlement> {
  const { continued = nothingContinued, links = new Map<number, readonly LinkPeriod[]>() } = context;
  if (matters.length === 0 && continued.continued.length === 0) return nothingSettled;
  if (context.definitions.isRebuilding) return postpone(tx, matters, context.nowMs);
  const userRefs = new Set(matters.map(({ user }) => user.userRef));
  const needing = new Set([
    ...userRefs,
    ...continued.continued.flatMap((each) => (each.toldLink ? [] : [each.user.userRef])),
  ]);
  const missing = [...needing].filter((userRef) => !links.has(userRef));
  const known: Known = {
    links: new Map([...links, ...(await readLinkPeriods(tx, missing))]),
    memberships: await readMemberships(tx, [...userRefs], Math.floor(context.nowMs / 1000)),
  };
  const findings = evaluate(matters, known, context);
  const { issued, reversed, unblocked, again } = await settleAwards(
    tx,
    findings.tasks,
    context.nowMs,
    context.isDivisible,
  );
  const changes = findings.changes.map(({ membership }) => membership);
  await writeMemberships(tx, changes);
  await writeDueTimes(tx, withSooner(findings.dueTimes, again));
  const unblockedTasks = unblocked.map(({ userRef, taskId }) => ({ userRef, definitionId: taskId }));
  await makeDue(tx, unblockedTasks, Math.floor(context.nowMs / 1000));
  await appendOutbox(tx, 'engagement', findings.changes.map(membershipRecord));
  await tellProgress(tx, {
    ...{ findings: findings.progress, continued, links: known.links },
    nowS: Math.floor(context.nowMs / 1000),
    isLive: (taskId) => context.definitions.byId.has(taskId),
  });
  return { awards: issued, reversals: reversed, changes };
}

/** During a rebuild nothing is evaluated: what events and links may have changed is due as soon as it has finished. */
export async function postpone(tx: Queryable, matters: readonly Matter[], nowMs: number): Promise<Settlement> {
  const due = matters.map(({ user, definition }) => ({ userRef: user.userRef, definitionId: definition.definitionId }));
  await makeDue(tx, due, Math.floor(nowMs / 1000));
  return nothingSettled;
}

/** By segment id. */
type ToldOfUser = ReadonlyMap<string, ToldMembership>;

interface Known {
  readonly links: ReadonlyMap<number, readonly LinkPeriod[]>;
  readonly memberships: ReadonlyMap<number, ToldOfUser>;
}

interface Findings {
  readonly tasks: TaskFinding[];
  readonly progress: ProgressFinding[];
  readonly changes: MembershipChange[];
  readonly dueTimes: DueTime[];
}

function evaluate(matters: readonly Matter[], known: Known, context: SettleContext): Findings {
  const { histories, nowMs, linksPassedS = Infinity } = context;
  const nowS = Math.floor(nowMs / 1000);
  const findings: Findings = { tasks: [], progress: [], changes: [], dueTimes: [] };
  const views = new Map<number, UserView>();
  for (const matter of matters) {
    const { userRef } = matter.user;
    if (isLinkWithoutEvents(matter, histories, known.memberships.get(userRef))) continue;
    const links = known.links.get(userRef) ?? [];
    const view = views.get(userRef) ?? new UserView(histories.of(userRef), links);
    views.set(userRef, view);
    if (matter.definition.kind === 'task') findTask(findings, matter, view, { links, linksPassedS }, nowS);
    else findSegment(findings, matter, view, known.memberships.get(userRef), nowS);
  }
  return findings;
}

/** Nearly all definitions of a user who links for the first time: nothing can be owed, shown, due or left. */
function isLinkWithoutEvents(
  { user, definition, reason }: Matter,
  histories: LoadedHistories,
  told: ToldOfUser | undefined,
): boolean {
  if (reason !== 'link' || !definition.needsEvents) return false;
  if (definition.kind === 'segment' && (definition.paused || told?.get(definition.definitionId)?.member)) return false;
  return histories.areEmpty(user.userRef, definition.names);
}

function findTask(
  findings: Findings,
  { user, definition, cause }: Matter,
  view: UserView,
  known: Pick<TaskFinding, 'links' | 'linksPassedS'>,
  nowS: number,
): void {
  if (definition.kind !== 'task') return;
  const finalTo = view.finalTo(definition.names);
  const { owed, dueAt } = evaluateTask(definition, view, definition.names, { fromS: finalTo, nowS });
  const finalSteps = finalTo > 0 ? stepsPassedBefore(definition, view, finalTo) : undefined;
  const finding = { user, task: definition.definition, owed, finalTo, finalSteps, cause, ...known };
  const waiting = owed.find((each) => waitsForLinks(finding, each));
  findings.tasks.push(finding);
  findings.progress.push({ user, task: definition, view, owed, cause });
  const next = dueOfTask({ task: definition, view, owed, dueAt }, nowS);
  findings.dueTimes.push({
    userRef: user.userRef,
    definitionId: definition.definitionId,
    dueAt: waiting?.reachedAt ?? withNextEffect(next, definition, view, nowS),
  });
}

function findSegment(
  findings: Findings,
  { user, definition, reason, cause }: Matter,
  view: UserView,
  told: ToldOfUser | undefined,
  nowS: number,
): void {
  if (definition.kind !== 'segment') return;
  const { definitionId, organizerId, paused } = definition;
  const evaluated = evaluateSegment(definition, view, definition.names, nowS);
  const toldOfSegment = told?.get(definitionId) ?? neverMember;
  const change = membershipToTell({ evaluated, paused, told: toldOfSegment, reason, view, nowS });
  // Another instance, whose clock is ahead, has told of a second that this one cannot judge yet.
  const isTooEarly = change !== null && toldOfSegment.changedAt > nowS;
  const next = withNextLink(withNextEffect(evaluated.dueAt, definition, view, nowS), evaluated.member, view, nowS);
  const dueAt = isTooEarly ? soonest(next, toldOfSegment.changedAt) : next;
  // A paused segment is due again as soon as the pause ends.
  findings.dueTimes.push({ userRef: user.userRef, definitionId, dueAt: paused ? nowS : dueAt });
  if (change === null || isTooEarly) return;
  findings.changes.push({
    user,
    organizerId,
    platformUserId: change.account ?? cause?.platformUserId ?? '',
    traceparent: cause?.traceparent,
    membership: {
      userRef: user.userRef,
      segmentId: definitionId,
      segmentVersion: evaluated.version,
      member: change.member,
      changedAt: Math.min(change.changedAt, nowS),
      reason: change.reason,
      ...(change.member ? { account: change.account } : {}),
    },
  });
}

const neverMember: ToldMembership = { member: false, changedAt: 0, account: null };

/** The due times, each brought forward to that of the same definition and user in `sooner`. */
function withSooner(dueTimes: readonly DueTime[], sooner: readonly DueTime[]): readonly DueTime[] {
  if (sooner.length === 0) return dueTimes;
  const keyOf = ({ userRef, definitionId }: DueTime): string => `${userRef}/${definitionId}`;
  const atOf = new Map(sooner.map((time) => [keyOf(time), time.dueAt]));
  return dueTimes.map((time) => ({ ...time, dueAt: soonest(time.dueAt, atOf.get(keyOf(time)) ?? null) }));
}
