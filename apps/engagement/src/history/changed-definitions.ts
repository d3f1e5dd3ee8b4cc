import { HistoryEvent } from '../evaluation/history';
import { seenParts } from '../evaluation/late-group';
import { TermBuckets } from '../evaluation/term-buckets';
import { Term, bucketOf } from '../evaluation/terms';
import { isLate, seenAt } from '../evaluation/user-history';
import { WindowedValue } from '../evaluation/windowed-value';
import { KeptState } from '../progress/definition-set';
import { EventIndex, ValueSpan, addAll, addCrossed } from '../progress/event-index';
import { addCountedEvent, addEvent, completeRunning, isInOrder } from './change-history';
import { addPart, addValue } from './merged-buckets';
import { StoredHistory } from './stored-history';

/** What events of one name are added to. */
export interface AddedTo<D> {
  readonly history: StoredHistory;
  readonly kept: KeptState;
  readonly index: EventIndex<D>;
  /** Unix seconds. */
  readonly nowS: number;
  /** Whether the record of a link that began at these Unix seconds has been applied. */
  isLinkKnown(linkedAt: number): boolean;
}

/**
 * Seconds by which another instance's clock may be ahead: it may have evaluated what a window that ends by then no longer counts,
 * and has cleared the due time of that.
 */
const clockAheadS = 5;

/** What new events change. */
export interface Changes<D> {
  /** The definitions that have to be evaluated. */
  readonly changed: ReadonlySet<D>;
  /** The sums that other tasks show as progress now, in billionths; only those that the events have changed. */
  readonly shown: ReadonlyMap<D, bigint>;
}

/** Adds new events of one name to its history; returns what they can change (definition-sensitivity.ts). */
export function addAndFindChanges<D>(events: readonly HistoryEvent[], to: AddedTo<D>): Changes<D> {
  const { history, kept, index, nowS } = to;
  if (index.all.length === 0) return addEvents(events, to, []);
  completeRunning(history, kept);
  if (events.some((event) => changesAll(to, event))) return addEvents(events, to, index.all);
  const changed = new Set([...index.always, ...index.unsettled(nowS)]);
  for (const { passes, dependents } of index.passing) if (events.some(passes)) addAll(dependents, changed);
  const inOrder = events.every(
    (event, i) => !isLate(event) && (i === 0 ? isInOrder(history, event) : event.createdAt > events[i - 1].createdAt),
  );
  if (inOrder) for (const event of events) addNext(event, to, changed);
  else addAmong(events, to, changed);
  return { changed, shown: shownNow(events, to, { changed, isExact: inOrder }) };
}

function addEvents<D>(
  events: readonly HistoryEvent[],
  { history, kept }: AddedTo<D>,
  changed: readonly D[],
): Changes<D> {
  for (const event of events) addEvent(history, event, kept);
  return { changed: new Set(changed), shown: new Map() };
}

/** The sums that tasks show after the events; tasks of which that is not known are evaluated. */
function shownNow<D>(
  events: readonly HistoryEvent[],
  { history, index, nowS }: AddedTo<D>,
  { changed, isExact }: { readonly changed: Set<D>; readonly isExact: boolean },
): Map<D, bigint> {
  const shown = new Map<D, bigint>();
  for (const { values, tasks } of index.shown) {
    const counting = events.filter((event) => values.some(({ term }) => term.valueOf(event) !== null));
    if (counting.length === 0) continue;
    const sum = isExact ? sumOf(values, history, nowS) : 0n;
    for (const { definition, untilS } of tasks)
      if (changed.has(definition)) continue;
      else if (isExact && nowS < untilS) shown.set(definition, sum);
      else if (counting.some((event) => seenAt(event) < untilS)) changed.add(definition);
  }
  return shown;
}

/** Of values that do not depend on the link. */
function sumOf(values: readonly WindowedValue[], { running }: StoredHistory, nowS: number): bigint {
  return values.reduce((sum, { term, valueOf }) => sum + (valueOf(running.get(term.id), nowS, 0) ?? 0n), 0n);
}

/**
 * The first event of a link shows the link, unless its record has done so; what is ahead of the clock, or final, has due times
 * or totals of its own.
 */
function changesAll<D>({ history, nowS, isLinkKnown }: AddedTo<D>, event: HistoryEvent): boolean {
  const { summary, finalTo } = history;
  const at = seenAt(event);
  if (at > nowS || at < finalTo || summary.lastSeenAt > nowS) return true;
  return !summary.linkedAts.has(event.linkedAt) && !(event.linkedAt <= event.createdAt && isLinkKnown(event.linkedAt));
}

/**
 * Adds the newest event. The highest value that it makes is that of its own second, the lowest without it that of the latest clock,
 * because time only lowers values; both are in the running buckets.
 */
