/** What the check tries, each with the rule that it is about. */
export const checkCases = {
  authorization_page: {
    title: 'The authorization page answers a correct request',
    rule: 'Specification, Authorization request',
  },
  authorization_redirect_uri: {
    title: 'The authorization page does not redirect to an address that is not registered',
    rule: 'Specification, Authorization page, rule 2',
  },
  authorization_error: {
    title: 'A refused authorization request comes back with error and state',
    rule: 'Specification, Failed redirect',
  },
  token_error: { title: 'An unknown code is refused with 4XX and JSON', rule: 'Specification, Token endpoint' },
  refresh_error: { title: 'An unknown refresh token is refused with invalid_grant', rule: 'RFC 6749, 5.2' },
  user_info_error: { title: 'An unknown access token is refused with 401 and invalid_token', rule: 'RFC 6750, 3.1' },
  user_info_closed: { title: 'The user info needs a token', rule: 'Specification, User info endpoint' },
  redirect: { title: 'A log-in comes back with code and state', rule: 'Specification, Successful redirect' },
  exchange: { title: 'The code is exchanged for tokens', rule: 'Specification, Token endpoint' },
  user_info: { title: 'The user info has sub and nickname', rule: 'Specification, User info response' },
  refresh: { title: 'A refresh gives a working access token', rule: 'Specification, Token endpoint' },
  refresh_chain: { title: 'The refresh token of a refresh works', rule: 'RFC 6749, 6' },
  refresh_account: { title: 'A refresh does not change the account', rule: 'Specification, User info response' },
  refresh_wrong_secret: { title: 'A refresh with a wrong secret is refused', rule: 'Specification, Token endpoint' },
  refresh_survives_refusal: { title: 'A refused client does not use up the refresh token', rule: 'RFC 6749, 3.2.1' },
  refresh_reuse: { title: 'A replaced refresh token is refused', rule: 'RFC 9700, 4.14.2' },
  code_redirect_uri: { title: 'A code with another redirect_uri is refused', rule: 'RFC 6749, 4.1.3' },
  code_verifier: { title: 'A code with a wrong code_verifier is refused', rule: 'RFC 7636, 4.6' },
  code_wrong_secret: { title: 'A code with a wrong secret is refused', rule: 'Specification, Token endpoint' },
  code_survives_refusal: { title: 'A refused client does not use up the code', rule: 'RFC 6749, 3.2.1' },
  code_once: { title: 'A code is exchanged only once', rule: 'Specification, Successful redirect' },
  same_account: { title: 'A second log-in has the same sub', rule: 'Specification, User info response' },
} as const satisfies Record<string, { title: string; rule: string }>;

/** The id of a case. */
export type CheckCase = keyof typeof checkCases;

/** How a case ended. */
export type CaseOutcome =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed' }
  /** The server gave no chance to see it; nothing is concluded. */
  | { readonly outcome: 'not_observed'; readonly why: string };
