import { TaskProgress, recordKey, taskProgressChanged, topics } from '@podium/messages';
import { OutboxRecord, appendOutbox, isTopicPublished, outboxRecord } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { Cause } from '../awards/cause';
import { Owed } from '../evaluation/owed';
import { LinkPeriod } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { LockedUser } from '../users/users.store';
import { ContinuedTasks, continuedTask, newestLink } from './running-progress';
import { LiveTask } from '../progress/definition-set';
import { ShownProgress, ShownSeries, isEvaluated, progressOf, seriesAt } from './shown-progress';
import { ToldLink, ToldTask, isInitial, isShownAlike } from './told-progress';
import { ToldOfUsers, ToldUser, markStale, readRecordedSeries, readTold, writeTold } from './told-progress.store';

/** An evaluated task of a locked user. */
export interface ProgressFinding {
  readonly user: LockedUser;
  readonly task: LiveTask;
  readonly view: UserView;
  /** What the evaluation found owed for the same view and instant. */
  readonly owed: readonly Owed[];
  readonly cause?: Cause;
}

/** A finding with what it shows and what was told before. */
interface Compared {
  readonly finding: ProgressFinding;
  readonly shown: ShownSeries;
  readonly progress: ShownProgress;
  /** Of the same task; undefined when it was never told of. */
  readonly before: ToldTask | undefined;
}

/** What may be told; of a user and task at most one finding or continued progress. */
export interface Telling {
  readonly findings: readonly ProgressFinding[];
  readonly continued: ContinuedTasks;
  /** By user row. */
  readonly links: ReadonlyMap<number, readonly LinkPeriod[]>;
  /** Unix seconds. */
  readonly nowS: number;
  /** Which tasks are remembered. */
  isLive(taskId: string): boolean;
}

/**
 * Publishes for each user, in one record, the tasks whose shown progress is not what was last told. A user who has nothing to
 * show yet is not told of; what is long over stays as it was told. Awards are settled before. While a relay of the release
 * before leads, users are only marked (`tellStaleProgress`).
 */
export async function tellProgress(tx: Queryable, telling: Telling): Promise<void> {
  const { findings, continued, nowS, isLive } = telling;
  if (findings.length === 0 && continued.continued.length === 0) return;
  const told = await readToldOf(tx, findings, continued.told);
  const compared = findings.flatMap((finding): Compared[] => {
    const { task, view, user, owed } = finding;
    const shown = seriesAt(task, nowS);
    if (!isEvaluated(task, view, shown.shownAt)) return [];
    const before = told.get(user.userRef)?.tasks.get(task.definitionId);
    return [{ finding, shown, progress: progressOf(task, shown, view, owed), before }];
  });
  const changes = [...(await changesOf(tx, compared, nowS)), ...continuedChanges(telling)];
  const users = [...byUser(changes), ...withOtherLink(telling, told, new Set(changes.map(({ user }) => user.userRef)))];
  const toTell = users.filter(({ tasks }) => tasks.some(({ isTold }) => isTold));
  if (toTell.length > 0 && !(await isTopicPublished(tx, 'engagement', topics.taskProgress)))
    return markStale(
      tx,
      toTell.map(({ user }) => user.userRef),
    );
  const revisions = await appendOutbox(
    tx,
    'engagement',
    toTell.map((user) => recordOf(user, nowS)),
  );
  const revisionOf = new Map(toTell.map(({ user }, at) => [user.userRef, revisions[at]]));
  await writeTold(
    tx,
    users.map(({ user: { userRef }, tasks, link }): ToldUser => {
      const known = told.get(userRef);
      const next = new Map<string, ToldTask>();
      for (const [taskId, task] of known?.tasks ?? []) if (isLive(taskId)) next.set(taskId, task);
      for (const { task, now } of tasks) next.set(task.definitionId, now);
      return { userRef, revision: revisionOf.get(userRef) ?? known?.revision ?? 0, tasks: next, link };
    }),
    told,
  );
}

async function readToldOf(
  tx: Queryable,
  findings: readonly ProgressFinding[],
  known: ToldOfUsers,
): Promise<ToldOfUsers> {
  const missing = new Set(findings.map(({ user }) => user.userRef).filter((userRef) => !known.has(userRef)));
  if (missing.size === 0) return known;
  return new Map([...known, ...(await readTold(tx, [...missing]))]);
}

/** What is stored from now on of a task, and whether it is told. */
interface Change extends Pick<ProgressFinding, 'user' | 'task' | 'cause'> {
  /** The one begun last; null: none is known. */
  readonly link: ToldLink | null;
  readonly shown: ShownSeries;
  readonly now: ToldTask;
  readonly isTold: boolean;
}

