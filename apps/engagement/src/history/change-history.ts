import { compareEvents, isNewer } from '../evaluation/event-order';
import { HistoryEvent } from '../evaluation/history';
import { Tally, Part } from '../evaluation/tally';
import { Term, bucketOf, keptFrom } from '../evaluation/terms';
import { NameHistory, UserHistory, isLate, seenAt } from '../evaluation/user-history';
import { KeptState } from '../progress/definition-set';

/** Adds an event to the history of its name. */
export function addEvent(history: NameHistory, event: HistoryEvent, kept: KeptState): void {
  if (seenAt(event) >= history.finalTo) return insertInOrder(history.events, event);
  makeFinal(history, [event], kept.terms);
  history.tail = tailOf([...history.tail, event], history.finalTo, kept);
}

/** The terms whose parts the history lacks: they have to be computed from the stored events. */
export function missingTerms(history: NameHistory, { terms }: KeptState): Term[] {
  return history.finalTo === 0 ? [] : terms.filter(({ id }) => !history.parts.has(id));
}

/** Whether the history lacks what a sequence began with; it has to be computed from the stored events. */
export function lacksSequence(history: NameHistory, { sequences }: KeptState): boolean {
  return history.finalTo !== 0 && sequences.some(({ key }) => !history.sequences.has(key));
}

/** Computes the missing parts from all events of before `finalTo` that are stored. */
export function addMissing(history: NameHistory, stored: readonly HistoryEvent[], kept: KeptState): void {
  const final = stored.filter((event) => seenAt(event) < history.finalTo);
  for (const term of missingTerms(history, kept)) {
    history.parts.set(term.id, new Map());
    addToTerm(history, term, final);
    prune(history, term);
  }
  if (!lacksSequence(history, kept)) return;
  for (const { key } of kept.sequences) if (!history.sequences.has(key)) history.sequences.set(key, null);
  history.tail = tailOf(final, history.finalTo, kept);
}

/** Marks the sequences of a name that were completed before `toS`; call it before `condense`, with all names of the sequences. */
export function markSequences(histories: UserHistory, name: string, toS: number, { sequences }: KeptState): void {
  const marked = histories.get(name)!.sequences;
  for (const { key, names, completedAt, isCounted } of sequences) {
    const events = names.flatMap((each) => {
      const history = histories.get(each);
      return history ? [...history.tail, ...history.events] : [];
    });
    const known = marked.get(key) ?? null;
    const found = completedAt(events, toS) ?? Infinity;
    const first = Math.min(found, known !== null && isCounted(known, toS) ? known : Infinity);
    marked.set(key, first < toS ? first : null);
  }
}

/**
 * Makes the events that are seen before `toS` final: from then on they are only kept as parts of the terms that definitions
 * use. Parts of other terms, and buckets that no window can reach, are dropped. Completed sequences are marked before
 * (`markSequences`).
 */
export function condense(history: NameHistory, toS: number, kept: KeptState): void {
  if (missingTerms(history, kept).length > 0) throw new Error('a history that lacks terms cannot be condensed');
  const final = history.events.filter((event) => seenAt(event) < toS);
  const live = new Set(kept.terms.map(({ id }) => id));
  for (const id of history.parts.keys()) if (!live.has(id)) history.parts.delete(id);
  for (const { id } of kept.terms) if (!history.parts.has(id)) history.parts.set(id, new Map());
  history.events.splice(0, history.events.length, ...history.events.filter((event) => seenAt(event) >= toS));
  history.finalTo = toS;
  makeFinal(history, final, kept.terms);
  for (const term of kept.terms) prune(history, term);
  const keys = new Set(kept.sequences.map(({ key }) => key));
  for (const key of history.sequences.keys()) if (!keys.has(key)) history.sequences.delete(key);
  for (const key of keys) if (!history.sequences.has(key)) history.sequences.set(key, null);
  history.tail = tailOf([...history.tail, ...final], toS, kept);
}

function makeFinal(history: NameHistory, events: readonly HistoryEvent[], terms: readonly Term[]): void {
  for (const term of terms) if (history.parts.has(term.id)) addToTerm(history, term, events);
  for (const event of events)
    if (history.newestFinal === null || isNewer(event, history.newestFinal)) history.newestFinal = event;
}

function addToTerm(history: NameHistory, term: Term, events: readonly HistoryEvent[]): void {
  const buckets = history.parts.get(term.id)!;
  const tallies = new Map<number, Tally>();
  for (const event of events) {
    const value = term.valueOf(event);
    if (value === null) continue;
    const bucket = bucketOf(term.scope, event);
    const tally = tallies.get(bucket) ?? startTally(term, buckets.get(bucket));
    tally.addEvent(value);
    tallies.set(bucket, tally);
  }
  for (const [bucket, tally] of tallies) {
    const part = tally.part();
    if (part !== null) buckets.set(bucket, part);
  }
}

function startTally(term: Term, part: Part | undefined): Tally {
  const tally = new Tally(term.measure, term.exactTo);
  if (part !== undefined) tally.addPart(part);
  return tally;
}

function prune(history: NameHistory, term: Term): void {
  const from = keptFrom(term.scope, history.finalTo);
  const buckets = history.parts.get(term.id);
  if (from === null || !buckets) return;
  for (const bucket of buckets.keys()) if (bucket < from) buckets.delete(bucket);
}

function tailOf(events: readonly HistoryEvent[], finalTo: number, { sequences }: KeptState): HistoryEvent[] {
  if (sequences.length === 0) return [];
  const from = finalTo - Math.max(...sequences.map(({ withinS }) => withinS));
  return events.filter((event) => event.createdAt >= from && !isLate(event)).sort(compareEvents);
}

function insertInOrder(events: HistoryEvent[], event: HistoryEvent): void {
  let at = events.length;
  while (at > 0 && compareEvents(events[at - 1], event) > 0) at--;
  events.splice(at, 0, event);
}
