import { ErrorCode } from '@podium/messages';
import { AccountRef, accountKey } from '../accounts/account';
import { ownCopy } from '../counting/own-copy';

/** The code of a refusal, or `content_differs`: a handled id was sent again with other content. */
export type CountedCode = ErrorCode | 'content_differs';

/** One refusal to count. */
export interface Refusal {
  readonly platform: string;
  readonly code: CountedCode;
  /** Empty where the user is not known. */
  readonly platformUserId: string;
  readonly message: string;
}

/** Refusals of one kind since the counts were last taken. */
export interface RefusalCount extends Refusal {
  count: number;
  /** Unix ms. */
  firstAtMs: number;
  lastAtMs: number;
  /** Of the newest refusal. */
  message: string;
}

/**
 * Entries with a user's name between two flushes, one for each of the user's codes. Above it, further users of a platform that has an
 * equal part of them are counted together: no platform takes the names of others.
 */
const maxEntries = 5000;
const maxMessageCharacters = 300;

/** Refusals per platform, code and user between two flushes; bounded, even if a partner invents users. */
export class RefusalCounts {
  private counts = new Map<string, RefusalCount>();
  /** Entries with a user's name, per platform. */
  private named = new Map<string, number>();

  constructor(private readonly now: () => number = Date.now) {}

  add(refusal: Refusal): void {
    const nowMs = this.now();
    const message = refusal.message.slice(0, maxMessageCharacters);
    const count = this.entryOf({ ...refusal, message, count: 0, firstAtMs: nowMs, lastAtMs: nowMs });
    count.count++;
    count.lastAtMs = nowMs;
    count.message = message;
  }

  /** Removes and returns all counts. */
  take(): RefusalCount[] {
    const taken = [...this.counts.values()];
    this.counts = new Map();
    this.named = new Map();
    return taken;
  }

  /** Adds counts again that could not be stored. */
  putBack(counts: readonly RefusalCount[]): void {
    for (const old of counts) {
      const entry = this.entryOf({ ...old, count: 0 });
      entry.count += old.count;
      entry.firstAtMs = Math.min(entry.firstAtMs, old.firstAtMs);
    }
  }

  /** Removes erased accounts. */
  forget(accounts: readonly AccountRef[]): void {
    if (accounts.length === 0) return;
    const erased = new Set(accounts.map(accountKey));
    for (const [key, count] of this.counts)
      if (erased.has(accountKey(count)) && this.counts.delete(key)) this.countNamed(count, -1);
  }

  /** The entry of a refusal: the existing one, a new one, or, above the limit, the one without a user. */
  private entryOf(fresh: RefusalCount): RefusalCount {
    const known = this.counts.get(keyOf(fresh));
    if (known !== undefined) return known;
    if (fresh.platformUserId !== '' && this.isFullFor(fresh)) return this.entryOf({ ...fresh, platformUserId: '' });
    const entry = { ...fresh, platformUserId: ownCopy(fresh.platformUserId) };
    this.counts.set(keyOf(entry), entry);
    this.countNamed(entry, 1);
    return entry;
  }

  private isFullFor({ platform }: Refusal): boolean {
    if (this.counts.size < maxEntries) return false;
    const platforms = this.named.size + Number(!this.named.has(platform));
    return (this.named.get(platform) ?? 0) >= maxEntries / platforms;
  }

  private countNamed({ platform, platformUserId }: Refusal, added: number): void {
    if (platformUserId === '') return;
    const named = (this.named.get(platform) ?? 0) + added;
    if (named === 0) this.named.delete(platform);
    else this.named.set(platform, named);
  }
}

/** Refusals of one platform, code and user share an entry. */
function keyOf(refusal: Refusal): string {
  return `${refusal.code}:${accountKey(refusal)}`;
}
