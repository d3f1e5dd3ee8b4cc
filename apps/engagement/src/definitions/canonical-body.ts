import { AttributeSpecs, Budget, FormulaReward, Repeat, SegmentBody, TaskBody } from '../evaluation/definition';
import { canonicalCondition, canonicalFilter, canonicalWindow } from './canonical-condition';
import { canonicalNumber, canonicalTime } from './canonical-value';
import { occurrenceLimit } from './occurrence-limit';
import { WrittenBudget, WrittenFormula, WrittenRepeat, WrittenSegment, WrittenTask } from './written-body';

/** Occurrences that one deciding instant brings at most, unless a task states it. */
export const defaultMaxPerEvent = 10;

const defaultZone = 'UTC';

/** The canonical form of a checked segment (docs/engine.md, reading 16). */
export function canonicalSegment({ condition, zone }: WrittenSegment, specs: AttributeSpecs): SegmentBody {
  return { condition: canonicalCondition(condition, specs), zone: zone ?? defaultZone };
}

/**
 * The canonical form of a checked task (docs/engine.md, reading 16). A fixed reward stays as it was written, because it is
 * shown and paid like that.
 */
export function canonicalTask(written: WrittenTask, specs: AttributeSpecs): TaskBody {
  const { zone, eligible, starts_at, ends_at, reward, budget, claw_back, max_per_event, max_per_day } = written;
  const repeat = canonicalRepeat(written.repeat);
  const maxPerUser = maxPerUserOf(repeat, written.max_per_user);
  return {
    goal: canonicalCondition(written.goal, specs),
    repeat,
    zone: zone ?? defaultZone,
    ...(maxPerUser === undefined ? {} : { max_per_user: maxPerUser }),
    ...(eligible === undefined ? {} : { eligible: eligible.toLowerCase() }),
    ...(starts_at === undefined ? {} : { starts_at: canonicalTime(starts_at) }),
    ...(ends_at === undefined ? {} : { ends_at: canonicalTime(ends_at) }),
    reward: 'percent' in reward ? canonicalFormula(reward, specs) : canonicalReward(reward),
    ...(budget === undefined ? {} : { budget: canonicalBudget(budget) }),
    claw_back: claw_back ?? 'none',
    max_per_event: max_per_event ?? defaultMaxPerEvent,
    ...(max_per_day === undefined ? {} : { max_per_day }),
  };
}

/** The release before let `every` be without `max_per_user`, and `once` state more than the one award that it pays. */
function maxPerUserOf(repeat: Repeat, given: number | undefined): number | undefined {
  if ('once' in repeat) return 1;
  return 'every' in repeat ? (given ?? occurrenceLimit) : given;
}

function canonicalRepeat(repeat: WrittenRepeat): Repeat {
  if ('once' in repeat) return { once: true };
  return 'per' in repeat ? { per: repeat.per } : { every: canonicalNumber(repeat.every) };
}

function canonicalReward({ type, amount, currency, item }: Exclude<WrittenTask['reward'], WrittenFormula>) {
  return { type, amount, ...(currency === undefined ? {} : { currency }), ...(item === undefined ? {} : { item }) };
}

function canonicalFormula(reward: WrittenFormula, specs: AttributeSpecs): FormulaReward {
  const { type, percent, of, floor, cap } = reward;
  return {
    type,
    percent: canonicalNumber(percent),
    of:
      'sum' in of
        ? { sum: canonicalFilter(of.sum, specs), attribute: of.attribute, window: canonicalWindow(of.window) }
        : { attribute: of.attribute },
    ...(reward.convert_to === undefined ? { currency: reward.currency } : { convert_to: reward.convert_to }),
    ...(floor === undefined ? {} : { floor: canonicalNumber(floor) }),
    ...(cap === undefined ? {} : { cap: canonicalNumber(cap) }),
  };
}

function canonicalBudget({ total, per_day }: WrittenBudget): Budget {
  return {
    ...(total === undefined ? {} : { total: canonicalNumber(total) }),
    ...(per_day === undefined ? {} : { per_day: canonicalNumber(per_day) }),
  };
}
