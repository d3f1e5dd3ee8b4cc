import { TypedValue } from '@podium/messages';
import { horizonS } from './definition';
import { HistoryEvent, LinkPeriod } from './history';
import { Part } from './tally';
import { Term } from './terms';

/** A sequence's events of before `finalTo`: when it was completed, Unix seconds; null while it was not. */
export type SequenceDone = number | null;

/**
 * What is kept of a user's events of one name. Events that are seen from `finalTo` on are kept singly, the others only as
 * parts of terms; instants before `finalTo` are not evaluated any more.
 */
export interface NameHistory {
  /** Unix seconds; 0 while all events are kept singly. */
  readonly finalTo: number;
  /** Ordered by (created_at, id). */
  readonly events: readonly HistoryEvent[];
  /** The newest event that is not kept singly; null without one. */
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

const nothing: NameHistory = {
  ...{ finalTo: 0, events: [], newestFinal: null, tail: [], parts: new Map(), sequences: new Map() },
};

/** A user's events and links for one evaluation; what several definitions need is computed once. */
export class UserView {
  private readonly counted = new Map<string, readonly CountedEvent[]>();
  /** By name and second. */
  private readonly seen = new Map<string, ReadonlyMap<number, readonly HistoryEvent[]>>();
  /** Oldest first. */
  readonly links: readonly LinkPeriod[];

  constructor(
    private readonly history: UserHistory,
    private readonly recordedLinks: readonly LinkPeriod[],
  ) {
    this.links = withLinksOfEvents(recordedLinks, history);
  }

  /** The same without the single events that were received from `atS` on. */
  receivedBefore(atS: number): UserView {
    const isAfter = ({ receivedAt }: HistoryEvent): boolean => receivedAt >= atS;
    if (![...this.history.values()].some(({ events }) => events.some(isAfter))) return this;
    const before = [...this.history].map(([name, history]): [string, NameHistory] => [
      name,
      withEvents(
        history,
        history.events.filter((event) => !isAfter(event)),
      ),
    ]);
    return new UserView(new Map(before), this.recordedLinks);
  }

  of(name: string): NameHistory {
    return this.history.get(name) ?? nothing;
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

  /** The single events of a name that a second sees first. */
  seenIn(name: string, atS: number): readonly HistoryEvent[] {
    let seen = this.seen.get(name);
    if (seen === undefined) this.seen.set(name, (seen = bySecond(this.of(name).events, seenAt)));
    return seen.get(atS) ?? [];
  }

  partsOf(term: Term): ReadonlyMap<number, Part> | undefined {
    return this.of(term.event).parts.get(term.id);
  }

  /** The link begun last at or before an instant, ended or not; null before the first. */
  linkAt(atS: number): LinkPeriod | null {
    let found: LinkPeriod | null = null;
    for (const link of this.links) if (link.linkedAt <= atS) found = link;
    return found;
  }

  /** Whether the user is linked at an instant, by the records of links alone. */
  isLinkedAt(atS: number): boolean {
    return this.recordedLinks.some((link) => isInForce(link, atS));
  }

  /** Unix seconds of the first link or event: nothing is reached before it. */
  beginsAt(): number {
    let first = this.links.length > 0 ? this.links[0].linkedAt : Infinity;
    for (const { events } of this.history.values()) for (const event of events) first = Math.min(first, seenAt(event));
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
export function bySecond<Item>(items: readonly Item[], secondOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const atS = secondOf(item);
    const group = groups.get(atS);
    if (group === undefined) groups.set(atS, [item]);
    else group.push(item);
  }
  return groups;
}

function withEvents(
  { finalTo, newestFinal, tail, parts, sequences }: NameHistory,
  events: readonly HistoryEvent[],
): NameHistory {
  return { finalTo, events, newestFinal, tail, parts, sequences };
}

/** Whether a link has begun and not ended at an instant. */
export function isInForce({ linkedAt, unlinkedAt }: LinkPeriod, atS: number): boolean {
  return linkedAt <= atS && (unlinkedAt === null || atS < unlinkedAt);
}

/**
 * Adds the links that only events show: their own record is still on its way, or is from before links were recorded. Such a
 * link lasts until the next one begins.
 */
function withLinksOfEvents(links: readonly LinkPeriod[], history: UserHistory): LinkPeriod[] {
  const periods = new Map(links.map((period) => [period.linkedAt, period]));
  const shown = new Map<number, string>();
  for (const { events } of history.values())
    for (const { linkedAt, account } of events) if (!periods.has(linkedAt)) shown.set(linkedAt, account);
  const begins = [...periods.keys(), ...shown.keys()].sort((a, b) => a - b);
  for (const [linkedAt, account] of shown)
    periods.set(linkedAt, { linkedAt, unlinkedAt: begins.find((begin) => begin > linkedAt) ?? null, account });
  return [...periods.values()].sort((a, b) => a.linkedAt - b.linkedAt);
}
