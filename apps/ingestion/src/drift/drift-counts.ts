import { WaitingEntries } from '../counting/batched-writes';
import { ownCopy } from '../counting/own-copy';

/** An event as far as it says whether its sender and its contract agree. Values are never part of it. */
export interface SeenEvent {
  readonly platform: string;
  readonly name: string;
  /** Whether the name is negotiated; the other lists are empty if not. */
  readonly isNegotiated: boolean;
  /** Names of attributes that are not negotiated. */
  readonly dropped: readonly string[];
  /** Names of negotiated attributes whose type is not text. */
  readonly typed: readonly string[];
  /** Those of `typed` whose value does not parse. */
  readonly notParsed: readonly string[];
}

/** What happened to one name on one day. */
export interface DriftCount {
  readonly platform: string;
  /** In UTC, such as `2026-01-31`. */
  readonly day: string;
  /** Empty, as `attribute` is, for all names above the limit together. */
  readonly event: string;
  /** Empty for the name of the event itself. */
  readonly attribute: string;
  readonly isNegotiated: boolean;
  /** How often the name was sent. */
  sent: number;
  notNegotiated: number;
  dropped: number;
  notParsed: number;
  /** Unix ms of the first and last drift; 0 without any. */
  firstAtMs: number;
  lastAtMs: number;
}

type Finding = 'notNegotiated' | 'dropped' | 'notParsed';

interface EventCounts {
  readonly own: DriftCount;
  readonly attributes: Map<string, DriftCount>;
}

interface PlatformCounts {
  readonly events: Map<string, EventCounts>;
  readonly others: DriftCount;
  /** Names that are not negotiated. */
  names: number;
}

/** Names that are not negotiated, counted apart per platform and day; partners may send any number of them. */
export const maxNamesPerDay = 200;
/** The same over all platforms of an instance. */
const maxNames = 20_000;
/** Counts of former days that could not be stored yet. */
const maxOlder = 20_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Counts per name and day between two flushes. Only names with drift are stored, so names without any wait in memory: how often
 * they were sent is then known when they have some. Negotiated names are as many as the contract has, others are limited.
 */
export class DriftCounts implements WaitingEntries<DriftCount> {
  private platforms = new Map<string, PlatformCounts>();
  private older: DriftCount[] = [];
  private names = 0;
  private dayNumber = -1;
  private day = '';

  constructor(private readonly now: () => number = Date.now) {}

  add({ platform: name, name: event, isNegotiated, dropped, typed, notParsed }: SeenEvent): void {
    const nowMs = this.now();
    this.turnDay(Math.floor(nowMs / dayMs));
    const platform = this.platformOf(name);
    const counts = this.eventOf(platform, event, isNegotiated);
    const own = counts?.own ?? platform.others;
    own.sent++;
    if (!isNegotiated) found(own, 'notNegotiated', nowMs);
    for (const attribute of typed) this.attributeOf(platform, counts, attribute, true).sent++;
    for (const attribute of notParsed) found(this.attributeOf(platform, counts, attribute, true), 'notParsed', nowMs);
    for (const attribute of dropped) {
      const count = this.attributeOf(platform, counts, attribute, false);
      count.sent++;
      found(count, 'dropped', nowMs);
    }
  }

  /** Removes and returns what was counted of names with drift. */
  take(): DriftCount[] {
    const taken = this.older;
    this.older = [];
    for (const count of this.all()) {
      if (count.firstAtMs === 0 || count.sent === 0) continue;
      taken.push({ ...count });
      Object.assign(count, { sent: 0, notNegotiated: 0, dropped: 0, notParsed: 0 });
    }
    return taken;
  }

  /** Adds counts again that could not be stored. */
  putBack(counts: readonly DriftCount[]): void {
    const older: DriftCount[] = [];
    for (const old of counts) {
      const entry = old.day === this.day ? this.entryOf(old) : undefined;
      if (entry === undefined) {
        older.push(old);
        continue;
      }
      for (const field of ['sent', 'notNegotiated', 'dropped', 'notParsed'] as const) entry[field] += old[field];
      entry.firstAtMs = old.firstAtMs;
      entry.lastAtMs = Math.max(entry.lastAtMs, old.lastAtMs);
    }
    this.older = [...older, ...this.older].slice(0, maxOlder);
  }

  private *all(): Generator<DriftCount> {
    for (const { events, others } of this.platforms.values()) {
      yield others;
      for (const { own, attributes } of events.values()) {
        yield own;
        yield* attributes.values();
      }
    }
  }

  private turnDay(dayNumber: number): void {
    if (dayNumber === this.dayNumber) return;
    this.older = this.take().slice(0, maxOlder);
    this.platforms = new Map();
    this.names = 0;
    this.dayNumber = dayNumber;
    this.day = new Date(dayNumber * dayMs).toISOString().slice(0, 10);
  }

  private platformOf(name: string): PlatformCounts {
    let platform = this.platforms.get(name);
    if (platform === undefined) {
      platform = { events: new Map(), others: this.newCount(name, '', '', true), names: 0 };
      this.platforms.set(name, platform);
    }
    return platform;
  }

  /** Undefined above the limit of names. */
  private eventOf(platform: PlatformCounts, event: string, isNegotiated: boolean): EventCounts | undefined {
    const known = platform.events.get(event);
    if (known !== undefined || !this.hasPlace(platform, isNegotiated)) return known;
    const own = this.newCount(platform.others.platform, event, '', isNegotiated);
    const counts = { own, attributes: new Map<string, DriftCount>() };
    platform.events.set(own.event, counts);
    return counts;
  }

  private attributeOf(
    platform: PlatformCounts,
    event: EventCounts | undefined,
    attribute: string,
    isNegotiated: boolean,
  ): DriftCount {
    const known = event?.attributes.get(attribute);
    if (known !== undefined) return known;
    if (event === undefined || !this.hasPlace(platform, isNegotiated)) return platform.others;
    const count = this.newCount(event.own.platform, event.own.event, attribute, isNegotiated);
    event.attributes.set(count.attribute, count);
    return count;
  }

  /** The entry of a count that was taken; names keep their place for the whole day. */
  private entryOf({ platform: name, event, attribute }: DriftCount): DriftCount | undefined {
    const platform = this.platforms.get(name);
    if (event === '') return platform?.others;
    const counts = platform?.events.get(event);
    return attribute === '' ? counts?.own : counts?.attributes.get(attribute);
  }

  private hasPlace(platform: PlatformCounts, isNegotiated: boolean): boolean {
    if (isNegotiated) return true;
    if (platform.names >= maxNamesPerDay || this.names >= maxNames) return false;
    platform.names++;
    this.names++;
    return true;
  }

  private newCount(platform: string, event: string, attribute: string, isNegotiated: boolean): DriftCount {
    const none = { sent: 0, notNegotiated: 0, dropped: 0, notParsed: 0, firstAtMs: 0, lastAtMs: 0 };
    const names = { event: ownCopy(event), attribute: ownCopy(attribute) };
    return { platform, day: this.day, ...names, isNegotiated, ...none };
  }
}

function found(count: DriftCount, finding: Finding, nowMs: number): void {
  count[finding]++;
  count.firstAtMs ||= nowMs;
  count.lastAtMs = nowMs;
}
