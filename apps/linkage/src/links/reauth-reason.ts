/** Why only a log-in of the user repairs a link, each with the sentence for log and audit. */
export const reauthReasons = {
  grant_ended: 'the partner ended the grant',
  refresh_answer_lost: 'the answer to a refresh was lost, and the partner no longer accepts the token that was sent',
  no_refresh_token: 'the access token is no longer valid and there is no refresh token',
  partner_moved: 'the partner has moved to another address since',
  other_account: 'the partner names another account',
  restored: 'the database was restored, and the tokens with it are lost',
} as const;

/** What is wrong with a link: the reason for a log-in, or answers to refreshes that were lost, so that it may need one. */
export type LinkProblem = ReauthReason | 'grant_state_unknown';

/** All of them. */
export const linkProblems: readonly LinkProblem[] = [
  ...(Object.keys(reauthReasons) as ReauthReason[]),
  'grant_state_unknown',
];

/** A code of these reasons. */
export type ReauthReason = keyof typeof reauthReasons;
