import { timingSafeEqual } from 'node:crypto';
import { ApiKeyData, Environment, hashKey, parseKey, recordKey } from '@podium/messages';
import { refusalOf } from '../http/refusal';
import { CallerRefused, bearerOf, callerRefusals } from './caller-refusals';
import { maxKeyViewAgeMs } from './stale-keys';

/** The caller of send-event: the platform that the key belongs to. */
export interface EventCaller {
  readonly ok: true;
  readonly platform: string;
  readonly keyId: string;
}

interface LiveKey {
  /** Record key of the platform's integration. */
  readonly integrationKey: string;
  readonly hash: Buffer;
  readonly notAfterMs: number;
  readonly caller: EventCaller;
}

const refused = {
  ...callerRefusals,
  paused: { ok: false, refusal: refusalOf('integration_paused') },
  unavailable: { ok: false, refusal: refusalOf('unavailable') },
} as const satisfies Record<string, CallerRefused>;

/**
 * The event keys and paused integrations of this deployment, in memory. A key is compared by its hash in constant time and
 * expires at `not_after` by this instance's own clock; a platform may have several. A key whose record could not be read
 * gets 503: it is never admitted and never refused permanently.
 */
export class EventKeys {
  private readonly keys = new Map<string, LiveKey | 'unreadable'>();
  private readonly pauses = new Map<string, 'paused' | 'unreadable'>();

  constructor(
    private readonly environment: Environment,
    private readonly viewAgeMs: () => number,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** The caller with this Authorization header; cheap checks come first, so that random keys need no lookup. */
  authenticate(authorization: string | undefined): EventCaller | CallerRefused {
    const text = bearerOf(authorization);
    if (text === null) return refused.noKey;
    const parsed = parseKey(text);
    if (!parsed) return refused.badKey;
    if (parsed.environment !== this.environment) return refused.otherEnvironment;
    if (parsed.kind !== 'ev') return refused.badKey;
    if (this.viewAgeMs() > maxKeyViewAgeMs.eventKeys) return refused.unavailable;
    const key = this.keys.get(parsed.keyId);
    if (key === undefined) return refused.badKey;
    if (key === 'unreadable') return refused.unavailable;
    if (!timingSafeEqual(key.hash, Buffer.from(hashKey(text), 'hex'))) return refused.badKey;
    if (this.nowMs() >= key.notAfterMs) return refused.badKey;
    const pause = this.pauses.get(key.integrationKey);
    if (pause === undefined) return key.caller;
    return pause === 'paused' ? refused.paused : refused.unavailable;
  }

  /** Stores the newest state of a key, null when it was deleted; only event keys that are not revoked are stored. */
  setKey(keyId: string, data: ApiKeyData | null): void {
    const hash = data === null ? null : Buffer.from(data.hash, 'hex');
    if (data === null || hash === null || data.kind !== 'event' || data.platform === null || data.revoked_at !== null) {
      this.keys.delete(keyId);
      return;
    }
    if (hash.length !== 32) throw new Error('the hash is not a SHA-256 hash');
    const { platform } = data;
    this.keys.set(keyId, {
      integrationKey: recordKey(platform),
      hash,
      notAfterMs: data.not_after ?? Infinity,
      caller: { ok: true, platform, keyId },
    });
  }

  /** Call when the state of a key could not be read. */
  setKeyUnreadable(keyId: string): void {
    this.keys.set(keyId, 'unreadable');
  }

  /** Stores whether an operator has paused an integration, named by its record key. */
  setPaused(integrationKey: string, paused: boolean): void {
    if (paused) this.pauses.set(integrationKey, 'paused');
    else this.pauses.delete(integrationKey);
  }

  /** Call when the state of an integration could not be read. */
  setIntegrationUnreadable(integrationKey: string): void {
    this.pauses.set(integrationKey, 'unreadable');
  }

  /** Number of keys and integrations that could not be read. */
  unreadable(): number {
    return [...this.keys.values(), ...this.pauses.values()].filter((state) => state === 'unreadable').length;
  }
}
