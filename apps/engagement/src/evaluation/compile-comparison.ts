import { addedCurrencies } from './added-currencies';
import { addPeriods, requirePeriod, startOf, startOfHour } from './calendar';
import { compareWith } from './compare';
import { CompileContext, CompiledCondition, leaf } from './condition-node';
import {
  AbsentCondition,
  CountCondition,
  DistinctCondition,
  Filter,
  MaxCondition,
  MinCondition,
  StreakCondition,
  SumCondition,
} from './condition';
import { parseRolling } from './duration';
import { compileFilter } from './event-filter';
import { specOf, valueReader } from './event-values';
import { countToBillionths, formatDecimal, toBillionths } from './exact-decimal';
import { Moment, sees } from './moment';
import { polarityWithin, thresholdOf, toEveryEvent } from './sensitivity';
import { Measure, Tally } from './tally';
import { forEachPart } from './term-values';
import { Term, makeTerm } from './terms';
import { HistoryEvent } from './history';
import { CountedEvent, UserView } from './user-history';
import { Run, runOf, streakValue, windowedValue } from './windowed-value';
import { TermWindow, bucketsOf, compileWindow, fixedWindow, rollingWindow } from './windows';

/** A condition that compares one value of events in a window. */
export type Aggregate = CountCondition | SumCondition | MinCondition | MaxCondition | DistinctCondition;

/** The event, measure and attribute of a comparison. */
export interface AggregateParts {
  readonly filter: Filter;
  readonly measure: Measure;
  readonly attribute?: string;
  readonly currency?: string;
  /** The currency to which amounts are converted. */
  readonly convertTo?: string;
}

/** The parts of a comparison, whichever its form. */
export function aggregateParts(condition: Aggregate): AggregateParts {
  if ('count' in condition) return { filter: condition.count, measure: 'count' };
  if ('distinct' in condition)
    return { filter: condition.distinct, measure: 'distinct', attribute: condition.attribute };
  const { attribute, currency, convert_to: convertTo } = condition;
  if ('sum' in condition) return { filter: condition.sum, measure: 'sum', attribute, currency, convertTo };
  if ('min' in condition) return { filter: condition.min, measure: 'min', attribute, currency, convertTo };
  return { filter: condition.max, measure: 'max', attribute, currency, convertTo };
}

/** Makes the term of an aggregate in a window. */
export function termOf(parts: AggregateParts, window: TermWindow, context: CompileContext, exactTo = 0): Term {
  const { filter, measure, attribute, currency } = parts;
  const { event, where } = filter;
  const read = attribute === undefined ? () => true : valueReader(context.specs, event, attribute, currency);
  const currencies = addedCurrencies([filter], context.specs);
  const id = { event, where, measure, attribute, currency, scope: window.scope, exactTo, currencies };
  return makeTerm(id, compileFilter(filter, context.specs), read);
}

/** The value of a term at an instant, in billionths; null for the least or greatest of nothing. */
export function valueAt(term: Term, window: TermWindow, moment: Moment): bigint | null {
  const tally = new Tally(term.measure, term.exactTo);
  const from = window.from(moment.atS) ?? -Infinity;
  forEachPart(term, moment, { from, to: Infinity }, (part) => tally.addPart(part));
  return tally.value();
}

/** Whether an event of a term counts at an instant: inside the window, of the link in force, and seen. */
function countedTest(term: Term, window: TermWindow, moment: Moment): (counted: CountedEvent) => boolean {
  const { atS, link } = moment;
  const from = window.from(atS) ?? -Infinity;
  const isOfLink = term.scope.kind !== 'link' ? () => true : (at: number) => at === link?.linkedAt;
  return (counted) => counted.event.createdAt >= from && isOfLink(counted.event.linkedAt) && sees(moment, counted);
}

/** Adds the events of a term that count at an instant. */
export function addCounted(term: Term, window: TermWindow, moment: Moment, add: (event: HistoryEvent) => void): void {
  const isCounted = countedTest(term, window, moment);
  for (const counted of moment.view.countedBy(term)) if (isCounted(counted)) add(counted.event);
}

/** Compiles count, sum, min, max and distinct; not those of converted money (compile-converted.ts). */
export function compileComparison(condition: Aggregate, context: CompileContext): CompiledCondition {
  const parts = aggregateParts(condition);
  const window = compileWindow(condition.window, context);
  const term = termOf(parts, window, context, 'distinct' in condition ? exactToOf(condition.value) : 0);
  const right = toBillionths(condition.value);
  const compare = compareWith(condition.op, right);
  const shared = windowedValue(term, window);
  const onlyRises = isOnlyRaised(parts, context);
  return {
    ...leaf,
    names: new Set([term.event]),
    terms: [term],
    holds: (moment) => {
      const value = valueAt(term, window, moment);
      return value !== null && compare(value);
    },
    boundaries: (view, add) => addLeaving(view, term, window, add),
    counted: (moment, add) => addCounted(term, window, moment, add),
    sensitivities: (polarity) => [
      (onlyRises ? thresholdOf(shared, { op: condition.op, right }, polarity) : null) ??
        toEveryEvent(new Set([term.event])),
    ],
    values: (moment, path, add) => {
      const value = valueAt(term, window, moment);
      add(path, value === null ? 'nothing' : formatDecimal(value));
    },
  };
}

