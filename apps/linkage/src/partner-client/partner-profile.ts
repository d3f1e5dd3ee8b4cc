/**
 * Differences between partners are rows of data, not branches of code. Every leniency is off by default except those that
 * the specification itself requires.
 */
export interface PartnerProfile {
  /** Sent with the authorization request; null when the partner does not restrict access (specification, scope). */
  readonly scope: string | null;
  /** `basic_raw` is the specification's `client_id:client_secret`; `basic_form_encoded` is RFC 6749 2.3.1. */
  readonly clientAuth: 'basic_raw' | 'basic_form_encoded';
  /** Whether client_id is sent as a form field too (specification, Token request). */
  readonly clientIdInBody: boolean;
  /** S256 (RFC 7636). Most servers ignore unknown parameters; for a server that refuses them it is off. */
  readonly pkce: boolean;
  /** Assumed when the partner does not send the lifetime of an access token. */
  readonly accessTokenLifetimeS: number;
  /** Total time for one request, from the name lookup to the last byte. */
  readonly timeoutMs: number;
  /** Below the base URL, where tokens are revoked (RFC 7009); null when the partner cannot. */
  readonly revocationPath: string | null;
  /** The public address of this deployment whose redirect URL the partner has registered; null for the first. */
  readonly redirectBase: string | null;
  /** Its issuer, as its redirects name it (RFC 9207); null when it follows from the partner's addresses. */
  readonly issuer: string | null;
}

/** Everything that a request to one partner's server needs. */
export interface PartnerConnection {
  /** Names the breaker and the concurrency bound. */
  readonly platform: string;
  /** The specification's {partner_url}, without a trailing slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Tried once when the partner refuses the current secret: two are live during a rotation. */
  readonly previousClientSecret: string | null;
  /** Names of the two for counts of what the partner accepts, which outlive a rotation; null of a secret that is not there. */
  readonly secretNames: { readonly current: string; readonly previous: string | null };
  readonly profile: PartnerProfile;
}
