import { ClientAuth } from '../protocol/basic-authorization';

/** What the check saw, with the way it saw it; or why it could not see it. Nothing is guessed. */
export type Observation<Value> =
  | { readonly observed: true; readonly value: Value; readonly how: string }
  | { readonly observed: false; readonly why: string };

/** How the partner's server behaves. The first five fields are settings of an integration. */
export interface DerivedProfile {
  client_auth: Observation<ClientAuth>;
  client_id_in_body: Observation<boolean>;
  pkce: Observation<boolean>;
  scope: Observation<string | null>;
  /** Whether the authorization URL gets `prompt=consent`. */
  prompt_consent: Observation<boolean>;
  pkce_verified: Observation<boolean>;
  refresh_tokens: Observation<boolean>;
  rotation: Observation<boolean>;
  /** What a refresh token does that was replaced before. */
  reuse: Observation<'ends_the_grant' | 'refused' | 'accepted'>;
  /** Seconds, from `expires_in`. */
  access_token_lifetime_s: Observation<number>;
  refresh_token_lifetime_s: Observation<number>;
  error_style: Observation<'standard_codes' | 'own_codes' | 'no_json'>;
  revocation_url: Observation<string>;
}

/** Before anything was seen. */
export function unobservedProfile(): DerivedProfile {
  const unobserved = (why: string) => ({ observed: false, why }) as const;
  const noLogIn = unobserved('no log-in got that far');
  return {
    client_auth: noLogIn,
    client_id_in_body: noLogIn,
    pkce: noLogIn,
    scope: noLogIn,
    prompt_consent: noLogIn,
    pkce_verified: noLogIn,
    refresh_tokens: noLogIn,
    rotation: noLogIn,
    reuse: noLogIn,
    access_token_lifetime_s: noLogIn,
    refresh_token_lifetime_s: unobserved('no answer states it, and waiting for its end would take too long'),
    error_style: unobserved('no request was refused'),
    revocation_url: unobserved('the server publishes no metadata that names one (RFC 8414)'),
  };
}
