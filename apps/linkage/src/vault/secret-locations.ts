import { SecretLocation } from './vault';

/**
 * The locations of all sealed columns. The previous generation of a secret shares the location of the current one, so that a
 * rotation moves the sealed text from column to column without opening it.
 */
export const secretLocations = {
  clientSecret: (integrationId: string): SecretLocation => ({
    field: 'integrations.client_secret',
    row: integrationId,
  }),
  accessToken: (linkId: string): SecretLocation => ({ field: 'link_tokens.access_token', row: linkId }),
  refreshToken: (linkId: string): SecretLocation => ({ field: 'link_tokens.refresh_token', row: linkId }),
  /** Of the log-in for which a check of a partner waits. */
  checkLogIn: (checkId: string): SecretLocation => ({ field: 'partner_checks.log_in_url', row: checkId }),
  checkEntry: (checkId: string): SecretLocation => ({ field: 'partner_checks.entry', row: checkId }),
  checkReturn: (checkId: string): SecretLocation => ({ field: 'partner_checks.return', row: checkId }),
  /** Row: the hash of the state, hex. */
  codeVerifier: (stateHash: string): SecretLocation => ({ field: 'oauth_flows.code_verifier', row: stateHash }),
};