function continuedChanges({ continued: { continued }, links, nowS }: Telling): Change[] {
  return continued.flatMap((each) => {
    const { user, task, cause, shown, before } = each;
    const now = continuedTask(each);
    if (isShownAlike(before, now) || (isInitial(before) && isInitial(now))) return [];
    const link = newestLink(links.get(user.userRef) ?? [], each, nowS);
    return [{ user, task, cause, link, shown, now, isTold: true }];
  });
}

async function changesOf(tx: Queryable, compared: readonly Compared[], nowS: number): Promise<Change[]> {
  const asked = compared.filter(isRecordAsked);
  const recorded = await readRecordedSeries(
    tx,
    asked.map(({ finding: { user, task }, shown }) => ({
      ...{ userRef: user.userRef, userId: user.userId },
      ...{ taskId: task.definitionId, series: shown.series },
    })),
  );
  const recordedOf = new Map(asked.map((each, at) => [each, recorded[at]]));
  return compared.flatMap((each) => {
    const { finding, shown, progress, before } = each;
    const reachedAt = finalReach(each) ?? progress.reachedAt ?? recordedOf.get(each) ?? null;
    const now: ToldTask = { ...progress, reachedAt, series: shown.series };
    const isTold = before ? !isShownAlike(before, now) && !(isInitial(before) && isInitial(now)) : !isInitial(now);
    // What the record of awards has said about a series is remembered, so that it is not asked again.
    const isNoted = recordedOf.has(each) && before?.series !== shown.series;
    const isMoved = before !== undefined && before.reachedAt !== reachedAt;
    if (!isTold && !isNoted && !isMoved) return [];
    const { user, task, view, cause } = finding;
    return [{ user, task, cause, link: view.linkAt(nowS), shown, now, isTold }];
  });
}

/** When the series was reached, if that was told and is final by now: the evaluation does not look so far back. */
function finalReach({ finding: { task, view }, shown, before }: Compared): number | null {
  if (before?.series !== shown.series || before.reachedAt === null) return null;
  return before.reachedAt < view.finalTo(task.names) ? before.reachedAt : null;
}

/**
 * Whether only the record of awards can tell if a series is reached: it was told so and is not owed any more, or it was never
 * looked at and began before the instants that are evaluated.
 */
function isRecordAsked(compared: Compared): boolean {
  const { finding, shown, progress, before } = compared;
  if (progress.reachedAt !== null || finalReach(compared) !== null) return false;
  if (before?.series === shown.series) return before.reachedAt !== null;
  return shown.beginsAt < finding.view.finalTo(finding.task.names);
}

interface ChangedUser {
  readonly user: LockedUser;
  readonly link: ToldLink | null;
  readonly tasks: readonly Change[];
}

/** Evaluated users who have another link than was told, and nothing else to tell: what goes on from there names its account. */
function withOtherLink({ findings, nowS }: Telling, told: ToldOfUsers, others: ReadonlySet<number>): ChangedUser[] {
  const users = new Map<number, ChangedUser>();
  for (const { user, view } of findings) {
    const known = told.get(user.userRef);
    if (!known || others.has(user.userRef) || users.has(user.userRef)) continue;
    const link = view.linkAt(nowS);
    if (link?.linkedAt !== known.link?.linkedAt || link?.account !== known.link?.account)
      users.set(user.userRef, { user, link, tasks: [] });
  }
  return [...users.values()];
}

function byUser(changes: readonly Change[]): ChangedUser[] {
  const users = new Map<number, ChangedUser & { readonly tasks: Change[] }>();
  for (const change of changes) {
    const known = users.get(change.user.userRef);
    if (known) known.tasks.push(change);
    else users.set(change.user.userRef, { user: change.user, link: change.link, tasks: [change] });
  }
  return [...users.values()];
}

function recordOf({ user, tasks }: ChangedUser, nowS: number): OutboxRecord {
  const told = tasks.filter(({ isTold }) => isTold);
  const [{ link, task, cause }] = told;
  return outboxRecord({
    topic: topics.taskProgress,
    key: recordKey(user.platform, user.userId),
    definition: taskProgressChanged,
    traceparent: cause?.traceparent,
    data: {
      platform: user.platform,
      organizer_id: task.organizerId,
      user_id: user.userId,
      platform_user_id: link?.account ?? cause?.platformUserId ?? '',
      shown_at: nowS,
      tasks: told.map(taskOf),
    },
  });
}

function taskOf({ task, shown, now }: Change): TaskProgress {
  return {
    task_id: task.definitionId,
    task_version: shown.version.version,
    series: now.series,
    period_ends_at: shown.periodEndsAt,
    value: now.value,
    target: now.target,
    reached: now.reachedAt !== null,
  };
}
