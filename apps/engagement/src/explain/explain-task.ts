import { CompiledTaskVersion, shownVersionAt } from '../evaluation/compiled-task';
import { ReferredSegment } from '../evaluation/condition-node';
import { evaluateTask } from '../evaluation/evaluate-task';
import { HistoryEvent } from '../evaluation/history';
import { Moment, momentOf } from '../evaluation/moment';
import { Owed } from '../evaluation/owed';
import { UserView } from '../evaluation/user-history';
import { LiveTask } from '../progress/definition-set';
import { ConditionExplanation } from './comparison-explanation';
import { explainCondition } from './explain-condition';

/** A user at an instant, and what explanations need of the platform. */
export interface ExplainedUser {
  readonly view: UserView;
  readonly atS: number;
  /** Events of the store by name. */
  readonly stored: ReadonlyMap<string, readonly HistoryEvent[]>;
  readonly segments: ReadonlyMap<string, ReferredSegment>;
}

/** The values of `every`, as decimals: what lay before dates and generation, what came after, and how many were passed. */
export interface StepsExplanation {
  readonly base: string;
  readonly inside: string;
  readonly passed: number;
}

/** Why a task's goal holds or not, and what the task owes by the instant. */
export interface TaskExplanation extends ConditionExplanation {
  readonly version: CompiledTaskVersion;
  /** Unix seconds of what is explained; see `explainedSecond`. */
  readonly explainedAtS: number;
  /** Whether the instant lies in the dates of the version in force. */
  readonly isInDates: boolean;
  /** Null without `eligible`. */
  readonly isEligible: boolean | null;
  /** Null unless it repeats by `every`. */
  readonly steps: StepsExplanation | null;
  /** Ordered by `reachedAt`. */
  readonly owed: readonly Owed[];
  /** Unix seconds at which the next occurrence is reached without a further event. */
  readonly dueAt: number | null;
}

/** The second that is explained: after the dates of a version their last one, because its task window ends there. */
export function explainedSecond(task: LiveTask, atS: number): number {
  return Math.min(atS, shownVersionAt(task, atS).lastS - 1);
}

/** Explains a task for a user; `explainedSecond` of the instant is not before `finalTo` of the user's history. */
export function explainTask(task: LiveTask, user: ExplainedUser): TaskExplanation {
  const { view, atS, stored, segments } = user;
  const version = shownVersionAt(task, atS);
  const explainedAtS = explainedSecond(task, atS);
  const { body, startS: taskStart, eligible, repeat } = version;
  const moment = momentOf(view.receivedBefore(task.closesAt), explainedAtS);
  const per = 'per' in body.repeat ? body.repeat.per : null;
  const { rates, definition } = task;
  const context = { specs: definition.specs, segments, rates, zone: body.zone, taskStart, per };
  const { owed, dueAt } = evaluateTask(task, view, task.names, { fromS: view.finalTo(task.names), nowS: atS });
  return {
    ...explainCondition(body.goal, context, { ...moment, stored, closesAt: task.closesAt }, 'goal'),
    ...{ version, explainedAtS },
    isInDates: atS >= version.firstS && atS < version.lastS,
    isEligible: eligible === null ? null : eligible.holds(moment),
    steps: repeat.kind === 'every' ? stepsOf(repeat, moment) : null,
    owed,
    dueAt,
  };
}

function stepsOf(repeat: Extract<CompiledTaskVersion['repeat'], { kind: 'every' }>, moment: Moment): StepsExplanation {
  const base = repeat.baseAt(moment);
  const inside = repeat.insideAt(moment);
  return { base: repeat.textOf(base), inside: repeat.textOf(inside), passed: repeat.passedBy(base + inside) };
}
