import { topics } from '@podium/messages';
import { isTopicPublished } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { Cause } from '../awards/cause';
import { formatDecimal } from '../evaluation/exact-decimal';
import { LinkPeriod } from '../evaluation/history';
import { LockedUser } from '../users/users.store';
import { LiveTask } from '../progress/definition-set';
import { ShownSeries, seriesAt, shownValue, targetAt } from './shown-progress';
import { ToldLink, ToldTask } from './told-progress';
import { ToldOfUsers, readTold } from './told-progress.store';

/** The progress of a locked user's task after events that reach nothing. */
export interface RunningProgress {
  readonly user: LockedUser;
  readonly task: LiveTask;
  /** What is shown, in billionths. */
  readonly sum: bigint;
  /** The newest of the events, and the `linked_at` of its link. */
  readonly cause: Cause;
  readonly linkedAt: number;
}

/** One of the series that was last told of: all but its value is as it was. */
export interface ContinuedProgress extends RunningProgress {
  readonly shown: ShownSeries;
  readonly before: ToldTask;
  /** Null: the links of the user have to be read. */
  readonly toldLink: ToldLink | null;
}

/** What was told of the users, and which tasks go on from there. */
export interface ContinuedTasks {
  readonly told: ToldOfUsers;
  readonly continued: readonly ContinuedProgress[];
  /** To be evaluated: of their series no value was told, or what changed since could not be told. */
  readonly others: readonly RunningProgress[];
}

/** Nothing that could go on. */
export const nothingContinued: ContinuedTasks = { told: new Map(), continued: [], others: [] };

/** Finds the tasks whose progress goes on from what was told; the caller has locked the users. */
export async function readContinued(
  tx: Queryable,
  running: readonly RunningProgress[],
  nowS: number,
): Promise<ContinuedTasks> {
  if (running.length === 0) return nothingContinued;
  const told = await readTold(tx, [...new Set(running.map(({ user }) => user.userRef))]);
  // While nothing can be told, nobody sees from where it goes on.
  const isAnyStale = [...told.values()].some(({ isStale }) => isStale);
  const isStaleSeen = isAnyStale && (await isTopicPublished(tx, 'engagement', topics.taskProgress));
  const continued: ContinuedProgress[] = [];
  const others: RunningProgress[] = [];
  const series = new Map<LiveTask, ShownSeries>();
  for (const each of running) {
    const shown = series.get(each.task) ?? seriesAt(each.task, nowS);
    series.set(each.task, shown);
    const ofUser = told.get(each.user.userRef);
    const before = ofUser?.tasks.get(each.task.definitionId);
    if (ofUser && before && !(isStaleSeen && ofUser.isStale) && isContinuable(before, shown)) {
      // Field by field: V8 takes microseconds to copy an object with more fields, and this runs for every event.
      const { user, task, sum, cause, linkedAt } = each;
      continued.push({ user, task, sum, cause, linkedAt, shown, before, toldLink: ofUser.link });
    } else others.push(each);
  }
  return { told, continued, others };
}

/** A period of which nothing was told is not reached: that would have been told. */
function isContinuable({ value, series }: ToldTask, shown: ShownSeries): boolean {
  return value !== null && (series === shown.series || shown.version.repeat.kind === 'per');
}

/** What is shown from now on. */
export function continuedTask({
  sum,
  shown: { version, series },
  before,
}: Pick<ContinuedProgress, 'sum' | 'shown' | 'before'>): ToldTask {
  const reachedAt = before.series === series ? before.reachedAt : null;
  return { series, value: shownValue(version, formatDecimal(sum)), target: targetAt(version, sum), reachedAt };
}

/**
 * The link begun last: the one that was told, or of a user of whom none was told one of `links`, or that of the event while its
 * own record is on its way. A link that begins is told of before an event goes on from there, because it evaluates all tasks.
 */
export function newestLink(
  links: readonly LinkPeriod[],
  { cause, linkedAt, toldLink }: ContinuedProgress,
  nowS: number,
): ToldLink {
  const newest = toldLink ?? links.findLast((link) => link.linkedAt <= nowS);
  return newest && newest.linkedAt >= linkedAt ? newest : { linkedAt, account: cause.platformUserId };
}
