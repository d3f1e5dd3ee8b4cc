/** Comparison of a value with a constant. */
export type CompareOp = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';

/**
 * One test of an attribute, in canonical form: constants are texts (see canonical-value.ts). An absent value satisfies
 * `not_exists` and nothing else. A comparison of money names its currency; money of another currency satisfies none.
 */
export type AttributeTest =
  | { readonly attribute: string; readonly op: CompareOp; readonly value: string; readonly currency?: string }
  | { readonly attribute: string; readonly op: 'in'; readonly value: readonly string[]; readonly currency?: string }
  | { readonly attribute: string; readonly op: 'exists' | 'not_exists' };

/** The events that a term counts: those of one name that pass all tests. */
export interface Filter {
  readonly event: string;
  readonly where: readonly AttributeTest[];
}

export type Period = 'day' | 'week' | 'month';

/**
 * The time that a term counts, in the definition's zone. `rolling` is in whole days (`P30D`: today and the 29 days before) or
 * UTC hours (`PT6H`). `task` is the task's own dates, cut at the generation; with `per` the current period within them.
 * `between` is half-open, in Unix seconds.
 */
export type Window =
  | { readonly rolling: string }
  | { readonly calendar: Period }
  | { readonly since: 'link' }
  | { readonly task: true }
  | { readonly between: readonly [number, number] }
  | { readonly lifetime: true };

interface Comparison {
  readonly op: CompareOp;
  /** Canonical decimal; of `min` and `max` over timestamps Unix seconds. */
  readonly value: string;
}

/** The number of events. */
export interface CountCondition extends Comparison {
  readonly count: Filter;
  readonly window: Window;
}

/** Of money exactly one of both: amounts of that currency alone, or all amounts, converted to it by the organizer's rates. */
interface InCurrency {
  readonly currency?: string;
  readonly convert_to?: string;
}

/** The exact sum of an integer, decimal or money attribute. */
export interface SumCondition extends Comparison, InCurrency {
  readonly sum: Filter;
  readonly attribute: string;
  readonly window: Window;
}

/** The least value; of nothing it satisfies no comparison. */
export interface MinCondition extends Comparison, InCurrency {
  readonly min: Filter;
  readonly attribute: string;
  readonly window: Window;
}

/** The greatest value; of nothing it satisfies no comparison. */
export interface MaxCondition extends Comparison, InCurrency {
  readonly max: Filter;
  readonly attribute: string;
  readonly window: Window;
}

/** The number of different parsed values of an attribute. */
export interface DistinctCondition extends Comparison {
  readonly distinct: Filter;
  readonly attribute: string;
  readonly window: Window;
}

/** The newest event of a name, by (created_at, id), passes all tests. */
export interface LatestCondition {
  readonly latest: string;
  readonly where: readonly AttributeTest[];
}

/** `linked_at` at or before the window's start, and no event inside the window. */
export interface AbsentCondition {
  readonly absent: Filter;
  readonly window: { readonly rolling: string };
}

/** Distinct events in this order, from first to last at most `within` (seconds), inclusive; it does not lapse. */
export interface SequenceCondition {
  readonly sequence: readonly Filter[];
  /** ISO 8601 duration; `durationSeconds` (duration.ts) gives the seconds. */
  readonly within: string;
}

/** Consecutive periods with an event, ending with the current period if that has one, else with the previous one. */
export interface StreakCondition extends Comparison {
  readonly streak: Filter;
  readonly every: Period;
}

/** The condition of the segment's version in force at the instant, whether or not the user was linked then. */
export interface InSegmentCondition {
  readonly in_segment: string;
}

/** A condition in canonical form. A new form extends this union; every switch over it then fails to compile. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | CountCondition
  | SumCondition
  | MinCondition
  | MaxCondition
  | DistinctCondition
  | LatestCondition
  | AbsentCondition
  | SequenceCondition
  | StreakCondition
  | InSegmentCondition;
