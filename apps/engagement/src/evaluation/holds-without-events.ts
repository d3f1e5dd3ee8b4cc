import { parseDecimal } from '@podium/messages';
import { compareWith } from './compare';
import { CompareOp, Condition } from './condition';

/** Which values a condition may have at some instant. */
interface Possible {
  readonly holds: boolean;
  readonly fails: boolean;
}

const fails: Possible = { holds: false, fails: true };
/** `absent` and `in_segment` are states, which no event in a window has to bring about; so is `latest`, by an earlier event. */
const either: Possible = { holds: true, fails: true };

/** Whether a goal may hold at some instant without any event in its windows, so that it pays everybody (reading 1). */
export function holdsWithoutEvents(goal: Condition): boolean {
  return possible(goal, either).holds;
}

/** Whether a condition may hold for a user who has no event at all of the names that it depends on. */
export function holdsForNewUsers(condition: Condition): boolean {
  return possible(condition, fails).holds;
}

function possible(condition: Condition, latest: Possible): Possible {
  if ('all' in condition) {
    const parts = condition.all.map((part) => possible(part, latest));
    return { holds: parts.every(({ holds }) => holds), fails: parts.some((part) => part.fails) };
  }
  if ('any' in condition) {
    const parts = condition.any.map((part) => possible(part, latest));
    return { holds: parts.some(({ holds }) => holds), fails: parts.every((part) => part.fails) };
  }
  if ('not' in condition) {
    const part = possible(condition.not, latest);
    return { holds: part.fails, fails: part.holds };
  }
  if ('latest' in condition) return latest;
  if ('absent' in condition || 'in_segment' in condition) return either;
  // Min and max of nothing satisfy no comparison; count, sum, distinct and streak of nothing are 0.
  if ('sequence' in condition || 'min' in condition || 'max' in condition) return fails;
  return zeroSatisfies(condition);
}

function zeroSatisfies({ op, value }: { readonly op: CompareOp; readonly value: string }): Possible {
  const holds = compareWith<bigint>(op, parseDecimal(value) ?? 0n)(0n);
  return { holds, fails: !holds };
}
