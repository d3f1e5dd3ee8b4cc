import { CompiledTaskVersion } from '../evaluation/compiled-task';
import { versionIndexAt } from '../evaluation/compiled-segment';
import { isComparedGoal } from '../evaluation/compared-goal';
import { Owed } from '../evaluation/owed';
import { UserView } from '../evaluation/user-history';
import { LiveTask } from '../progress/definition-set';
import { isEvaluated, progressOf, seriesAt } from './shown-progress';
import { ToldTask, isInitial, isShownAlike } from './told-progress';

/** A user's task with what its evaluation found. */
export interface EvaluatedTask {
  readonly task: LiveTask;
  readonly view: UserView;
  readonly owed: readonly Owed[];
  /** Unix seconds at which the next occurrence is reached without an event; null when only events can. */
  readonly dueAt: number | null;
}

/**
 * When a task has to be evaluated for a user again, Unix seconds after `nowS`; null when only an event can change it. That is when
 * the next occurrence is reached, or sooner, when more of what is known now is shown: a later version comes into force, or an event
 * or link that is ahead of the clock begins to count. A window that moves on and a period that ends are not told by themselves.
 */
export function dueOfTask(evaluated: EvaluatedTask, nowS: number): number | null {
  const { task, view } = evaluated;
  const { versions } = task.definition;
  let sooner = evaluated.dueAt ?? Infinity;
  for (let at = versionIndexAt(versions, nowS); at < versions.length; at++) {
    // The first version is shown before it is in force, too.
    const fromS = at === 0 ? -Infinity : versions[at].inForceFrom;
    if (fromS >= sooner) break;
    if (fromS > nowS && changesWhatIsShown(evaluated, fromS, nowS)) return fromS;
    sooner = Math.min(sooner, firstCounted(task.versions[at], view, Math.max(fromS, nowS + 1)));
  }
  return sooner === Infinity ? null : sooner;
}

/** Whether users with progress are told of the version that comes into force at an instant, by what is known now. */
function changesWhatIsShown(evaluated: EvaluatedTask, fromS: number, nowS: number): boolean {
  const { task, view } = evaluated;
  if (!isEvaluated(task, view, seriesAt(task, fromS).shownAt)) return false;
  const after = shownTask(evaluated, fromS);
  if (isInitial(after) && isInitial(shownTask(evaluated, nowS))) return false;
  const before = shownTask(evaluated, fromS - 1);
  const { periodEndsAt } = seriesAt(task, fromS - 1);
  // Readers show zero from the end of a period on.
  const isPeriodOver = periodEndsAt !== null && periodEndsAt <= fromS;
  const { value, target } = before;
  const known = isPeriodOver ? { series: after.series, value: value && '0', target, reachedAt: null } : before;
  return !isShownAlike(known, after);
}

function shownTask({ task, view, owed }: EvaluatedTask, atS: number): ToldTask {
  const shown = seriesAt(task, atS);
  return { ...progressOf(task, shown, view, owed), series: shown.series };
}

/** The first second from `fromS` on, while a version is shown, at which an event or a link begins to count in its value. */
function firstCounted({ body, goal, lastS }: CompiledTaskVersion, view: UserView, fromS: number): number {
  let first = Infinity;
  if (!isComparedGoal(body.goal)) return first;
  const add = (atS: number): void => {
    if (atS >= fromS && atS < lastS && atS < first) first = atS;
  };
  for (const { linkedAt } of view.links) add(linkedAt);
  for (const term of goal.terms) {
    for (const { seenAt } of view.countedBy(term)) add(seenAt);
    for (const { seenAt } of view.latePartsOf(term)) add(seenAt);
  }
  return first;
}
