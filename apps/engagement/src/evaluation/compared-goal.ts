import { Condition } from './condition';

/** A goal that is one comparison, so that its value and target can be shown (docs/engine.md, reading 17). */
export type ComparedGoal = Extract<
  Condition,
  { count: unknown } | { sum: unknown } | { distinct: unknown } | { streak: unknown }
>;

/** Whether the value of a goal is shown as progress; of others only whether they are reached. */
export function isComparedGoal(goal: Condition): goal is ComparedGoal {
  return 'count' in goal || 'sum' in goal || 'distinct' in goal || 'streak' in goal;
}
