import { Gauge, Registry } from 'prom-client';
import { JSONWebKeySet, JWTVerifyGetKey, createLocalJWKSet, errors } from 'jose';
import { Logger } from '../log';
import { parseUrl } from '../url';
import { discoveryUrl, requireIssuer } from './issuer-discovery';
import { readIssuerJson } from './issuer-json';

/** The identity provider's keys are unavailable, so a token cannot be verified. */
export class IssuerAwayError extends Error {}

/** The address of an identity provider, and where its failures are reported. */
export interface Issuer {
  /** The issuer as tokens name it. */
  readonly issuerUrl: string;
  /** The address of its keys; when empty, its discovery document has it. */
  readonly jwksUrl?: string;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Younger keys are used without a reload; a key that the provider withdrew stays valid for up to this long. */
const freshMs = 10 * 60_000;
/** Older keys are used up to this age while the provider is unavailable, so that its outage does not spread at once. */
const usableMs = 12 * 60 * 60_000;
/** Pause between two loads, regardless of tokens: made-up key ids must not flood the provider. */
const pauseMs = 5_000;
/** For document and keys together. */
const loadMs = 4_000;

interface LoadedKeys {
  readonly keyOf: ReturnType<typeof createLocalJWKSet>;
  readonly atMs: number;
}

/** The published keys of an identity provider (RFC 7517), found by its discovery document (OpenID Connect Discovery 1.0). */
export class IssuerKeys {
  private loaded: LoadedKeys | null = null;
  private loading: Promise<LoadedKeys> | null = null;
  private attempt: { readonly atMs: number; readonly error: IssuerAwayError | null } | null = null;

  constructor(
    private readonly issuer: Issuer,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    const isFailing = (): boolean => {
      const failing = (this.attempt?.error ?? null) !== null;
      // Without tokens nothing else would find out that the provider is back; the next scrape shows it.
      if (failing) this.load().catch(() => undefined);
      return failing;
    };
    new Gauge({
      name: 'identity_keys_failing',
      help: '1 while the keys of the identity provider could not be read at the last attempt',
      registers: [issuer.registry],
      collect() {
        this.set(Number(isFailing()));
      },
    });
  }

  /**
   * The key that a token's header names; no other header field is followed. Throws `IssuerAwayError` when the keys are
   * unavailable, and jose's `JWKSNoMatchingKey` when there is no such key.
   */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.usable();
    try {
      return await keys.keyOf(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const again = await this.newer(keys);
      if (again === keys) throw error;
      return again.keyOf(header, token);
    }
  };

  private async usable(): Promise<LoadedKeys> {
    const { loaded } = this;
    const ageMs = loaded === null ? Infinity : this.nowMs() - loaded.atMs;
    if (loaded === null || ageMs >= usableMs) return this.load();
    if (ageMs >= freshMs && !this.isPausing()) this.load().catch(() => undefined);
    return loaded;
  }

  /** The provider may have newer keys; within the pause the cached ones are used. */
  private async newer(keys: LoadedKeys): Promise<LoadedKeys> {
    if (!this.isPausing() || this.loading) return this.load();
    if (this.attempt?.error) throw this.attempt.error;
    return this.loaded ?? keys;
  }

  private isPausing(): boolean {
    return this.attempt !== null && this.nowMs() - this.attempt.atMs < pauseMs;
  }

  /** One load at a time, shared by concurrent calls; after a failure, none until the pause is over. */
  private load(): Promise<LoadedKeys> {
    if (this.loading) return this.loading;
    if (this.attempt?.error && this.isPausing()) return Promise.reject(this.attempt.error);
    this.loading = this.loadOnce().finally(() => (this.loading = null));
    return this.loading;
  }

  private async loadOnce(): Promise<LoadedKeys> {
    const wasFailing = this.attempt?.error;
    try {
      const signal = AbortSignal.timeout(loadMs);
      const jwks = await readIssuerJson(this.issuer.jwksUrl || (await this.discover(signal)), signal);
      if (!Array.isArray(jwks.keys) || jwks.keys.length === 0)
        throw new Error('the identity provider publishes no keys');
      const atMs = this.nowMs();
      this.loaded = { keyOf: createLocalJWKSet(jwks as unknown as JSONWebKeySet), atMs };
      this.attempt = { atMs, error: null };
      if (wasFailing) this.issuer.logger.info('the keys of the identity provider can be read again');
      return this.loaded;
    } catch (cause) {
      const error = new IssuerAwayError('the keys of the identity provider cannot be read', { cause });
      this.attempt = { atMs: this.nowMs(), error };
      if (!wasFailing) this.issuer.logger.warn({ reason: (cause as Error).message }, error.message);
      throw error;
    }
  }

  private async discover(signal: AbortSignal): Promise<string> {
    const { issuerUrl } = this.issuer;
    const document = await readIssuerJson(discoveryUrl(issuerUrl), signal);
    requireIssuer(document, issuerUrl);
    const { jwks_uri } = document;
    const scheme = issuerUrl.startsWith('https:') ? /^https:/ : /^https?:/;
    if (typeof jwks_uri !== 'string' || !scheme.test(parseUrl(jwks_uri)?.protocol ?? ''))
      throw new Error('the discovery document has no jwks_uri that may be used');
    return jwks_uri;
  }
}
