import { CompiledSteps } from './compile-repeat';
import { ReferredSegment } from './condition-node';
import { momentBefore } from './deciding-event';
import { HistoryEvent } from './history';
import { Moment } from './moment';

/** Consecutive occurrences of `every`, both ends included. */
export interface StepRange {
  readonly first: number;
  readonly last: number;
}

/** A set of occurrences of `every`. */
export class StepRanges {
  private ranges: StepRange[] = [];

  /** Adds a range; returns the parts of it that were not in the set. */
  add({ first, last }: StepRange): StepRange[] {
    const added: StepRange[] = [];
    let next = first;
    for (const range of this.ranges) {
      if (range.last < next) continue;
      if (range.first > last) break;
      if (range.first > next) added.push({ first: next, last: range.first - 1 });
      next = range.last + 1;
    }
    if (next <= last) added.push({ first: next, last });
    this.ranges = merged([...this.ranges, ...added]);
    return added;
  }
}

/**
 * The occurrences that are passed at an instant (docs/engine.md, reading 2), by the event that decides: those above the value
 * just before the second and above the base, up to the value at it. `events` are those of the second, in order.
 */
export function passedSteps(
  steps: CompiledSteps,
  eligible: Pick<ReferredSegment, 'holds'> | null,
  moment: Moment,
  events: readonly HistoryEvent[],
): { readonly steps: StepRange; readonly decidedBy: HistoryEvent }[] {
  const base = steps.baseAt(moment);
  const passedAt = (at: Moment): number => steps.passedBy(base + steps.insideAt(at));
  const last = passedAt(moment);
  let done = Math.max(steps.passedBy(base), passedAt(momentBefore(moment)));
  const found: { steps: StepRange; decidedBy: HistoryEvent }[] = [];
  for (const event of events) {
    const at = { ...moment, only: { last: event } };
    const upTo = Math.min(last, passedAt(at));
    if (upTo <= done || (eligible !== null && !eligible.holds(at))) continue;
    found.push({ steps: { first: done + 1, last: upTo }, decidedBy: event });
    done = upTo;
  }
  return found;
}

function merged(ranges: StepRange[]): StepRange[] {
  const result: StepRange[] = [];
  for (const range of ranges.sort((a, b) => a.first - b.first)) {
    const before = result.at(-1);
    if (before && before.last + 1 >= range.first)
      result[result.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
    else result.push(range);
  }
  return result;
}
