/**
 * How one partner differs from another: rows of data, not branches of code. Every leniency is off by default except what
 * the specification itself needs.
 */
export interface PartnerProfile {
  /** Sent with the authorization request; null when the partner does not restrict access (specification, scope). */
  readonly scope: string | null;
  /** `basic_raw` is the specification's `client_id:client_secret`; `basic_form_encoded` is RFC 6749 2.3.1. */
  readonly clientAuth: 'basic_raw' | 'basic_form_encoded';
  /** Whether client_id is sent as a form field too (specification, Token request). */
  readonly clientIdInBody: boolean;
  /** S256 (RFC 7636); servers ignore unknown parameters, one that refuses them has it off. */
  readonly pkce: boolean;
  /** Assumed when the partner does not say how long an access token lives. */
  readonly accessTokenLifetimeS: number;
  /** Total time for one request, from name look-up to the last byte. */
  readonly timeoutMs: number;
}

/** All that is needed to talk to one partner's server. */
export interface PartnerConnection {
  /** Names the breaker and the concurrency bound. */
  readonly platform: string;
  /** The specification's {partner_url}, without a slash at its end. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Tried once when the partner refuses the present secret: two are live during a rotation. */
  readonly previousClientSecret: string | null;
  readonly profile: PartnerProfile;
}
