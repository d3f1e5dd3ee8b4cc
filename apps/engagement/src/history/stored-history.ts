import { HistoryEvent } from '../evaluation/history';
import { compareEvents, isNewer } from '../evaluation/event-order';
import { LateGroup } from '../evaluation/late-group';
import { Part } from '../evaluation/tally';
import { TermBuckets } from '../evaluation/term-buckets';
import { NameHistory, SequenceDone, isLate, seenAt } from '../evaluation/user-history';

/** What of a history is only read when a definition is evaluated, or changed when events become final. */
export interface FinalState {
  newestFinal: HistoryEvent | null;
  tail: HistoryEvent[];
  lateGroups: readonly LateGroup[];
  readonly parts: Map<string, Map<number, Part>>;
  readonly sequences: Map<string, SequenceDone>;
}

/** A history in its packed form, of which each part is decoded when it is asked for. */
export interface PackedHistory {
  readonly hasLateGroups: boolean;
  decodeEvents(): HistoryEvent[];
  /** The last of the events; null without any. */
  decodeNewest(): HistoryEvent | null;
  decodeFinalState(): FinalState;
}

/** What is known of the single events without decoding them; times are Unix seconds. */
export interface EventsSummary {
  count: number;
  /** How many of them are late. */
  lateCount: number;
  /** The first and the last second that sees one; 0 without events. */
  firstSeenAt: number;
  lastSeenAt: number;
  lastReceivedAt: number;
  /** The greatest `created_at`. */
  lastCreatedAt: number;
  /** `linked_at` of their links. */
  readonly linkedAts: Set<number>;
}

/** How many events there were in recent months, stored or dropped by the cap; a month (`yyyymm`) that is missing had none. */
export interface MonthCounts {
  /** Earlier months are not known. */
  from: number;
  readonly counts: Map<number, number>;
}

/** A history as it is kept, for changes. */
export class StoredHistory implements NameHistory {
  finalTo = 0;
  /** Of the definitions for which no part is lacking; empty: not known. */
  keptFor = '';
  /** Of the watched terms the merged buckets of all events, single ones too. */
  readonly running = new Map<string, TermBuckets>();
  readonly months: MonthCounts = { from: 0, counts: new Map() };
  summary: EventsSummary;
  private readonly appended: HistoryEvent[] = [];
  private newestEvent: HistoryEvent | null | undefined;
  private decodedEvents: HistoryEvent[] | null = null;
  private decodedFinal: FinalState | null = null;
  private packedEvents: PackedHistory | null;

  constructor(
    private readonly packed: PackedHistory | null = null,
    summary = summaryOf([]),
  ) {
    this.packedEvents = packed;
    this.summary = summary;
    if (packed !== null) return;
    this.decodedEvents = [];
    this.decodedFinal = { newestFinal: null, tail: [], lateGroups: [], parts: new Map(), sequences: new Map() };
  }

  /** Whether it was read from the store. */
  get isStored(): boolean {
    return this.packed !== null;
  }

  /** The single events, ordered by (created_at, id). */
  get events(): HistoryEvent[] {
    return (this.decodedEvents ??= [...(this.packedEvents?.decodeEvents() ?? []), ...this.appended]);
  }

  /** The newest single event by (created_at, id). */
  get newest(): HistoryEvent | null {
    return (this.newestEvent ??= this.packedEvents?.decodeNewest() ?? null);
  }

  /** The newest event of all by (created_at, id). */
  get newestOfAll(): HistoryEvent | null {
    const { newest, hasLateGroups } = this;
    // What is final happened before `finalTo`.
    if (newest !== null && newest.createdAt >= this.finalTo && !hasLateGroups) return newest;
    let found = newest;
    for (const event of [this.newestFinal, ...this.lateGroups.map((group) => group.newest)])
      if (event !== null && (found === null || isNewer(event, found))) found = event;
    return found;
  }

  /** Known without decoding. */
  get hasLateGroups(): boolean {
    return this.decodedFinal === null ? this.packed!.hasLateGroups : this.decodedFinal.lateGroups.length > 0;
  }

  get lateGroups(): readonly LateGroup[] {
    return this.final.lateGroups;
  }

  get newestFinal(): HistoryEvent | null {
    return this.final.newestFinal;
  }

  get tail(): readonly HistoryEvent[] {
    return this.final.tail;
  }

  get parts(): Map<string, Map<number, Part>> {
    return this.final.parts;
  }

  get sequences(): Map<string, SequenceDone> {
    return this.final.sequences;
  }

  /** For changes. */
  get final(): FinalState {
    return (this.decodedFinal ??= this.packed!.decodeFinalState());
  }

  /** What is still as it was packed, and the events that were appended since; null where it has to be packed again. */
  get unchanged(): { readonly events: PackedHistory | null; readonly final: PackedHistory | null } {
    return { events: this.packedEvents, final: this.decodedFinal === null ? this.packed : null };
  }

  get appendedEvents(): readonly HistoryEvent[] {
    return this.appended;
  }

  /** Adds an event that is newer than all others, without decoding them. */
  append(event: HistoryEvent): void {
    this.decodedEvents?.push(event);
    if (this.packedEvents !== null) this.appended.push(event);
    this.newestEvent = event;
    addToSummary(this.summary, event);
  }

  /** Adds an event among the others, in order. */
  insert(event: HistoryEvent): void {
    const { events } = this;
    let at = events.length;
    while (at > 0 && compareEvents(events[at - 1], event) > 0) at--;
    events.splice(at, 0, event);
    this.packedEvents = null;
    this.newestEvent = events[events.length - 1];
    addToSummary(this.summary, event);
  }

  /** Replaces the single events. */
  replaceEvents(events: HistoryEvent[]): void {
    this.decodedEvents = events;
    this.packedEvents = null;
    this.newestEvent = events.at(-1) ?? null;
    this.summary = summaryOf(events);
  }
}

function summaryOf(events: readonly HistoryEvent[]): EventsSummary {
  const summary: EventsSummary = {
    count: 0,
    lateCount: 0,
    firstSeenAt: 0,
    lastSeenAt: 0,
    lastReceivedAt: 0,
    lastCreatedAt: 0,
    linkedAts: new Set(),
  };
  for (const event of events) addToSummary(summary, event);
  return summary;
}

function addToSummary(summary: EventsSummary, event: HistoryEvent): void {
  const at = seenAt(event);
  summary.firstSeenAt = summary.count === 0 ? at : Math.min(summary.firstSeenAt, at);
  summary.lastSeenAt = Math.max(summary.lastSeenAt, at);
  summary.lastReceivedAt = Math.max(summary.lastReceivedAt, event.receivedAt);
  summary.lastCreatedAt = Math.max(summary.lastCreatedAt, event.createdAt);
  summary.linkedAts.add(event.linkedAt);
  summary.count++;
  if (isLate(event)) summary.lateCount++;
}
