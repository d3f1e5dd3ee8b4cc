import { timingSafeEqual } from 'node:crypto';
import {
  ApiKeyData,
  Environment,
  EventScope,
  IntegrationData,
  eventScopes,
  keyDigest,
  parseKey,
  recordKey,
} from '@podium/messages';
import { Refusal, refusalOf } from '../http/refusal';
import { EventRate, defaultEventRate, eventRateOf } from '../limits/event-rate';
import { CallerRefused, bearerOf, callerRefusals } from './caller-refusals';
import { maxKeyViewAgeMs } from './stale-keys';

/** The caller of the partner edge: the platform that the key belongs to, and its rate over all keys. */
export interface EventCaller {
  readonly ok: true;
  readonly platform: string;
  readonly keyId: string;
  readonly rate: EventRate;
}

interface LiveKey {
  /** Record key of the platform's integration. */
  readonly integrationKey: string;
  readonly hash: Buffer;
  readonly notAfterMs: number;
  readonly platform: string;
  /** Texts of the record; an unknown one grants nothing. */
  readonly scopes: readonly string[];
}

/** What the edge knows of an integration. */
type EdgeIntegration = { readonly isPaused: boolean; readonly rate: EventRate } | 'unreadable';

/** A key whose integration has no record yet: its events wait in ingestion for the contract. */
const unknownIntegration: EdgeIntegration = { isPaused: false, rate: defaultEventRate };

const refused = {
  ...callerRefusals,
  noSendScope: { ok: false, refusal: missingScope('events:send') },
  noReadScope: { ok: false, refusal: missingScope('events:read') },
  paused: { ok: false, refusal: refusalOf('integration_paused') },
  unavailable: { ok: false, refusal: refusalOf('unavailable') },
} as const satisfies Record<string, CallerRefused>;

/**
 * The event keys and the integrations of this deployment, in memory. A key is compared by its hash in constant time and
 * expires at `not_after` by this instance's own clock; a platform may have several. A key whose record could not be read
 * gets 503: it is never admitted and never refused permanently.
 */
export class EventKeys {
  private readonly keys = new Map<string, LiveKey | 'unreadable'>();
  private readonly integrations = new Map<string, EdgeIntegration>();

  constructor(
    private readonly environment: Environment,
    private readonly viewAgeMs: () => number,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** The caller with this Authorization header and a scope; cheap checks come first, so that random keys need no lookup. */
  authenticate(authorization: string | undefined, scope: EventScope = 'events:send'): EventCaller | CallerRefused {
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
    if (!timingSafeEqual(key.hash, keyDigest(text))) return refused.badKey;
    if (this.nowMs() >= key.notAfterMs) return refused.badKey;
    if (!key.scopes.includes(scope)) return scope === 'events:send' ? refused.noSendScope : refused.noReadScope;
    const integration = this.integrations.get(key.integrationKey) ?? unknownIntegration;
    if (integration === 'unreadable') return refused.unavailable;
    if (integration.isPaused) return refused.paused;
    return { ok: true, platform: key.platform, keyId: parsed.keyId, rate: integration.rate };
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
      platform,
      scopes: data.event_scopes ?? eventScopes,
    });
  }

  /** Call when the state of a key could not be read. */
  setKeyUnreadable(keyId: string): void {
    this.keys.set(keyId, 'unreadable');
  }

  /** Stores the pause and the rate of an integration, named by its record key; null when it was deleted. */
  setIntegration(
    integrationKey: string,
    integration: Pick<IntegrationData, 'status' | 'rate_per_second'> | null,
  ): void {
    if (integration === null) this.integrations.delete(integrationKey);
    else this.integrations.set(integrationKey, edgeIntegrationOf(integration));
  }

  /** Call when the state of an integration could not be read. */
  setIntegrationUnreadable(integrationKey: string): void {
    this.integrations.set(integrationKey, 'unreadable');
  }

  /** Number of keys and integrations that could not be read. */
  unreadable(): number {
    return [...this.keys.values(), ...this.integrations.values()].filter((state) => state === 'unreadable').length;
  }
}

function edgeIntegrationOf({
  status,
  rate_per_second: rate,
}: Pick<IntegrationData, 'status' | 'rate_per_second'>): EdgeIntegration {
  return { isPaused: status === 'paused', rate: rate === undefined ? defaultEventRate : eventRateOf(rate) };
}

function missingScope(scope: EventScope): Refusal {
  return refusalOf('forbidden', { message: `Use a key with the scope ${scope}.` });
}
