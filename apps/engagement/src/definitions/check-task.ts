import { ClawBack, TaskBody } from '../evaluation/definition';
import { choiceOf, fieldsOf, malformed } from './body-problems';
import { canonicalTask } from './canonical-body';
import { canonicalTime } from './canonical-value';
import { PlatformCatalogue } from './catalogue';
import { checkCondition, segmentIdOf } from './check-condition';
import { FilterCheck } from './check-filter';
import { checkRepeat } from './check-repeat';
import { checkReward } from './check-reward';
import { CheckedBody } from './check-segment';
import { decimalOf, integerOf, timeOf } from './check-value';
import { WindowPlace } from './check-window';
import { checkZone } from './check-zone';
import { occurrenceLimit } from './occurrence-limit';
import { WrittenBudget, WrittenRepeat, WrittenTask } from './written-body';

/** What becomes of an award whose goal was undone. */
export const clawBacks = ['none', 'before_confirm', 'always'] as const satisfies readonly ClawBack[];

/** The highest rate that a task may state. */
export const maxAwardsPerDay = 1_000_000_000;

/** A task as an operator sent it. */
export interface GivenTask {
  readonly goal: unknown;
  readonly repeat: unknown;
  readonly zone?: unknown;
  readonly max_per_user?: unknown;
  readonly eligible?: unknown;
  readonly starts_at?: unknown;
  readonly ends_at?: unknown;
  readonly reward: unknown;
  readonly budget?: unknown;
  readonly claw_back?: unknown;
  readonly max_per_event?: unknown;
  readonly max_per_day?: unknown;
}

/**
 * Checks a task against its platform's catalogue; throws a coded error that names the place. What depends on the time of
 * publication and on other definitions is checked by `publishVersion` and `requireSegments`.
 */
export function checkTask(given: GivenTask, catalogue: PlatformCatalogue): CheckedBody<TaskBody> {
  const filters = new FilterCheck(catalogue);
  const zone = checkZone(given.zone);
  const place: WindowPlace = { kind: 'task', zone: zone ?? 'UTC' };
  const goal = checkCondition(given.goal, 'goal', filters, place);
  const repeat = checkRepeat(given.repeat, goal);
  const eligible = optional(given.eligible, (value) => segmentIdOf(value, 'eligible'));
  const written: WrittenTask = {
    goal,
    repeat,
    zone,
    max_per_user: checkMaxPerUser(given.max_per_user, repeat),
    eligible,
    ...checkDates(given),
    reward: checkReward(given.reward, { goal, isEligibleOnly: eligible !== undefined, filters, place }),
    budget: optional(given.budget, checkBudget),
    claw_back: optional(given.claw_back, (value) => choiceOf(value, 'claw_back', clawBacks)),
    max_per_event: optional(given.max_per_event, (value) =>
      integerOf(value, 'max_per_event', { min: 1, max: occurrenceLimit }),
    ),
    max_per_day: optional(given.max_per_day, (value) =>
      integerOf(value, 'max_per_day', { min: 1, max: maxAwardsPerDay }),
    ),
  };
  const specs = filters.specs();
  return { body: canonicalTask(written, specs), specs };
}

function checkMaxPerUser(value: unknown, repeat: WrittenRepeat): number | undefined {
  if (value === undefined && 'every' in repeat)
    throw malformed('max_per_user', 'a task that repeats with "every" has to state the most awards of one user');
  const max = optional(value, (given) => integerOf(given, 'max_per_user', { min: 1, max: occurrenceLimit }));
  if (max !== undefined && max > 1 && 'once' in repeat)
    throw malformed('max_per_user', 'must be 1 or left out: a task that repeats {"once":true} pays a user once');
  return max;
}

function checkDates({ starts_at, ends_at }: GivenTask): Pick<WrittenTask, 'starts_at' | 'ends_at'> {
  const startsAt = optional(starts_at, (value) => timeOf(value, 'starts_at'));
  const endsAt = optional(ends_at, (value) => timeOf(value, 'ends_at'));
  if (startsAt !== undefined && endsAt !== undefined && canonicalTime(startsAt) >= canonicalTime(endsAt))
    throw malformed('ends_at', 'must lie after starts_at');
  return { starts_at: startsAt, ends_at: endsAt };
}

function checkBudget(value: unknown): WrittenBudget {
  const { total, per_day } = fieldsOf(value, 'budget', ['total', 'per_day']);
  if (total === undefined && per_day === undefined) throw malformed('budget', 'must state total, per_day or both');
  return {
    total: optional(total, (given) => decimalOf(given, 'budget.total', true)),
    per_day: optional(per_day, (given) => decimalOf(given, 'budget.per_day', true)),
  };
}

function optional<Value>(value: unknown, check: (value: unknown) => Value): Value | undefined {
  return value === undefined ? undefined : check(value);
}
