import { Sequence } from '../evaluation/condition-node';
import { compareEvents, isNewer } from '../evaluation/event-order';
import { HistoryEvent } from '../evaluation/history';
import { TermBuckets } from '../evaluation/term-buckets';
import { Term, keptFrom } from '../evaluation/terms';
import { isLate, seenAt } from '../evaluation/user-history';
import { monthOf } from '../event-store/retention';
import { KeptState } from '../progress/definition-set';
import { addTermsToGroups } from './late-groups';
import { addGroups, addToBuckets } from './merged-buckets';
import { MonthCounts, StoredHistory } from './stored-history';

/** Adds an event to the history of its name. */
export function addEvent(history: StoredHistory, event: HistoryEvent, kept: KeptState): void {
  completeRunning(history, kept);
  for (const term of kept.running) addToBuckets(term, history.running.get(term.id)!, [event]);
  addCountedEvent(history, event, kept);
}

/** Adds an event that is in the running buckets already. */
export function addCountedEvent(history: StoredHistory, event: HistoryEvent, kept: KeptState): void {
  countInMonth(history.months, event);
  // What definitions that are left out count is not known: the event is merged when they are evaluated again.
  if (seenAt(event) < history.finalTo && !kept.isPartial) {
    makeFinal(history, [event], kept.terms);
    for (const term of kept.terms) prune(history, term);
    history.final.tail = tailOf([...history.tail, event], history.finalTo, kept);
  } else if (isInOrder(history, event)) history.append(event);
  else history.insert(event);
}

/** Whether an event happened, and is seen, after all others that are kept singly; then nothing has to be decoded to add it. */
export function isInOrder({ summary, finalTo }: StoredHistory, event: HistoryEvent): boolean {
  return event.createdAt >= finalTo && event.createdAt > Math.max(summary.lastCreatedAt, summary.lastSeenAt);
}

/** Computes the running buckets of terms that are new; the history lacks no parts. */
export function completeRunning(history: StoredHistory, { running }: KeptState): void {
  for (const term of running) {
    if (history.running.has(term.id)) continue;
    const buckets = TermBuckets.from(history.parts.get(term.id) ?? []);
    addToBuckets(term, buckets, history.events);
    addGroups(term, buckets, history.lateGroups);
    history.running.set(term.id, buckets);
  }
}

/** Drops what is no longer watched, and running buckets that no window can reach any more. */
export function pruneRunning({ running, summary }: StoredHistory, kept: KeptState): void {
  let watched = 0;
  for (const term of kept.running) {
    const buckets = running.get(term.id);
    if (buckets === undefined) continue;
    watched++;
    const from = keptFrom(term.scope, summary.lastSeenAt);
    if (from !== null) buckets.dropBefore(from);
  }
  if (running.size === watched) return;
  const ids = new Set(kept.running.map(({ id }) => id));
  for (const id of running.keys()) if (!ids.has(id)) running.delete(id);
}

/** Whether the history lacks parts or sequences: they have to be computed from the stored events. */
export function isLacking(history: StoredHistory, kept: KeptState): boolean {
  return missingTerms(history, kept).length > 0 || missingSequences(history, kept).length > 0;
}

function missingTerms(history: StoredHistory, { terms, key }: KeptState): Term[] {
  return history.finalTo === 0 || history.keptFor === key ? [] : terms.filter(({ id }) => !history.parts.has(id));
}

/** The sequences of which the history does not say whether they were completed before it begins; the events of all their names do. */
export function missingSequences(history: StoredHistory, { sequences, key }: KeptState): Sequence[] {
  return history.finalTo === 0 || history.keptFor === key
    ? []
    : sequences.filter((sequence) => !history.sequences.has(sequence.key));
}

/** The events of a user by their name. */
export type EventsOf = (name: string) => readonly HistoryEvent[];

/** Computes what is missing from the stored events of the name; `eventsOf` has those of all names of missing sequences. */
export function addMissing(
  history: StoredHistory,
  stored: readonly HistoryEvent[],
  kept: KeptState,
  eventsOf: EventsOf,
): void {
  const singleIds = new Set(history.events.map(({ id }) => id));
  const final = stored.filter((event) => seenAt(event) < history.finalTo && !singleIds.has(event.id));
  const missing = missingTerms(history, kept);
  addTermsToGroups(history, stored, missing);
  for (const term of missing) {
    history.parts.set(term.id, new Map());
    addToTerm(history, term, final);
    prune(history, term);
    history.running.delete(term.id);
  }
  const sequences = missingSequences(history, kept);
  if (sequences.length === 0) return;
  markSequences(history, history.finalTo, sequences, eventsOf);
  const tail = tailOf(joined(history.tail, final), history.finalTo, kept);
  history.final.tail = kept.isPartial ? joined(history.tail, tail).sort(compareEvents) : tail;
}

/** The events that are stored or kept, each once. */
export function allEvents(history: StoredHistory | undefined, stored: readonly HistoryEvent[] = []): HistoryEvent[] {
  return joined(stored, history === undefined ? [] : [...history.tail, ...history.events]);
}

