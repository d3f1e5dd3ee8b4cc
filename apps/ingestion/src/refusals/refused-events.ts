import { ErrorCode } from '@podium/messages';
import { AccountRef, accountKey } from '../accounts/account';
import { ownCopy } from '../counting/own-copy';

/** A refusal of an event, for its partner. */
export interface RefusedEvent {
  readonly platform: string;
  /** Empty when the body has no id that can be read. */
  readonly eventId: string;
  readonly code: ErrorCode;
  /** Path of the refused field; empty when the body as a whole was refused. */
  readonly field: string;
  readonly message: string;
  /** Empty when it cannot be read. */
  readonly platformUserId: string;
  readonly requestId: string;
}

/** Refusals of one event with one code since the last flush, with what the newest one said. */
export interface RefusedEventEntry extends RefusedEvent {
  readonly count: number;
  /** Unix ms. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** Newest refused events kept per platform. */
export const maxRefusedEvents = 10_000;
/** Most entries of all platforms between two flushes. */
const maxWaiting = 50_000;
const maxMessageCharacters = 300;

/** Refused events between two flushes. A platform has at most 10,000, the newest; no platform displaces one that has fewer. */
export class RefusedEvents {
  private platforms = new Map<string, Map<string, RefusedEventEntry>>();
  private size = 0;

  constructor(private readonly now: () => number = Date.now) {}

  add(refused: RefusedEvent): void {
    const nowMs = this.now();
    const ofBody = {
      eventId: ownCopy(refused.eventId),
      platformUserId: ownCopy(refused.platformUserId),
      message: refused.message.slice(0, maxMessageCharacters),
    };
    this.merge({ ...refused, ...ofBody, count: 1, firstAtMs: nowMs, lastAtMs: nowMs });
  }

  take(): RefusedEventEntry[] {
    const taken = [...this.platforms.values()].flatMap((entries) => [...entries.values()]);
    this.platforms = new Map();
    this.size = 0;
    return taken;
  }

  /** Adds entries again, as older ones than those that came meanwhile. */
  putBack(entries: readonly RefusedEventEntry[]): void {
    const newer = this.take();
    for (const entry of entries) this.merge(entry);
    for (const entry of newer) this.merge(entry);
  }

  /** Removes erased accounts. */
  forget(accounts: readonly AccountRef[]): void {
    const keys = new Set(accounts.map(accountKey));
    for (const platform of new Set(accounts.map((account) => account.platform)))
      for (const [key, entry] of this.platforms.get(platform) ?? [])
        if (keys.has(accountKey(entry)) && this.platforms.get(platform)?.delete(key)) this.size--;
  }

  /** The newest refusal of an entry comes last in the map, so that the first is the oldest. */
  private merge(entry: RefusedEventEntry): void {
    const entries = this.platforms.get(entry.platform) ?? new Map<string, RefusedEventEntry>();
    this.platforms.set(entry.platform, entries);
    const key = `${entry.code}:${entry.eventId}`;
    const known = entries.get(key);
    if (entries.delete(key)) this.size--;
    entries.set(
      key,
      known === undefined ? entry : { ...entry, count: known.count + entry.count, firstAtMs: known.firstAtMs },
    );
    this.size++;
    if (entries.size > maxRefusedEvents) this.dropOldest(entries);
    else if (this.size > maxWaiting) this.dropOldest(this.largest());
  }

  private dropOldest(entries: Map<string, RefusedEventEntry>): void {
    const [oldest] = entries.keys();
    entries.delete(oldest);
    this.size--;
  }

  private largest(): Map<string, RefusedEventEntry> {
    return [...this.platforms.values()].reduce((a, b) => (b.size > a.size ? b : a));
  }
}
