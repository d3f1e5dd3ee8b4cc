import { TypedValue } from '@podium/messages';
import { horizonS } from './definition';
import { HistoryEvent, LinkPeriod } from './history';
import { LateGroup, SeenPart, seenParts } from './late-group';
import { Part } from './tally';
import { Term } from './terms';

/** A sequence's events of before `finalTo`: when it was completed, Unix seconds; null while it was not. */
export type SequenceDone = number | null;

/**
 * What is kept of a user's events of one name. Events that are seen from `finalTo` on are kept singly, of many late ones the
 * last received, the others only as parts of terms; instants before `finalTo` are not evaluated any more.
 */
export interface NameHistory {
  /** Unix seconds; 0 while all events are kept singly. While parts are kept, at least 1. */
  readonly finalTo: number;
  /** Ordered by (created_at, id). */
  readonly events: readonly HistoryEvent[];
  /** Late events that are seen from `finalTo` on and are not kept singly. */
  readonly lateGroups: readonly LateGroup[];
  /** The newest event that is seen before `finalTo` and is not kept singly; null without one. */
  readonly newestFinal: HistoryEvent | null;
  /** Events of before `finalTo` that a sequence may still begin with. */
  readonly tail: readonly HistoryEvent[];
  /** Parts by term id and bucket. A term that is missing has to be computed from the stored events first. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<number, Part>>;
  /** Completed sequences by their key. */
  readonly sequences: ReadonlyMap<string, SequenceDone>;
}

/** All that is kept of a user's events, by event name. */
export type UserHistory = ReadonlyMap<string, NameHistory>;

/** Whether an event was received later than the lateness horizon after it happened. */
export function isLate(event: HistoryEvent): boolean {
  return event.receivedAt - event.createdAt > horizonS;
}

/** The first second that sees an event: that at which it happened, of a late one that at which it was received. */
export function seenAt(event: HistoryEvent): number {
  return isLate(event) ? event.receivedAt : event.createdAt;
}

/** An event that a term counts. */
export interface CountedEvent {
  readonly event: HistoryEvent;
  readonly seenAt: number;
  readonly value: TypedValue;
}

/** Of a name without events. */
export const emptyHistory: NameHistory = {
  ...{ finalTo: 0, events: [], lateGroups: [], newestFinal: null, tail: [], parts: new Map(), sequences: new Map() },
};

/** A user's events and links for one evaluation; what several definitions need is computed once. */
export class UserView {
  private readonly counted = new Map<string, readonly CountedEvent[]>();
  /** By name and second. */
  private readonly seen = new Map<string, ReadonlyMap<number, readonly HistoryEvent[]>>();
  /** Oldest first. */
  readonly links: readonly LinkPeriod[];
  private recorded: { readonly begins: readonly number[]; readonly lastUntil: readonly number[] } | undefined;

  constructor(
    private readonly history: UserHistory,
    private readonly recordedLinks: readonly LinkPeriod[],
  ) {
    this.links = withLinksOfEvents(recordedLinks, history);
  }

  /** The same without what was received from `atS` on and is not final. */
  receivedBefore(atS: number): UserView {
    const isAfter = ({ receivedAt }: HistoryEvent): boolean => receivedAt >= atS;
    if (![...this.history.keys()].some((name) => this.eventsOf(name).some(isAfter))) return this;
    const before = [...this.history].map(([name, history]): [string, NameHistory] => [
      name,
      withEvents(
        history,
        history.events.filter((event) => !isAfter(event)),
        history.lateGroups.filter(({ newest }) => !isAfter(newest)),
      ),
    ]);
    return new UserView(new Map(before), this.recordedLinks);
  }

  of(name: string): NameHistory {
    return this.history.get(name) ?? emptyHistory;
  }

  /** The single events of a name, and those that stand for groups of late ones; not in order. */
  eventsOf(name: string): readonly HistoryEvent[] {
    return eventsAndGroups(this.of(name));
  }

  /** The single events that a term counts, ordered by (created_at, id). */
  countedBy(term: Term): readonly CountedEvent[] {
    const known = this.counted.get(term.id);
    if (known) return known;
    const counted = this.of(term.event).events.flatMap((event) => {
      const value = term.valueOf(event);
      return value === null ? [] : [{ event, seenAt: seenAt(event), value }];
    });
    this.counted.set(term.id, counted);
    return counted;
  }

  /** The events of `eventsOf` that a second sees first. */
  seenIn(name: string, atS: number): readonly HistoryEvent[] {
    let seen = this.seen.get(name);
    if (seen === undefined) this.seen.set(name, (seen = bySecond(this.eventsOf(name), seenAt)));
    return seen.get(atS) ?? [];
  }

  /** Unix seconds at which the first event of these names happens after an instant; null without any. */
  nextAfter(names: Iterable<string>, atS: number): number | null {
    let next = Infinity;
    for (const name of names) {
      const { events } = this.of(name);
      for (let at = events.length - 1; at >= 0 && events[at].createdAt > atS; at--)
        next = Math.min(next, events[at].createdAt);
    }
    return next === Infinity ? null : next;
  }

