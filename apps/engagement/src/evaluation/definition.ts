import { AttributeType, Reward, deadLetterRetentionDays, topicRetention } from '@podium/messages';
import { Condition, Filter, Period, Window } from './condition';

/** How often a goal pays: once; once per calendar period; or each time its count or sum grows by a further step. */
export type Repeat = { readonly once: true } | { readonly per: Period } | { readonly every: string };

/** The currency of money: amounts in it alone, or all amounts, converted to it (docs/engine.md, reading 14). */
export type MoneyCurrency =
  | { readonly currency: string; readonly convert_to?: undefined }
  | { readonly currency?: undefined; readonly convert_to: string };

/**
 * A percentage of a money value, rounded half up to the currency's digits, then raised to `floor` and cut to `cap`. It is paid
 * in the currency of the value.
 */
export type FormulaReward = MoneyCurrency & {
  readonly type: string;
  /** Canonical decimal above 0. */
  readonly percent: string;
  readonly of:
    { readonly attribute: string } | { readonly sum: Filter; readonly attribute: string; readonly window: Window };
  readonly floor?: string;
  readonly cap?: string;
};

export type TaskReward = Reward | FormulaReward;

export type ClawBack = 'none' | 'before_confirm' | 'always';

/** The most that a task issues, in units of its reward: amount, or quantity of an item. Canonical decimals. */
export interface Budget {
  readonly total?: string;
  /** Per UTC day of issue. */
  readonly per_day?: string;
}

/** The body of a segment's version, in canonical form. */
export interface SegmentBody {
  readonly condition: Condition;
  /** IANA name of the zone of all its days, weeks and months. */
  readonly zone: string;
}

/** The body of a task's version, in canonical form. */
export interface TaskBody {
  readonly goal: Condition;
  readonly repeat: Repeat;
  readonly zone: string;
  readonly max_per_user?: number;
  /** Id of a segment. */
  readonly eligible?: string;
  /** Unix seconds, inclusive; absent: the first version's `in_force_from`. */
  readonly starts_at?: number;
  /** Unix seconds, exclusive. */
  readonly ends_at?: number;
  readonly reward: TaskReward;
  readonly budget?: Budget;
  readonly claw_back: ClawBack;
  readonly max_per_event: number;
  /** Awards of one UTC day of `reached_at` above which the engine pauses the task. */
  readonly max_per_day?: number;
}

/** A negotiated attribute, as far as conditions need it. */
export interface AttributeSpec {
  readonly type: AttributeType;
  /** The attribute of the same event that names the currency; makes a decimal money. */
  readonly currencyAttribute?: string;
  /** Money: its currencies, each with the first contract version that has it. */
  readonly currencies?: Readonly<Record<string, number>>;
  readonly nonNegative?: boolean;
}

/** Attributes by event and attribute name. */
export type AttributeSpecs = Readonly<Record<string, Readonly<Record<string, AttributeSpec>>>>;

/** A published version. */
export interface DefinitionVersion<Body> {
  readonly version: number;
  readonly generation: number;
  /** Unix seconds of event time; the first version also covers all earlier instants. */
  readonly inForceFrom: number;
  /** Of the first version of a generation: its task window begins at the start of the task, not at `inForceFrom`. */
  readonly recount?: boolean;
  /** Of tasks: the engine pauses them above so many awards of one UTC day of `reached_at`. */
  readonly maxPerDay?: number;
  readonly body: Body;
}

interface DefinitionBase {
  readonly definitionId: string;
  readonly platform: string;
  readonly organizerId: string;
  readonly paused: boolean;
  /** Unix seconds from which it has ended by hand; null while it has not. */
  readonly endedAt: number | null;
  /** Types of all attributes that any version names; types never change. */
  readonly specs: AttributeSpecs;
}

/** A segment with all its published versions, oldest first. */
export interface SegmentDefinition extends DefinitionBase {
  readonly kind: 'segment';
  readonly versions: readonly DefinitionVersion<SegmentBody>[];
}

/** A task with all its published versions, oldest first. */
export interface TaskDefinition extends DefinitionBase {
  readonly kind: 'task';
  readonly versions: readonly DefinitionVersion<TaskBody>[];
}

export type EngineDefinition = SegmentDefinition | TaskDefinition;

/** Lateness horizon, seconds: an event received later than this after `created_at` is late (docs/engine.md). */
export const horizonS = 35 * 86_400;

/**
 * How much later than another event of its user one can be applied, seconds, although both were received at the same time: it
 * stays on its topic until the topic deletes it, and then as a dead letter until that is redriven on its last day.
 */
export const applicationDelayS = (topicRetention.userEvents.days + deadLetterRetentionDays) * 86_400;

/** Unix seconds from which the task is closed. */
export function closesAt(task: TaskDefinition): number {
  return Math.min(newestBody(task).ends_at ?? Infinity, task.endedAt ?? Infinity) + horizonS;
}

/** The body of the newest published version. */
export function newestBody(task: TaskDefinition): TaskBody {
  return task.versions[task.versions.length - 1].body;
}
