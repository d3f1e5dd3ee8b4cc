import { addPeriods, startOf } from '../evaluation/calendar';
import { Aggregate, AggregateParts, aggregateParts, valueAt } from '../evaluation/compile-comparison';
import { compileCondition } from '../evaluation/compiled-condition';
import { CompileContext } from '../evaluation/condition-node';
import { AbsentCondition, StreakCondition } from '../evaluation/condition';
import { formatDecimal } from '../evaluation/exact-decimal';
import { HistoryEvent } from '../evaluation/history';
import { Part, Tally } from '../evaluation/tally';
import { Scope, Term, bucketOf, linkDayOf } from '../evaluation/terms';
import { TermWindow, compileWindow, fixedWindow } from '../evaluation/windows';
import { addPart } from '../history/merged-buckets';
import { BucketExplanation, ComparisonExplanation, ExplainedMoment, maxListed } from './comparison-explanation';
import { FilterExplanation, unseenReason } from './event-explanation';
import { EventVerdict, eventsToExplain, listEvents, mergedEvents } from './listed-events';

/** A condition over a term. */
export type TermCondition = Aggregate | AbsentCondition | StreakCondition;

/** The seconds of `created_at` that a comparison counts at an instant. */
export interface CountedRange {
  readonly from: number | null;
  readonly to: number | null;
  readonly outside: 'outside_window' | 'outside_streak';
}

/** Explains count, sum, min, max, distinct, absence and streak. */
export function explainComparison(
  condition: TermCondition,
  context: CompileContext,
  moment: ExplainedMoment,
  path: string,
): ComparisonExplanation {
  const compiled = compileCondition(condition, context);
  const [term] = compiled.terms;
  const parts = partsOf(condition);
  const window = 'streak' in condition ? fixedWindow(term.scope) : compileWindow(condition.window, context);
  const value = 'absent' in condition ? valueAt(term, window, moment) : null;
  let shown = value === null ? null : formatDecimal(value);
  if (!('absent' in condition))
    compiled.values(moment, path, (_path, text) => (shown = text === 'nothing' ? null : text));
  const range =
    'streak' in condition ? streakRange(condition, context, term, moment, Number(shown)) : windowRange(window, moment);
  const filter = new FilterExplanation(parts.filter, context.specs, parts);
  const verdictOf = (event: HistoryEvent): EventVerdict =>
    unseenReason(event, moment.atS, moment.closesAt) ??
    filter.reasonOf(event) ??
    placeReason(event, term, range, moment) ?? { text: filter.textOf(event) };
  return {
    ...{ path, condition, value: shown, target: 'absent' in condition ? '0' : condition.value },
    holds: compiled.holds(moment),
    windowFrom: range.from,
    ...listEvents(eventsToExplain(moment, term.event), verdictOf),
    ...joinParts([explainParts(term, range, moment, (part) => textOf(term, [part]))]),
  };
}

function partsOf(condition: TermCondition): AggregateParts {
  if ('absent' in condition) return { filter: condition.absent, measure: 'count' };
  return 'streak' in condition ? { filter: condition.streak, measure: 'count' } : aggregateParts(condition);
}

/** The range of a window. */
export function windowRange(window: TermWindow, { atS }: ExplainedMoment): CountedRange {
  const { scope } = window;
  const from = window.from(atS);
  const start = scope.kind === 'link' ? null : scope.from;
  const isCut = start !== null && (from === null || start > from);
  return { from: isCut ? start : from, to: scope.kind === 'total' ? scope.to : null, outside: 'outside_window' };
}

/** The run ends with the current period if that has an event, else with the previous one. */
function streakRange(
  { every }: StreakCondition,
  { zone, per }: CompileContext,
  term: Term,
  moment: ExplainedMoment,
  run: number,
): CountedRange {
  const outside = 'outside_streak';
  if (run === 0) return { from: moment.atS + 1, to: null, outside };
  const current = startOf(every, moment.atS, zone);
  const windowFrom = per === null ? -Infinity : startOf(per, moment.atS, zone);
  const isCurrent = (atS: number): boolean => atS >= windowFrom && startOf(every, atS, zone) === current;
  const hasCurrent =
    [...(moment.view.partsOf(term)?.keys() ?? [])].some(isCurrent) ||
    moment.view.latePartsOf(term).some(({ bucket, seenAt }) => seenAt <= moment.atS && isCurrent(bucket)) ||
    moment.view.countedBy(term).some(({ event, seenAt }) => seenAt <= moment.atS && isCurrent(event.createdAt));
  const last = hasCurrent ? current : addPeriods(every, current, -1, zone);
  const from = Math.max(windowFrom, addPeriods(every, last, 1 - run, zone));
  return { from, to: addPeriods(every, last, 1, zone), outside };
}

