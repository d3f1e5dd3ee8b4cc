import { Reward } from '@podium/messages';
import { CompareOp, Period } from '../evaluation/condition';
import { ClawBack, MoneyCurrency } from '../evaluation/definition';

/** A constant as JSON has it. */
export type Scalar = string | number | boolean;

/** A time as operators write it (ISO 8601) or as it is stored (Unix seconds). */
export type WrittenTime = string | number;

/** A test as operators write it; `value` is absent for `exists` and `not_exists`. */
export interface WrittenTest {
  readonly attribute: string;
  readonly op: CompareOp | 'in' | 'exists' | 'not_exists';
  readonly value?: Scalar | readonly Scalar[];
  readonly currency?: string;
}

export interface WrittenFilter {
  readonly event: string;
  readonly where?: readonly WrittenTest[];
}

export type WrittenWindow =
  | { readonly rolling: string }
  | { readonly calendar: Period }
  | { readonly since: 'link' }
  | { readonly task: true }
  | { readonly between: readonly [WrittenTime, WrittenTime] }
  | { readonly lifetime: true };

interface WrittenComparison {
  readonly op: CompareOp;
  readonly value: Scalar;
}

interface OfAttribute extends WrittenComparison {
  readonly attribute: string;
  readonly currency?: string;
  readonly convert_to?: string;
  readonly window?: WrittenWindow;
}

/** A condition as operators write it, after its form was checked. Stored conditions of all releases have this form too. */
export type WrittenCondition =
  | { readonly all: readonly WrittenCondition[] }
  | { readonly any: readonly WrittenCondition[] }
  | { readonly not: WrittenCondition }
  | (WrittenComparison & { readonly count: WrittenFilter; readonly window?: WrittenWindow })
  | (OfAttribute & { readonly sum: WrittenFilter })
  | (OfAttribute & { readonly min: WrittenFilter })
  | (OfAttribute & { readonly max: WrittenFilter })
  | (OfAttribute & { readonly distinct: WrittenFilter })
  | { readonly latest: string; readonly where: readonly WrittenTest[] }
  | { readonly absent: WrittenFilter; readonly window: { readonly rolling: string } }
  | { readonly sequence: readonly WrittenFilter[]; readonly within: string }
  | (WrittenComparison & { readonly streak: WrittenFilter; readonly every: Period })
  | { readonly in_segment: string };

export type WrittenRepeat = { readonly once: true } | { readonly per: Period } | { readonly every: Scalar };

export type WrittenFormula = MoneyCurrency & {
  readonly type: string;
  readonly percent: Scalar;
  readonly of:
    | { readonly attribute: string }
    | { readonly sum: WrittenFilter; readonly attribute: string; readonly window?: WrittenWindow };
  readonly floor?: Scalar;
  readonly cap?: Scalar;
};

export interface WrittenBudget {
  readonly total?: Scalar;
  readonly per_day?: Scalar;
}

/** The body of a segment as operators write it. */
export interface WrittenSegment {
  readonly condition: WrittenCondition;
  readonly zone?: string;
}

/** The body of a task as operators write it. */
export interface WrittenTask {
  readonly goal: WrittenCondition;
  readonly repeat: WrittenRepeat;
  readonly zone?: string;
  readonly max_per_user?: number;
  readonly eligible?: string;
  readonly starts_at?: WrittenTime;
  readonly ends_at?: WrittenTime;
  readonly reward: Reward | WrittenFormula;
  readonly budget?: WrittenBudget;
  readonly claw_back?: ClawBack;
  readonly max_per_event?: number;
  readonly max_per_day?: number;
}
