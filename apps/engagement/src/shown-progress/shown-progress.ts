import { CompiledTaskVersion, shownVersionAt } from '../evaluation/compiled-task';
import { isComparedGoal } from '../evaluation/compared-goal';
import { formatDecimal, toBillionths } from '../evaluation/exact-decimal';
import { Moment, momentOf } from '../evaluation/moment';
import { Owed } from '../evaluation/owed';
import { UserView } from '../evaluation/user-history';
import { LiveTask } from '../progress/definition-set';

/** How far a user is (docs/engine.md, reading 17). */
export interface ShownProgress {
  /** Null where only `reachedAt` is shown: the goal is no single comparison of count, sum, distinct or streak, or is long over. */
  readonly value: string | null;
  /** What `value` is compared with; of `every`, that of the next occurrence. */
  readonly target: string | null;
  /** Unix seconds at which the series was reached, as far back as instants are evaluated; of `every`, its first occurrence. */
  readonly reachedAt: number | null;
}

/** What a task shows at an instant for every user alike. */
export interface ShownSeries {
  /** See `shownVersionAt`. */
  readonly version: CompiledTaskVersion;
  /** The occurrence that can be reached; of `every`, what precedes the number (`g1:every`). */
  readonly series: string;
  /** Unix seconds at which it begins to count. */
  readonly beginsAt: number;
  /** Unix seconds from which another series counts; null without periods. */
  readonly periodEndsAt: number | null;
  /** Unix seconds: after the dates of a version its last second is shown, because the task window ends there. */
  readonly shownAt: number;
}

/** The series of a task at an instant, Unix seconds. */
export function seriesAt(task: LiveTask, atS: number): ShownSeries {
  const version = shownVersionAt(task, atS);
  const { repeat, generation, startS, lastS } = version;
  const shownAt = Math.min(atS, lastS - 1);
  if (repeat.kind !== 'per')
    return { version, series: `g${generation}:${repeat.kind}`, beginsAt: startS, periodEndsAt: null, shownAt };
  return {
    version,
    series: repeat.keyAt(shownAt),
    beginsAt: Math.max(startS, repeat.startAt(shownAt)),
    periodEndsAt: repeat.nextAt(shownAt),
    shownAt,
  };
}

/** Names of the events whose users have progress to show. */
export function namesOfProgress(task: LiveTask): ReadonlySet<string> {
  const names = new Set(task.versions.flatMap(({ goal }) => [...goal.names]));
  return names.size > 0 ? names : task.names;
}

/** The progress of a user; `owed` is what the evaluation of the task found for the same view and instant. */
export function progressOf(
  task: LiveTask,
  { version, series, shownAt }: ShownSeries,
  view: UserView,
  owed: readonly Owed[],
): ShownProgress {
  const reachedAt = owed.find(({ occurrences }) => seriesOf(occurrences) === series)?.reachedAt ?? null;
  if (!isEvaluated(task, view, shownAt)) return { ...nothingShown, reachedAt };
  return { ...valueOf(version, momentOf(view.receivedBefore(task.closesAt), shownAt)), reachedAt };
}

/** Whether the instant that is shown can still be evaluated for a user; what is long over can not. */
export function isEvaluated(task: LiveTask, view: UserView, shownAt: number): boolean {
  return shownAt >= view.finalTo(task.names);
}

const nothingShown = { value: null, target: null } as const;

function valueOf(version: CompiledTaskVersion, moment: Moment): Pick<ShownProgress, 'value' | 'target'> {
  const { goal, repeat, body } = version;
  if (!isComparedGoal(body.goal)) return nothingShown;
  if (repeat.kind === 'every') {
    const value = repeat.baseAt(moment) + repeat.insideAt(moment);
    return { value: repeat.textOf(value), target: targetAt(version, value) };
  }
  let value = '0';
  goal.values(moment, 'goal', (_path, text) => (value = text));
  return { value: shownValue(version, value), target: targetAt(version, 0n) };
}

/** A value as it is shown: of distinct values, more than that are not kept of every bucket. */
export function shownValue({ goal, body }: CompiledTaskVersion, value: string): string {
  if (!('distinct' in body.goal)) return value;
  return String(Math.min(Number(value), goal.terms[0].exactTo));
}

/** What a value is compared with; of `every`, that of the next occurrence. The value is in the units of the repeat. */
export function targetAt({ body: { goal, repeat: given }, repeat }: CompiledTaskVersion, value: bigint): string | null {
  if (!isComparedGoal(goal)) return null;
  if (repeat.kind !== 'every' || !('every' in given)) return goal.value;
  return formatDecimal(toBillionths(goal.value) + BigInt(repeat.passedBy(value)) * toBillionths(given.every));
}

function seriesOf(occurrences: Owed['occurrences']): string {
  return occurrences.kind === 'one' ? occurrences.occurrence : `g${occurrences.generation}:every`;
}
