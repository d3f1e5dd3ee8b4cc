import { timingSafeEqual } from 'node:crypto';
import { ApiKeyData, Environment, hashKey, parseKey, recordKey } from '@podium/messages';
import { refusalOf } from '../routes/refusal';
import { CallerRefused, bearerOf, callerRefusals } from './caller-refusals';

/** Who sends: the platform that the key speaks for. */
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

// A view that Kafka has not confirmed for so long may lack a revocation.
const maxViewAgeMs = 60_000;

const refused = {
  ...callerRefusals,
  paused: { ok: false, refusal: refusalOf('integration_paused') },
  unavailable: { ok: false, refusal: refusalOf('unavailable') },
} as const satisfies Record<string, CallerRefused>;

/**
 * The keys and pauses of this deployment, in memory. A key is compared by its hash in constant time and ends by
 * `not_after` on this instance's own clock; several may be live for one platform. What the views could not read is
 * answered 503, never let in and never refused for good.
 */
export class EventKeys {
  private readonly keys = new Map<string, LiveKey | 'unreadable'>();
  private readonly pauses = new Map<string, 'paused' | 'unreadable'>();

  constructor(
    private readonly environment: Environment,
    private readonly viewAgeMs: () => number,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Who sends with this Authorization header; checks in the order of their cost, so that random keys need no look-up. */
  authenticate(authorization: string | undefined): EventCaller | CallerRefused {
    const text = bearerOf(authorization);
    if (text === null) return refused.noKey;
    const parsed = parseKey(text);
    if (!parsed) return refused.badKey;
    if (parsed.environment !== this.environment) return refused.otherEnvironment;
    if (parsed.kind !== 'ev') return refused.badKey;
    if (this.viewAgeMs() > maxViewAgeMs) return refused.unavailable;
    const key = this.keys.get(parsed.keyId);
    if (key === undefined) return refused.badKey;
    if (key === 'unreadable') return refused.unavailable;
    if (!timingSafeEqual(key.hash, Buffer.from(hashKey(text), 'hex'))) return refused.badKey;
    if (this.nowMs() >= key.notAfterMs) return refused.badKey;
    const pause = this.pauses.get(key.integrationKey);
    if (pause === undefined) return key.caller;
    return pause === 'paused' ? refused.paused : refused.unavailable;
  }

  /** Takes the newest state of a key, null when there is none any more; only event keys that are not revoked are kept. */
  setKey(keyId: string, data: ApiKeyData | null): void {
    const hash = data === null ? null : Buffer.from(data.hash, 'hex');
    if (data === null || hash === null || data.kind !== 'event' || data.platform === null || data.revoked_at !== null) {
      this.keys.delete(keyId);
      return;
    }
    if (hash.length !== 32) throw new Error('the hash is not that of SHA-256');
    const { platform } = data;
    this.keys.set(keyId, {
      integrationKey: recordKey(platform),
      hash,
      notAfterMs: data.not_after ?? Infinity,
      caller: { ok: true, platform, keyId },
    });
  }

  /** The state of a key could not be read. */
  setKeyUnreadable(keyId: string): void {
    this.keys.set(keyId, 'unreadable');
  }

  /** Takes whether an integration, named by its record key, is paused by an operator. */
  setPaused(integrationKey: string, paused: boolean): void {
    if (paused) this.pauses.set(integrationKey, 'paused');
    else this.pauses.delete(integrationKey);
  }

  /** The state of an integration could not be read. */
  setIntegrationUnreadable(integrationKey: string): void {
    this.pauses.set(integrationKey, 'unreadable');
  }

  /** How many keys and integrations could not be read. */
  unreadable(): number {
    return [...this.keys.values(), ...this.pauses.values()].filter((state) => state === 'unreadable').length;
  }
}
