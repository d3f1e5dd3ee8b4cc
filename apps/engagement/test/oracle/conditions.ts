import type {
  Condition,
  Filter,
  SequenceCondition,
  StreakCondition,
  SumCondition,
  Window,
} from '../../src/evaluation/condition';
import type { AttributeSpecs, SegmentDefinition } from '../../src/evaluation/definition';
import type { HistoryEvent } from '../../src/evaluation/history';
import { compare, passes, presentNumber, presentValue } from './attribute-values';
import { converted, fine } from './converted-amounts';
import { durationSeconds, rollingLength } from './durations';
import { constant, one } from './exact-numbers';
import { dayOf, periodOf } from './local-calendar';
import { inOrder, isLate, linkOf, versionInForce } from './timeline';
import type { World } from './world';

/** What a condition is evaluated on. */
export interface Scope {
  readonly world: World;
  readonly specs: AttributeSpecs;
  readonly zone: string;
  readonly atS: number;
  /** The events that it sees. */
  readonly seen: readonly HistoryEvent[];
  /** The task window, with `per` the period within it; in segments everything, for sequence and streak. */
  readonly isInDefaultWindow: (event: HistoryEvent) => boolean;
}

export type AggregateCondition = Extract<Condition, { readonly op: string; readonly window: Window }>;

/** Whether a condition holds. */
export function holds(condition: Condition, scope: Scope): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, scope));
  if ('any' in condition) return condition.any.some((part) => holds(part, scope));
  if ('not' in condition) return !holds(condition.not, scope);
  if ('in_segment' in condition) return segmentHolds(scope.world, condition.in_segment, scope.atS, scope.seen);
  if ('latest' in condition) {
    const newest = inOrder(scope.seen.filter((event) => event.name === condition.latest)).at(-1);
    return newest !== undefined && passes(newest, { event: condition.latest, where: condition.where }, scope.specs);
  }
  if ('absent' in condition) {
    const link = linkOf(scope.world, scope.atS);
    if (link === undefined || !beganBefore(condition.window.rolling, link.linkedAt, scope)) return false;
    return !scope.seen.some(
      (event) => passes(event, condition.absent, scope.specs) && isInWindow(condition.window, event, scope),
    );
  }
  if ('sequence' in condition) return sequenceHolds(condition, scope);
  if ('streak' in condition) return compare(streakOf(condition, scope) * one, condition.op, constant(condition.value));
  const value = aggregate(condition, scope);
  return value !== null && compare(value, condition.op, constant(condition.value) * fine);
}

/** Whether a segment's version in force holds, linked or not; from its end on it does not (reading 13). */
export function segmentHolds(world: World, segmentId: string, atS: number, seen: readonly HistoryEvent[]): boolean {
  const segment = world.definitions.find(
    (one): one is SegmentDefinition => one.kind === 'segment' && one.definitionId === segmentId,
  );
  if (segment === undefined) throw new Error(`the world has no segment ${segmentId}`);
  if (segment.endedAt !== null && atS >= segment.endedAt) return false;
  const { body } = versionInForce(segment.versions, atS);
  return holds(body.condition, segmentScope(world, segment, body.zone, atS, seen));
}

/** What the condition of a segment is evaluated on. */
export function segmentScope(
  world: World,
  segment: SegmentDefinition,
  zone: string,
  atS: number,
  seen: readonly HistoryEvent[],
): Scope {
  return { world, specs: segment.specs, zone, atS, seen, isInDefaultWindow: () => true };
}

/** The value of a count, sum, min, max or distinct, in units of `fine` of a billionth; null of a min or max of nothing. */
export function aggregate(condition: AggregateCondition, scope: Scope): bigint | null {
  if ('count' in condition) {
    return BigInt(matching(condition.count, condition.window, scope).length) * one * fine;
  }
  if ('distinct' in condition) {
    const values = matching(condition.distinct, condition.window, scope).flatMap((event) => {
      const present = presentValue(event, condition.attribute, scope.specs);
      return present === null ? [] : [present.value];
    });
    return BigInt(new Set(values).size) * one * fine;
  }
  const filter = 'sum' in condition ? condition.sum : 'min' in condition ? condition.min : condition.max;
  const numbers = matching(filter, condition.window, scope).flatMap((event) => {
    const number = numberOf(condition, event, scope);
    return number === null ? [] : [number];
  });
  if ('sum' in condition) return numbers.reduce((sum, number) => sum + number, 0n);
  if (numbers.length === 0) return null;
  const isBetter = (a: bigint, b: bigint): boolean => ('min' in condition ? a < b : a > b);
  return numbers.reduce((best, number) => (isBetter(number, best) ? number : best));
}

