import { CompiledTaskVersion } from '../evaluation/compiled-task';
import { versionIndexAt } from '../evaluation/compiled-segment';
import { Condition } from '../evaluation/condition';
import { evaluateTask } from '../evaluation/evaluate-task';
import { formatDecimal, toBillionths } from '../evaluation/exact-decimal';
import { Moment, momentOf } from '../evaluation/moment';
import { Owed } from '../evaluation/owed';
import { UserView } from '../evaluation/user-history';
import { LiveDefinition } from '../progress/definition-set';

/** A task that is live, with all on which it depends. */
type LiveTask = Extract<LiveDefinition, { kind: 'task' }>;

/** How far a user is (docs/engine.md, reading 17). */
export interface TaskProgress {
  /** Null where only `reached` is shown: the goal is no single comparison of count, sum, distinct or streak, or is long over. */
  readonly value: string | null;
  /** What `value` is compared with; of `every`, that of the next occurrence. */
  readonly target: string | null;
  /** Whether the occurrence of the present period or generation is reached; of `every`, at least one. */
  readonly reached: boolean;
}

/** The version of a task that is in force at an instant, Unix seconds. */
export function versionAt(task: LiveTask, atS: number): CompiledTaskVersion {
  return task.versions[versionIndexAt(task.definition.versions, atS)];
}

/** The occurrence that can be reached at an instant; of `every`, what precedes the number (`g1:every`). */
export function seriesAt(task: LiveTask, atS: number): string {
  const version = versionAt(task, atS);
  const { repeat, generation } = version;
  return repeat.kind === 'per' ? repeat.keyAt(shownSecond(version, atS)) : `g${generation}:${repeat.kind}`;
}

/** Names of the events whose users have progress to show. */
export function namesOfProgress(task: LiveTask): ReadonlySet<string> {
  const names = new Set(task.versions.flatMap(({ goal }) => [...goal.names]));
  return names.size > 0 ? names : task.names;
}

/** The progress of a user now. */
export function progressOf(task: LiveTask, view: UserView, nowS: number): TaskProgress {
  const version = versionAt(task, nowS);
  const moment = momentOf(view.receivedBefore(task.closesAt), shownSecond(version, nowS));
  const { owed } = evaluateTask(task, view, task.names, { fromS: view.finalTo(task.names), nowS });
  const series = seriesAt(task, nowS);
  const shown = moment.atS < view.finalTo(task.names) ? nothingShown : valueOf(version, moment);
  return { ...shown, reached: owed.some(({ occurrences }) => seriesOf(occurrences) === series) };
}

/** After the dates of a version its last second is shown: the task window ends there. */
function shownSecond({ lastS }: CompiledTaskVersion, atS: number): number {
  return Math.min(atS, lastS - 1);
}

const nothingShown = { value: null, target: null } as const;

function valueOf(version: CompiledTaskVersion, moment: Moment): Pick<TaskProgress, 'value' | 'target'> {
  const { goal, repeat, body } = version;
  if (!isShown(body.goal)) return nothingShown;
  if (repeat.kind === 'every' && 'every' in body.repeat) {
    const value = repeat.baseAt(moment) + repeat.insideAt(moment);
    const passed = BigInt(repeat.passedBy(value));
    const target = toBillionths(body.goal.value) + passed * toBillionths(body.repeat.every);
    return { value: formatDecimal(value), target: formatDecimal(target) };
  }
  let value = '0';
  goal.values(moment, 'goal', (_path, text) => (value = text));
  return { value, target: body.goal.value };
}

function isShown(
  goal: Condition,
): goal is Extract<Condition, { count: unknown } | { sum: unknown } | { distinct: unknown } | { streak: unknown }> {
  return 'count' in goal || 'sum' in goal || 'distinct' in goal || 'streak' in goal;
}

function seriesOf(occurrences: Owed['occurrences']): string {
  return occurrences.kind === 'one' ? occurrences.occurrence : `g${occurrences.generation}:every`;
}
