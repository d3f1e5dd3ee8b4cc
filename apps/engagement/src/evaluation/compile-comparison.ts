import { addPeriods, startOf, startOfHour } from './calendar';
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
import { valueReader } from './event-values';
import { countToBillionths, formatDecimal, toBillionths } from './exact-decimal';
import { Moment, sees } from './moment';
import { Measure, Tally } from './tally';
import { Term, makeTerm } from './terms';
import { UserView } from './user-history';
import { TermWindow, bucketsOf, compileWindow, fixedWindow, rollingWindow } from './windows';

/** A condition that compares one value of events in a window. */
export type Aggregate = CountCondition | SumCondition | MinCondition | MaxCondition | DistinctCondition;

/** The event, measure and attribute of a comparison. */
export interface AggregateParts {
  readonly filter: Filter;
  readonly measure: Measure;
  readonly attribute?: string;
  readonly currency?: string;
}

/** The parts of a comparison, whichever its form. */
export function aggregateParts(condition: Aggregate): AggregateParts {
  if ('count' in condition) return { filter: condition.count, measure: 'count' };
  if ('distinct' in condition)
    return { filter: condition.distinct, measure: 'distinct', attribute: condition.attribute };
  const { attribute, currency } = condition;
  if ('sum' in condition) return { filter: condition.sum, measure: 'sum', attribute, currency };
  if ('min' in condition) return { filter: condition.min, measure: 'min', attribute, currency };
  return { filter: condition.max, measure: 'max', attribute, currency };
}

/** Makes the term of an aggregate in a window. */
export function termOf(parts: AggregateParts, window: TermWindow, context: CompileContext, exactTo = 0): Term {
  const { filter, measure, attribute, currency } = parts;
  const { event, where } = filter;
  const read = attribute === undefined ? () => true : valueReader(context.specs, event, attribute, currency);
  const id = { event, where, measure, attribute, currency, scope: window.scope, exactTo };
  return makeTerm(id, compileFilter(filter, context.specs), read);
}

/** The value of a term at an instant, in billionths; null for the least or greatest of nothing. */
export function valueAt(term: Term, window: TermWindow, moment: Moment): bigint | null {
  const { view, atS, link } = moment;
  const tally = new Tally(term.measure, term.exactTo);
  const linkedAt = term.scope.kind === 'link' ? (link?.linkedAt ?? null) : undefined;
  if (linkedAt === null) return tally.value();
  const from = window.from(atS) ?? -Infinity;
  for (const [bucket, part] of view.partsOf(term) ?? [])
    if (linkedAt === undefined ? term.scope.kind === 'total' || bucket >= from : bucket === linkedAt)
      tally.addPart(part);
  for (const counted of view.countedBy(term)) {
    const { event, value } = counted;
    if (event.createdAt < from || (linkedAt !== undefined && event.linkedAt !== linkedAt)) continue;
    if (sees(moment, counted)) tally.addEvent(value);
  }
  return tally.value();
}

/** Compiles count, sum, min, max and distinct. */
export function compileComparison(condition: Aggregate, context: CompileContext): CompiledCondition {
  const parts = aggregateParts(condition);
  const window = compileWindow(condition.window, context);
  const term = termOf(parts, window, context, 'distinct' in condition ? exactToOf(condition.value) : 0);
  const compare = compareWith(condition.op, toBillionths(condition.value));
  return {
    ...leaf,
    names: new Set([term.event]),
    terms: [term],
    holds: (moment) => {
      const value = valueAt(term, window, moment);
      return value !== null && compare(value);
    },
    boundaries: (view, add) => addLeaving(view, term, window, add),
    values: (moment, path, add) => {
      const value = valueAt(term, window, moment);
      add(path, value === null ? 'nothing' : formatDecimal(value));
    },
  };
}

/** Compiles an absence: nothing in the window, which begins at or after `linked_at`. */
export function compileAbsent({ absent, window: given }: AbsentCondition, context: CompileContext): CompiledCondition {
  const window = rollingWindow(given.rolling, context.zone);
  const term = termOf({ filter: absent, measure: 'count' }, window, context);
  const holds = (moment: Moment): boolean =>
    moment.link !== null &&
    moment.link.linkedAt <= (window.from(moment.atS) ?? 0) &&
    valueAt(term, window, moment) === 0n;
  return {
    ...leaf,
    names: new Set([term.event]),
    terms: [term],
    holds,
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
  const { zone, taskStart, per } = context;
  const window = fixedWindow({ kind: 'day', zone, from: taskStart, keep: null });
  const windowFrom = (atS: number): number => (per === null ? -Infinity : startOf(per, atS, zone));
  const term = termOf({ filter: condition.streak, measure: 'count' }, window, context);
  const compare = compareWith(condition.op, toBillionths(condition.value));
  const runAt = (moment: Moment): number => {
    const periods = new Set<number>();
    const from = windowFrom(moment.atS);
    for (const bucket of moment.view.partsOf(term)?.keys() ?? [])
      if (bucket >= from) periods.add(startOf(every, bucket, zone));
    for (const counted of moment.view.countedBy(term))
      if (counted.event.createdAt >= from && sees(moment, counted))
        periods.add(startOf(every, counted.event.createdAt, zone));
    const current = startOf(every, moment.atS, zone);
    let period = periods.has(current) ? current : addPeriods(every, current, -1, zone);
    let run = 0;
    for (; periods.has(period); run++) period = addPeriods(every, period, -1, zone);
    return run;
  };
  return {
    ...leaf,
    names: new Set([term.event]),
    terms: [term],
    holds: (moment) => compare(countToBillionths(runAt(moment))),
    boundaries: (view, add) => {
      for (const bucket of bucketsOf(view, term)) {
        add(addPeriods(every, bucket, 1, zone));
        add(addPeriods(every, bucket, 2, zone));
      }
    },
    values: (moment, path, add) => add(path, String(runAt(moment))),
  };
}

function addLeaving(view: UserView, term: Term, window: TermWindow, add: (atS: number) => void): void {
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