/** What an event adds: its number, of money that of one currency, or the amount converted. */
export function numberOf(
  { attribute, currency, convert_to: to }: Pick<SumCondition, 'attribute' | 'currency' | 'convert_to'>,
  event: HistoryEvent,
  { world, specs }: Scope,
): bigint | null {
  if (to === undefined) {
    const number = presentNumber(event, attribute, currency, specs);
    return number === null ? null : number * fine;
  }
  const present = presentValue(event, attribute, specs);
  if (present === null || present.currency === null || typeof present.value !== 'bigint') return null;
  return converted(world, present.value, { from: present.currency, to }, event.createdAt);
}

function matching(filter: Filter, window: Window, scope: Scope): HistoryEvent[] {
  return scope.seen.filter((event) => passes(event, filter, scope.specs) && isInWindow(window, event, scope));
}

function isInWindow(window: Window, event: HistoryEvent, scope: Scope): boolean {
  const { zone, atS } = scope;
  if ('lifetime' in window) return true;
  if ('task' in window) return scope.isInDefaultWindow(event);
  if ('between' in window) return window.between[0] <= event.createdAt && event.createdAt < window.between[1];
  if ('since' in window) return event.linkedAt === linkOf(scope.world, atS)?.linkedAt;
  if ('calendar' in window)
    return periodOf(window.calendar, zone, event.createdAt) === periodOf(window.calendar, zone, atS);
  return rollingBucket(window.rolling, event.createdAt, scope) >= firstRollingBucket(window.rolling, scope);
}

/** The number of the day or hour, whichever the rolling window is made of, of a second. */
function rollingBucket(rolling: string, atS: number, scope: Scope): number {
  return rollingLength(rolling).unit === 'hour' ? Math.floor(atS / 3600) : dayOf(scope.zone, atS);
}

function firstRollingBucket(rolling: string, scope: Scope): number {
  return rollingBucket(rolling, scope.atS, scope) - rollingLength(rolling).length + 1;
}

/** Whether a second is at or before the first second of the rolling window: the second before it lies outside. */
function beganBefore(rolling: string, atS: number, scope: Scope): boolean {
  const first = firstRollingBucket(rolling, scope);
  return rollingBucket(rolling, atS, scope) <= first && rollingBucket(rolling, atS - 1, scope) < first;
}

/** From each event that passes the first step, the soonest next steps are the ones that end soonest (reading 12). */
function sequenceHolds(condition: SequenceCondition, scope: Scope): boolean {
  const events = inOrder(scope.seen.filter((event) => scope.isInDefaultWindow(event) && !isLate(scope.world, event)));
  const withinS = durationSeconds(condition.within);
  return events.some((first, start) => {
    let step = 0;
    for (const event of events.slice(start)) {
      if (event.createdAt - first.createdAt > withinS) return false;
      if (passes(event, condition.sequence[step], scope.specs)) step++;
      else if (event === first) return false;
      if (step === condition.sequence.length) return true;
    }
    return false;
  });
}

/** The length of the run that ends with the current period if that has an event, else with the previous one. */
function streakOf(condition: StreakCondition, scope: Scope): bigint {
  const periods = new Set(
    scope.seen
      .filter((event) => scope.isInDefaultWindow(event) && passes(event, condition.streak, scope.specs))
      .map((event) => periodOf(condition.every, scope.zone, event.createdAt)),
  );
  const current = periodOf(condition.every, scope.zone, scope.atS);
  let period = periods.has(current) ? current : current - 1;
  let length = 0n;
  for (; periods.has(period); period--) length++;
  return length;
}