function addNext<D>(event: HistoryEvent, { history, kept, index, nowS }: AddedTo<D>, changed: Set<D>): void {
  const newest = index.latest.length === 0 ? null : history.newestOfAll;
  // One event after the other: the value that several definitions read is parsed once.
  const passedBefore = index.latest.map(({ passes }) => newest !== null && passes(newest));
  for (let at = 0; at < index.latest.length; at++)
    if (index.latest[at].passes(event) !== passedBefore[at]) addAll(index.latest[at].dependents, changed);
  const spans = new Map<string, ValueSpan>();
  for (const { term, values } of index.watched) {
    const value = term.valueOf(event);
    if (value === null) continue;
    const buckets = history.running.get(term.id)!;
    const lows = values.map((each) => each.value.valueOf(buckets, nowS + clockAheadS, event.linkedAt));
    addValue(term, buckets, event, value);
    for (let at = 0; at < values.length; at++) {
      const each = values[at];
      const span = { low: lows[at], high: each.value.valueOf(buckets, event.createdAt, event.linkedAt) };
      if (index.steps.length > 0) spans.set(each.value.key, span);
      addCrossed(each.thresholds, span, changed);
    }
  }
  addCountedEvent(history, event, kept);
  for (const { steps, definitions } of index.steps) {
    const { base: before, inside } = steps.watched;
    const span = spans.get(inside.key);
    if (span === undefined && !spans.has(before.key)) continue;
    const base = before.valueOf(history.running.get(before.term.id), event.createdAt, event.linkedAt) ?? 0n;
    const isPassed =
      spans.has(before.key) || steps.passedBy(base + (span?.low ?? 0n)) !== steps.passedBy(base + (span?.high ?? 0n));
    if (isPassed) addAll(definitions, changed);
  }
}

/** Adds events among or beside others: the values at all instants from the first of them on are compared. */
function addAmong<D>(events: readonly HistoryEvent[], to: AddedTo<D>, changed: Set<D>): void {
  const { history, kept, index, nowS } = to;
  for (const event of events) addEvent(history, event, kept);
  for (const { dependents } of index.latest) addAll(dependents, changed);
  const spans = new Map<string, ValueSpan[]>();
  for (const [term, values] of index.values) {
    const counted = countedBySeen(term, history);
    for (const value of values) {
      const found = spansOf(value, history, { counted, added: new Set(events), nowS });
      spans.set(value.key, found);
      for (const span of found) index.addCrossed(value, span, changed);
    }
  }
  for (const { steps, definitions } of index.steps) {
    // The base is only known for one link here, and events of before the start are rare.
    const { base: before, inside } = steps.watched;
    const isShifted = spans.get(before.key)!.length > 0;
    const base = before.valueOf(history.running.get(before.term.id), nowS, events[0].linkedAt) ?? 0n;
    const isPassed = spans
      .get(inside.key)!
      .some(({ low, high }) => steps.passedBy(base + (low ?? 0n)) !== steps.passedBy(base + (high ?? 0n)));
    const isOneLink = events.every(({ linkedAt }) => linkedAt === events[0].linkedAt);
    if (isShifted || isPassed || !isOneLink) addAll(definitions, changed);
  }
}

/** More instants than this are not compared: everything that compares the value is evaluated. */
const maxComparedInstants = 50;
const everything: ValueSpan = { low: null, high: 10n ** 60n };

/** An event that a term counts, or a part of late ones for which it stands, and the first second that sees it. */
interface Counted {
  readonly event: HistoryEvent;
  readonly seenAt: number;
  readonly bucket: number;
  addTo(buckets: TermBuckets): void;
}

/** What a term counts and is not final, in the order in which it is seen. */
function countedBySeen(term: Term, { events, lateGroups }: StoredHistory): Counted[] {
  const single = events.flatMap((event): Counted[] => {
    const value = term.valueOf(event);
    if (value === null) return [];
    const bucket = bucketOf(term.scope, event);
    return [{ event, seenAt: seenAt(event), bucket, addTo: (buckets) => addValue(term, buckets, event, value) }];
  });
  const merged = seenParts(lateGroups, term.id).map((each): Counted => ({
    ...each,
    addTo: (buckets) => addPart(term, buckets, each.bucket, each.part),
  }));
  return [...single, ...merged].sort((a, b) => a.seenAt - b.seenAt);
}

/** The spans of a value that the events have changed, one per link; none when they do not count in it. */
function spansOf(
  value: WindowedValue,
  history: StoredHistory,
  { counted, added, nowS }: { counted: readonly Counted[]; added: ReadonlySet<HistoryEvent>; nowS: number },
): ValueSpan[] {
  const { term } = value;
  const counting = counted.filter(({ event }) => added.has(event));
  if (counting.length === 0) return [];
  // What else happened in the same second may be decided by another event than without them.
  const seconds = new Set(counting.map((each) => each.seenAt));
  const fromS = Math.min(...seconds);
  const buckets = new Set([...(history.parts.get(term.id)?.keys() ?? []), ...counted.map(({ bucket }) => bucket)]);
  const instants = new Set([fromS, ...counted.map((each) => each.seenAt), ...[...buckets].flatMap(value.leavesAt)]);
  const lastS = nowS + clockAheadS;
  const compared = [...instants].filter((atS) => atS >= fromS && atS <= lastS).sort((a, b) => a - b);
  if (compared.length > maxComparedInstants) return [everything];
  const without = counted.filter((each) => !added.has(each.event) && !seconds.has(each.seenAt));
  return [...new Set(counting.map(({ event }) => event.linkedAt))].map((linkedAt) => {
    const at = (seen: readonly Counted[]): (bigint | null)[] => {
      const merged = TermBuckets.from(history.parts.get(term.id) ?? []);
      let next = 0;
      return compared.map((atS) => {
        for (; next < seen.length && seen[next].seenAt <= atS; next++) seen[next].addTo(merged);
        return value.valueOf(merged, atS, linkedAt);
      });
    };
    return { low: least(at(without)), high: greatest(at(counted)) };
  });
}

function least(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce((low, value) => (low === null || value === null ? null : value < low ? value : low));
}

function greatest(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce((high, value) => (high === null ? value : value === null || value < high ? high : value));
}
