import { FindingRow } from './finding';

/** Mistakes of the user info endpoint. */
export const userInfoFindings = {
  user_info_unreachable: {
    severity: 'blocks',
    title: 'The user info endpoint does not answer',
    rule: 'Specification, User info endpoint',
    effect: 'Podium does not learn who logged in, so nobody can link.',
    fix: 'Serve GET /oauth2/userinfo below the base URL, over https with a valid certificate, and answer within 5 seconds.',
  },
  user_info_not_found: {
    severity: 'blocks',
    title: 'There is no user info endpoint at this address',
    rule: 'Specification, User info endpoint',
    effect: 'Podium does not learn who logged in, so nobody can link.',
    fix: 'Serve GET {base URL}/oauth2/userinfo.',
  },
  user_info_failing: {
    severity: 'blocks',
    title: 'The user info endpoint answers with a server error',
    rule: 'Specification, User info endpoint; Errors',
    effect: 'Podium takes 5XX and 429 for an outage, and tells the user to try later.',
    fix: 'Find the cause in your log. Answer a request that you refuse with 4XX and JSON, never with 5XX.',
  },
  user_info_refused: {
    severity: 'blocks',
    title: 'An access token that was just issued is refused',
    rule: 'Specification, User info endpoint, Authorization: Bearer',
    effect: 'Podium does not learn who logged in, so nobody can link.',
    fix: 'Accept the access token in the header Authorization: Bearer, at once after it was issued.',
  },
  user_info_open: {
    severity: 'unsafe',
    title: 'The user info endpoint answers without a valid token',
    rule: 'Specification, User info endpoint, Authorization: Bearer; RFC 6750, 3',
    effect: 'Anybody can read it, and Podium cannot see that a grant has ended.',
    fix: 'Answer a missing, unknown, expired or revoked token with 401 and {"error": "invalid_token"}.',
  },
  user_info_error_unnamed: {
    severity: 'fragile',
    title: 'An invalid access token is not refused with 401 and invalid_token',
    rule: 'RFC 6750, 3.1; Specification, Errors',
    effect:
      'Podium refreshes at once only at 401 with invalid_token. With anything else it waits for the expiry that it knows.',
    fix: 'Answer an unknown, expired or revoked access token with 401 and {"error": "invalid_token"}.',
  },
  user_info_answer_status: {
    severity: 'blocks',
    title: 'The user info comes with another status than 200',
    rule: 'Specification, User info endpoint, Response 200',
    effect: 'Podium refuses the answer, so nobody can link.',
    fix: 'Answer with status 200, without a redirect.',
  },
  user_info_unreadable: {
    severity: 'blocks',
    title: 'The user info cannot be read',
    rule: 'Specification, User info response',
    effect: 'Podium refuses the answer, so nobody can link.',
    fix: 'Answer with one JSON object in UTF-8 without byte order mark, each name once, uncompressed, below 64 KB.',
  },
  user_info_answer_error: {
    severity: 'blocks',
    title: 'An error of the user info comes with status 200',
    rule: 'Specification, Error body of the partner endpoints',
    effect: 'Podium finds no sub in the answer and refuses it.',
    fix: 'Answer errors with 4XX. If the access token is valid, find out why your server refuses it.',
  },
  sub_invalid: {
    severity: 'blocks',
    title: 'sub is missing, empty or not text',
    rule: 'Specification, User info response, sub',
    effect: 'Podium does not learn who logged in, so nobody can link.',
    fix: 'Set sub to the id of the user in your system, as text. Numbers are written in quotes.',
  },
  sub_too_long: {
    severity: 'blocks',
    title: 'sub is longer than 255 bytes',
    rule: 'Specification, Send-event request, platform_user_id',
    effect: 'Events for such a user could not be accepted, so the link is refused.',
    fix: 'Use a user id of at most 255 bytes in UTF-8.',
  },
  nickname_missing: {
    severity: 'advice',
    title: 'nickname is missing or not text',
    rule: 'Specification, User info response, nickname',
    effect: 'Users see their id instead of a name.',
    fix: 'Set nickname to the name that users know; if you have none, to the user id.',
  },
  account_changed_by_refresh: {
    severity: 'blocks',
    title: 'sub differs after a refresh',
    rule: 'Specification, User info response, sub',
    effect: 'Podium takes the link for moved to another account and ends it.',
    fix: 'Return the same sub for the same user always: an id that never changes, no session or token id.',
  },
  account_differs: {
    severity: 'advice',
    title: 'Two log-ins of the check had different sub',
    rule: 'Specification, User info response, sub',
    effect: 'If both were the same account, links would break when users log in again.',
    fix: 'Nothing, if you logged in with two accounts. Else return the same sub for the same user always.',
  },
} as const satisfies Record<string, FindingRow>;
