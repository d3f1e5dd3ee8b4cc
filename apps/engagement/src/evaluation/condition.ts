import { Reward } from '@podium/messages';

/** Comparison of a term's value, or of an attribute's, with a constant. */
export type CompareOp = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';

/** One test of an attribute. For an absent value every comparison fails; only `not_exists` holds. */
export type AttributeTest =
  | { readonly attribute: string; readonly op: CompareOp; readonly value: string | number | boolean }
  | { readonly attribute: string; readonly op: 'in'; readonly value: readonly (string | number | boolean)[] }
  | { readonly attribute: string; readonly op: 'exists' | 'not_exists' };

/** The events that a term counts: those of one name that pass all tests. */
export interface Filter {
  readonly event: string;
  readonly where?: readonly AttributeTest[];
}

/** The period that a term counts. `rolling` is in UTC days (`P30D`) or hours (`PT6H`): the current bucket and the n-1 before. */
export type Window = { readonly rolling: string } | { readonly lifetime: true } | { readonly since: 'link' };

/** The number of events. */
export interface CountCondition {
  readonly count: Filter;
  readonly window: Window;
  readonly op: CompareOp;
  readonly value: number | string;
}

/** The exact sum of an attribute; events whose value is absent add nothing. */
export interface SumCondition {
  readonly sum: Filter;
  readonly attribute: string;
  readonly window: Window;
  readonly op: CompareOp;
  readonly value: number | string;
}

/** The newest event of a name, by (created_at, id), passes all tests. */
export interface LatestCondition {
  readonly latest: string;
  readonly where: readonly AttributeTest[];
}

/** A condition as operators write it. A new form extends this union; every switch over it then fails to compile. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | CountCondition
  | SumCondition
  | LatestCondition;

/** How often a goal pays: once, or each time the goal's term increases by a further step. */
export type Repeat = { readonly once: true } | { readonly every: string | number };

/** The body of a segment's version. */
export interface SegmentBody {
  readonly condition: Condition;
}

/** The body of a task's version; `starts_at` (inclusive) and `ends_at` (exclusive) are ISO 8601 instants of event time. */
export interface TaskBody {
  readonly goal: Condition;
  readonly repeat: Repeat;
  readonly max_per_user?: number;
  readonly starts_at?: string;
  readonly ends_at?: string;
  readonly reward: Reward;
}