/** Whether no event lowers a value (of the least: raises it). */
export function isOnlyRaised({ filter, measure, attribute }: AggregateParts, { specs }: CompileContext): boolean {
  if (measure !== 'sum' || attribute === undefined) return true;
  return specOf(specs, filter.event, attribute).nonNegative === true;
}

/** Compiles an absence: nothing in the window, which begins at or after `linked_at`. */
export function compileAbsent({ absent, window: given }: AbsentCondition, context: CompileContext): CompiledCondition {
  const window = rollingWindow(given.rolling, context.zone);
  const term = termOf({ filter: absent, measure: 'count' }, window, context);
  const shared = windowedValue(term, window);
  const holds = (moment: Moment): boolean =>
    moment.link !== null &&
    moment.link.linkedAt <= (window.from(moment.atS) ?? 0) &&
    valueAt(term, window, moment) === 0n;
  return {
    ...leaf,
    names: new Set([term.event]),
    terms: [term],
    holds,
    counted: (moment, add) => addCounted(term, window, moment, add),
    sensitivities: (polarity) => [
      { kind: 'threshold', value: shared, threshold: countToBillionths(1), polarity: polarityWithin(-1, polarity) },
    ],
    boundaries: (view, add) => {
      addLeaving(view, term, window, add);
      for (const { linkedAt } of view.links) add(firstWindowAfter(given.rolling, linkedAt, context.zone));
    },
    values: (moment, path, add) => add(path, String(holds(moment))),
  };
}

/** Compiles a streak: the run of periods with an event that ends with the current period, else with the previous one. */
export function compileStreak(condition: StreakCondition, context: CompileContext): CompiledCondition {
  const { every } = condition;
  requirePeriod(every);
  const { zone, taskStart, per } = context;
  const window = fixedWindow({ kind: 'day', zone, from: taskStart, keep: null });
  const windowFrom = (atS: number): number => (per === null ? -Infinity : startOf(per, atS, zone));
  const term = termOf({ filter: condition.streak, measure: 'count' }, window, context);
  const right = toBillionths(condition.value);
  const compare = compareWith(condition.op, right);
  const shared = streakValue(term, { every, zone, per });
  const runAt = (moment: Moment): Run => {
    const from = windowFrom(moment.atS);
    const hasEvent = (period: number): boolean => {
      let count = 0;
      const range = { from: Math.max(from, period), to: addPeriods(every, period, 1, zone) };
      forEachPart(term, moment, range, (part) => (count += Number(part)));
      return count > 0;
    };
    return runOf(hasEvent, every, moment.atS, zone);
  };
  return {
    ...leaf,
    names: new Set([term.event]),
    terms: [term],
    holds: (moment) => compare(countToBillionths(runAt(moment).length)),
    counted: (moment, add) => {
      const { from } = runAt(moment);
      for (const each of moment.view.countedBy(term))
        if (each.event.createdAt >= Math.max(from, windowFrom(moment.atS)) && sees(moment, each)) add(each.event);
    },
    sensitivities: (polarity) => [
      thresholdOf(shared, { op: condition.op, right }, polarity) ?? toEveryEvent(new Set([term.event])),
    ],
    boundaries: (view, add) => {
      for (const bucket of bucketsOf(view, term)) {
        add(addPeriods(every, bucket, 1, zone));
        add(addPeriods(every, bucket, 2, zone));
      }
    },
    values: (moment, path, add) => add(path, String(runAt(moment).length)),
  };
}

/** Adds the seconds at which buckets of a term leave a window. */
export function addLeaving(view: UserView, term: Term, window: TermWindow, add: (atS: number) => void): void {
  for (const bucket of bucketsOf(view, term)) {
    const at = window.leavesAt(bucket);
    if (at !== null) add(at);
  }
}

/** The first second whose rolling window begins at or after `linkedAt`. */
function firstWindowAfter(text: string, linkedAt: number, zone: string): number {
  const { unit, units } = parseRolling(text) ?? { unit: 'day', units: 1 };
  if (unit === 'hour') return startOfHour(linkedAt + 3_599) + (units - 1) * 3_600;
  const day = startOf('day', linkedAt, zone);
  return addPeriods('day', day === linkedAt ? day : addPeriods('day', day, 1, zone), units - 1, zone);
}

/** Different values are counted exactly up to the next power of four, so that more definitions share a term. */
function exactToOf(value: string): number {
  let exactTo = 4;
  while (exactTo <= Number(value)) exactTo *= 4;
  return exactTo;
}
