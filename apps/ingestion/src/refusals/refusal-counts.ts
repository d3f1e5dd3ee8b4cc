import { ErrorCode } from '@podium/messages';
import { AccountRef } from '../link-view/links.store';

/** What is counted for operators: a refusal's code, or that a handled id came again with other content. */
export type CountedCode = ErrorCode | 'content_differs';

/** One refusal, as it is counted. */
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
  /** Of the newest one. */
  message: string;
}

/** Most users counted by name between two flushes; further ones are counted together. */
const maxEntries = 5000;
const maxMessageCharacters = 300;

/** Refusals per platform, code and user between two flushes; its size is bounded, however many users are made up. */
export class RefusalCounts {
  private counts = new Map<string, RefusalCount>();

  constructor(private readonly now: () => number = Date.now) {}

  add(refusal: Refusal): void {
    const nowMs = this.now();
    const message = refusal.message.slice(0, maxMessageCharacters);
    const count = this.entryOf({ ...refusal, message, count: 0, firstAtMs: nowMs, lastAtMs: nowMs });
    count.count++;
    count.lastAtMs = nowMs;
    count.message = message;
  }

  /** Takes everything counted so far. */
  take(): RefusalCount[] {
    const taken = [...this.counts.values()];
    this.counts = new Map();
    return taken;
  }

  /** Puts back what could not be stored. */
  putBack(counts: readonly RefusalCount[]): void {
    for (const old of counts) {
      const entry = this.entryOf({ ...old, count: 0 });
      entry.count += old.count;
      entry.firstAtMs = Math.min(entry.firstAtMs, old.firstAtMs);
    }
  }

  /** Forgets erased accounts. */
  forget(accounts: readonly AccountRef[]): void {
    if (accounts.length === 0) return;
    const erased = new Set(accounts.map((account) => JSON.stringify([account.platform, account.platformUserId])));
    for (const [key, { platform, platformUserId }] of this.counts)
      if (erased.has(JSON.stringify([platform, platformUserId]))) this.counts.delete(key);
  }

  /** The entry of a refusal: the known one, a new one, or above the bound the one without a user. */
  private entryOf(fresh: RefusalCount): RefusalCount {
    const known = this.counts.get(keyOf(fresh));
    if (known !== undefined) return known;
    if (this.counts.size >= maxEntries && fresh.platformUserId !== '')
      return this.entryOf({ ...fresh, platformUserId: '' });
    this.counts.set(keyOf(fresh), fresh);
    return fresh;
  }
}

/** What shares one entry: a platform's refusals of one code and one user. */
function keyOf({ platform, code, platformUserId }: Refusal): string {
  return `${code}:${platform.length}:${platform}${platformUserId}`;
}
