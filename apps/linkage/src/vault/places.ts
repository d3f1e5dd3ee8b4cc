import { Place } from './vault';

/**
 * The places of all sealed columns. The previous generation of a secret shares the place of the current one, so that a
 * rotation moves the sealed text from column to column without opening it.
 */
export const places = {
  clientSecret: (integrationId: string): Place => ({ field: 'integrations.client_secret', row: integrationId }),
  accessToken: (linkId: string): Place => ({ field: 'link_tokens.access_token', row: linkId }),
  refreshToken: (linkId: string): Place => ({ field: 'link_tokens.refresh_token', row: linkId }),
  /** Row: the hash of the state, hex. */
  codeVerifier: (stateHash: string): Place => ({ field: 'oauth_flows.code_verifier', row: stateHash }),
};
