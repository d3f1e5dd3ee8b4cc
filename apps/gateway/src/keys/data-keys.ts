import { timingSafeEqual } from 'node:crypto';
import { ApiKeyData, Environment, encodeScopes, hashKey, parseKey, parseUuidKey } from '@podium/messages';
import { CellRate, perSecond } from '../limits/gcra';
import { rateLimitOf } from '../limits/rate-limit-response';
import { refusalOf } from '../http/refusal';
import { CallerRefused, bearerOf, callerRefusals } from './caller-refusals';
import { maxKeyViewAgeMs } from './stale-keys';

/** The caller of a read, with the rights of its key; made once per key, not per request. */
export interface DataCaller {
  readonly ok: true;
  readonly keyId: string;
  /** As `encodeScopes` writes them. */
  readonly scopes: string;
  readonly rate: CellRate;
  /** Value of the header ratelimit-limit. */
  readonly rateLimit: string;
}

interface LiveKey {
  /** Hash of the key as bytes, and as the text by which a UUID key is found. */
  readonly hash: Buffer;
  readonly hashText: string;
  readonly notAfterMs: number;
  readonly caller: DataCaller;
}

const refused = {
  ...callerRefusals,
  unavailable: {
    ok: false,
    refusal: refusalOf('unavailable', {
      message: 'Keys cannot be checked at the moment; retry after the time in Retry-After.',
    }),
  },
} as const satisfies Record<string, CallerRefused>;

/**
 * The data keys of this deployment, in memory. A Podium key is found by its id, a UUID key by its hash. Both are compared
 * by hash in constant time and expire at `not_after` by this instance's own clock. A key whose record could not be read
 * gets 503: it is never admitted and never refused permanently.
 */
export class DataKeys {
  private readonly keys = new Map<string, LiveKey>();
  private readonly byHash = new Map<string, LiveKey>();
  private readonly unreadable = new Set<string>();

  constructor(
    private readonly environment: Environment,
    private readonly viewAgeMs: () => number,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** The caller with this Authorization header; cheap checks come first. */
  authenticate(authorization: string | undefined): DataCaller | CallerRefused {
    const text = bearerOf(authorization);
    if (text === null) return refused.noKey;
    const uuid = parseUuidKey(text);
    if (uuid !== null) return this.uuidCaller(uuid);
    const parsed = parseKey(text);
    if (!parsed) return refused.badKey;
    if (parsed.environment !== this.environment) return refused.otherEnvironment;
    if (parsed.kind !== 'dt') return refused.badKey;
    if (this.viewAgeMs() > maxKeyViewAgeMs.dataKeys || this.unreadable.has(parsed.keyId)) return refused.unavailable;
    return this.callerOf(this.keys.get(parsed.keyId), hashKey(text));
  }

  /** Stores the newest state of a key, null when it was deleted; only data keys that are not revoked are stored. */
  setKey(keyId: string, data: ApiKeyData | null): void {
    this.forget(keyId);
    if (data === null || data.kind !== 'data' || data.revoked_at !== null) return;
    const hash = Buffer.from(data.hash, 'hex');
    if (hash.length !== 32) throw new Error('the hash is not a SHA-256 hash');
    const rate = data.rate_per_second;
    const key: LiveKey = {
      hash,
      hashText: hash.toString('hex'),
      notAfterMs: data.not_after ?? Infinity,
      caller: {
        ok: true,
        keyId,
        scopes: encodeScopes(data.scopes),
        rate: perSecond(rate),
        rateLimit: rateLimitOf(rate),
      },
    };
    this.keys.set(keyId, key);
    this.byHash.set(key.hashText, key);
  }

  /** Call when the state of a key could not be read. */
  setKeyUnreadable(keyId: string): void {
    this.forget(keyId);
    this.unreadable.add(keyId);
  }

  private uuidCaller(uuid: string): DataCaller | CallerRefused {
    if (this.viewAgeMs() > maxKeyViewAgeMs.dataKeys) return refused.unavailable;
    const hash = hashKey(uuid);
    const key = this.byHash.get(hash);
    // A UUID does not reveal its key id, so it may be any of the keys that could not be read.
    if (key === undefined && this.unreadable.size > 0) return refused.unavailable;
    return this.callerOf(key, hash);
  }

  private callerOf(key: LiveKey | undefined, hash: string): DataCaller | CallerRefused {
    if (key === undefined || !timingSafeEqual(key.hash, Buffer.from(hash, 'hex'))) return refused.badKey;
    return this.nowMs() >= key.notAfterMs ? refused.badKey : key.caller;
  }

  private forget(keyId: string): void {
    const key = this.keys.get(keyId);
    if (key !== undefined && this.byHash.get(key.hashText) === key) this.byHash.delete(key.hashText);
    this.keys.delete(keyId);
    this.unreadable.delete(keyId);
  }
}