/** Why an event that passes the filter lies outside of what is counted; null when it does not. */
export function placeReason(
  event: HistoryEvent,
  term: Term,
  { from, to, outside }: CountedRange,
  { link }: ExplainedMoment,
): EventVerdict | null {
  if (term.scope.kind === 'link' && event.linkedAt !== link?.linkedAt) return { reason: 'other_link', test: null };
  const isInside =
    (from === null || event.createdAt >= from) && (to === null || event.createdAt < to) && term.valueOf(event) !== null;
  return isInside ? null : { reason: outside, test: null };
}

/** The merged parts of a term. */
type PartsExplanation = Pick<ComparisonExplanation, 'buckets' | 'notStored'>;

/** The parts of a term that lie in a range, with the texts of their values. */
export function explainParts(
  term: Term,
  range: CountedRange,
  moment: ExplainedMoment,
  valueText: (part: Part, bucket: number) => string,
): PartsExplanation {
  const parts = new Map(moment.view.partsOf(term));
  for (const { bucket, part, seenAt } of moment.view.latePartsOf(term))
    if (seenAt <= moment.atS) addPart(term, parts, bucket, part);
  const included = [...parts].filter(([bucket]) => isIncluded(bucket, term, range, moment));
  const stored = new Map<number, HistoryEvent[]>();
  for (const event of mergedEvents(moment, term.event)) {
    if (term.valueOf(event) === null) continue;
    const bucket = bucketOf(term.scope, event);
    stored.set(bucket, [...(stored.get(bucket) ?? []), event]);
  }
  const missing = included.map(([bucket, part]) => missingOf(term, part, stored.get(bucket) ?? []));
  const buckets = included.map(([bucket, part]): BucketExplanation => ({
    startsAt: startOfPart(term.scope, bucket),
    value: valueText(part, bucket),
    stored: stored.get(bucket)?.length ?? 0,
  }));
  return { buckets, notStored: sumOrNull(missing) };
}

/** The parts of all terms of a comparison, as they are listed. */
export function joinParts(all: readonly PartsExplanation[]): PartsExplanation {
  const buckets = all.flatMap((each) => each.buckets).sort((a, b) => (b.startsAt ?? 0) - (a.startsAt ?? 0));
  return { buckets: buckets.slice(0, maxListed), notStored: sumOrNull(all.map(({ notStored }) => notStored)) };
}

function sumOrNull(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}

function startOfPart(scope: Scope, bucket: number): number | null {
  if (scope.kind === 'link' && scope.byDay) return linkDayOf(bucket).dayS;
  return scope.kind === 'total' ? null : bucket;
}

function isIncluded(bucket: number, term: Term, { from, to }: CountedRange, { link }: ExplainedMoment): boolean {
  if (term.scope.kind === 'total') return true;
  if (term.scope.kind === 'link') return (term.scope.byDay ? linkDayOf(bucket).linkedAt : bucket) === link?.linkedAt;
  return (from === null || bucket >= startOfBucket(term, from)) && (to === null || bucket < to);
}

/** A task may begin inside of a day. */
function startOfBucket({ scope }: Term, atS: number): number {
  return scope.kind === 'day' && Number.isFinite(atS) ? startOf('day', atS, scope.zone) : atS;
}

/** How many merged events are no longer stored; null where only their value shows that some are missing. */
function missingOf(term: Term, part: Part, stored: readonly HistoryEvent[]): number | null {
  if (typeof part === 'number') return Math.max(0, part - stored.length);
  const tally = new Tally(term.measure, term.exactTo);
  for (const event of stored) tally.addEvent(term.valueOf(event)!);
  const again = tally.part();
  return again !== null && textOf(term, [again]) === textOf(term, [part]) ? 0 : null;
}

function textOf(term: Term, parts: readonly Part[]): string {
  const tally = new Tally(term.measure, term.exactTo);
  for (const part of parts) tally.addPart(part);
  return formatDecimal(tally.value() ?? 0n);
}