  /** What a term counts of groups of late events. */
  latePartsOf(term: Term): readonly SeenPart[] {
    return seenParts(this.of(term.event).lateGroups, term.id);
  }

  partsOf(term: Term): ReadonlyMap<number, Part> | undefined {
    return this.of(term.event).parts.get(term.id);
  }

  /** The link begun last at or before an instant, ended or not; null before the first. */
  linkAt(atS: number): LinkPeriod | null {
    const begun = countUpTo(this.links, ({ linkedAt }) => linkedAt <= atS);
    return begun === 0 ? null : this.links[begun - 1];
  }

  /** Whether the user is linked at an instant, by the records of links alone. */
  isLinkedAt(atS: number): boolean {
    const { begins, lastUntil } = (this.recorded ??= recordedTimes(this.recordedLinks));
    const begun = countUpTo(begins, (beginS) => beginS <= atS);
    return begun > 0 && lastUntil[begun - 1] > atS;
  }

  /** Unix seconds of the first link or event: nothing is reached before it. */
  beginsAt(): number {
    let first = this.links.length > 0 ? this.links[0].linkedAt : Infinity;
    for (const name of this.history.keys())
      for (const event of this.eventsOf(name)) first = Math.min(first, seenAt(event));
    return first;
  }

  /** Unix seconds before which no instant is evaluated for definitions over these names. */
  finalTo(names: Iterable<string>): number {
    let finalTo = 0;
    for (const name of names) finalTo = Math.max(finalTo, this.of(name).finalTo);
    return finalTo;
  }
}

/** Groups items by a second, each group in the given order. */
function bySecond<Item>(items: readonly Item[], secondOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const atS = secondOf(item);
    const group = groups.get(atS);
    if (group === undefined) groups.set(atS, [item]);
    else group.push(item);
  }
  return groups;
}

function eventsAndGroups({ events, lateGroups }: NameHistory): readonly HistoryEvent[] {
  return lateGroups.length === 0 ? events : [...events, ...lateGroups.map(({ newest }) => newest)];
}

function withEvents(
  { finalTo, newestFinal, tail, parts, sequences }: NameHistory,
  events: readonly HistoryEvent[],
  lateGroups: readonly LateGroup[],
): NameHistory {
  return { finalTo, events, lateGroups, newestFinal, tail, parts, sequences };
}

/** How many of a list's first items satisfy a condition that no later item does. */
function countUpTo<Item>(items: readonly Item[], isUpTo: (item: Item) => boolean): number {
  let [count, above] = [0, items.length];
  while (count < above) {
    const middle = (count + above) >>> 1;
    if (isUpTo(items[middle])) count = middle + 1;
    else above = middle;
  }
  return count;
}

/** The beginnings of links in order, and for each the latest end of those begun by then: links of different accounts overlap. */
function recordedTimes(links: readonly LinkPeriod[]): { begins: number[]; lastUntil: number[] } {
  const ordered = [...links].sort((a, b) => a.linkedAt - b.linkedAt);
  let until = -Infinity;
  return {
    begins: ordered.map(({ linkedAt }) => linkedAt),
    lastUntil: ordered.map(({ unlinkedAt }) => (until = Math.max(until, unlinkedAt ?? Infinity))),
  };
}

/** Unix seconds at which a link ends; infinite while it lasts. */
function endOf({ unlinkedAt }: LinkPeriod): number {
  return unlinkedAt ?? Infinity;
}

/** Whether a link has begun and not ended at an instant. */
export function isInForce({ linkedAt, unlinkedAt }: LinkPeriod, atS: number): boolean {
  return linkedAt <= atS && (unlinkedAt === null || atS < unlinkedAt);
}

/**
 * The link that counts of each second in which one began, in the order of `links`: that which ends last, because the others ended in
 * that second; of several the last.
 */
export function linksBySecond(links: readonly LinkPeriod[]): Map<number, LinkPeriod> {
  const periods = new Map<number, LinkPeriod>();
  for (const period of links) {
    const known = periods.get(period.linkedAt);
    if (known === undefined || endOf(period) >= endOf(known)) periods.set(period.linkedAt, period);
  }
  return periods;
}

/**
 * Adds the links that only events show: their own record is still on its way, or is from before links were recorded. Such a
 * link lasts until the next one begins.
 */
function withLinksOfEvents(links: readonly LinkPeriod[], history: UserHistory): LinkPeriod[] {
  const periods = linksBySecond(links);
  const shown = new Map<number, string>();
  for (const each of history.values())
    for (const { linkedAt, account } of eventsAndGroups(each)) if (!periods.has(linkedAt)) shown.set(linkedAt, account);
  const begins = [...periods.keys(), ...shown.keys()].sort((a, b) => a - b);
  const next = new Map(begins.map((linkedAt, at) => [linkedAt, begins[at + 1] ?? null]));
  for (const [linkedAt, account] of shown)
    periods.set(linkedAt, { linkedAt, unlinkedAt: next.get(linkedAt) ?? null, account });
  return [...periods.values()].sort((a, b) => a.linkedAt - b.linkedAt);
}