function joined(some: readonly HistoryEvent[], others: readonly HistoryEvent[]): HistoryEvent[] {
  return [...new Map([...some, ...others].map((event) => [event.id, event])).values()];
}

/** Marks sequences that were completed before `toS`; `eventsOf` has the events of all their names. Call it before `condense`. */
export function markSequences(
  { sequences: marked }: StoredHistory,
  toS: number,
  sequences: readonly Sequence[],
  eventsOf: EventsOf,
): void {
  for (const { key, names, completedAt, isCounted } of sequences) {
    const known = marked.get(key) ?? null;
    const found = completedAt(names.flatMap(eventsOf), toS) ?? Infinity;
    const first = Math.min(found, known !== null && isCounted(known, toS) ? known : Infinity);
    marked.set(key, first < toS ? first : null);
  }
}

/**
 * Makes the events that are seen before `toS` final: from then on they are only kept as parts of the terms that definitions
 * use. Parts of other terms, and buckets that no window can reach, are dropped. Completed sequences are marked before
 * (`markSequences`).
 */
export function condense(history: StoredHistory, toS: number, kept: KeptState): void {
  if (missingTerms(history, kept).length > 0) throw new Error('a history that lacks terms cannot be condensed');
  const final = history.events.filter((event) => seenAt(event) < toS);
  const live = new Set(kept.terms.map(({ id }) => id));
  for (const id of history.parts.keys()) if (!live.has(id)) history.parts.delete(id);
  for (const { id } of kept.terms) if (!history.parts.has(id)) history.parts.set(id, new Map());
  history.replaceEvents(history.events.filter((event) => seenAt(event) >= toS));
  history.finalTo = toS;
  makeFinal(history, final, kept.terms);
  makeGroupsFinal(history, kept.terms);
  for (const term of kept.terms) prune(history, term);
  const keys = new Set(kept.sequences.map(({ key }) => key));
  for (const key of history.sequences.keys()) if (!keys.has(key)) history.sequences.delete(key);
  for (const key of keys) if (!history.sequences.has(key)) history.sequences.set(key, null);
  history.final.tail = tailOf([...history.tail, ...final], toS, kept);
}

function makeFinal(history: StoredHistory, events: readonly HistoryEvent[], terms: readonly Term[]): void {
  for (const term of terms) if (history.parts.has(term.id)) addToTerm(history, term, events);
  noteNewest(history, events);
}

/** Groups of late events that are seen before `finalTo` become parts as single events do; the others lose parts of other terms. */
function makeGroupsFinal(history: StoredHistory, terms: readonly Term[]): void {
  const { lateGroups, finalTo } = history;
  if (lateGroups.length === 0) return;
  const final = lateGroups.filter(({ newest }) => newest.receivedAt < finalTo);
  for (const term of terms) addGroups(term, history.parts.get(term.id)!, final);
  noteNewest(
    history,
    final.map(({ newest }) => newest),
  );
  const live = new Set(terms.map(({ id }) => id));
  history.final.lateGroups = lateGroups
    .filter((group) => !final.includes(group))
    .map(({ newest, parts }) => ({ newest, parts: new Map([...parts].filter(([id]) => live.has(id))) }));
}

function noteNewest(history: StoredHistory, events: readonly HistoryEvent[]): void {
  for (const event of events)
    if (history.newestFinal === null || isNewer(event, history.newestFinal)) history.final.newestFinal = event;
}

function addToTerm(history: StoredHistory, term: Term, events: readonly HistoryEvent[]): void {
  addToBuckets(term, history.parts.get(term.id)!, events);
}

function prune(history: StoredHistory, term: Term): void {
  const buckets = history.parts.get(term.id);
  if (!buckets) return;
  const from = keptFrom(term.scope, history.finalTo);
  for (const bucket of from === null ? [] : buckets.keys()) if (bucket < from!) buckets.delete(bucket);
}

/** Most events that are kept for sequences which they may begin or continue. */
const maxTail = 2_000;

function tailOf(events: readonly HistoryEvent[], finalTo: number, { sequences }: KeptState): HistoryEvent[] {
  const mayContinue = (event: HistoryEvent): boolean =>
    sequences.some(({ withinS, takes }) => event.createdAt >= finalTo - withinS && takes(event));
  return events
    .filter((event) => !isLate(event) && mayContinue(event))
    .sort(compareEvents)
    .slice(-maxTail);
}

/** Months of which counts are kept; the cap of older ones is looked up. */
const countedMonths = 3;

function countInMonth(months: MonthCounts, { createdAt }: HistoryEvent): void {
  const month = monthOf(createdAt);
  if (month < months.from) return;
  months.counts.set(month, (months.counts.get(month) ?? 0) + 1);
  while (months.counts.size > countedMonths) {
    const oldest = Math.min(...months.counts.keys());
    months.counts.delete(oldest);
    months.from = oldest + 1;
  }
}
