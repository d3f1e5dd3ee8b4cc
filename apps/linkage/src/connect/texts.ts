import { LinkFailureReason } from '../links/link-outcome';
import { LinkProblem } from '../links/reauth-reason';
import { PartnerErrorCode } from '@podium/partner-check/protocol/partner-error-code';

/** Texts that users read at /connect; `{partner}` and `{nickname}` are filled in. */
const texts = {
  brand: 'Podium',
  thePartner: 'The partner',
  title: 'Connected accounts',
  intro: 'Connect your partner accounts to earn bonuses, tasks and rewards for what you do there.',
  welcomeTitle: 'Your partner accounts in one place',
  welcome: 'Log in to see which partners you can connect and to manage the accounts you have connected.',
  logIn: 'Log in',
  logOut: 'Log out',
  loggedInAs: 'Logged in as',
  loggingOut: 'Logging out…',
  loggingOutNote: 'You are logged out here. You are being taken to where you log in, to log out there too.',
  loggingOutContinue: 'Continue',
  noPartners: 'There are no partners to connect yet. Please check back later.',
  connect: 'Connect',
  reconnect: 'Log in again',
  disconnect: 'Disconnect',
  cancel: 'Cancel',
  notConnected: 'Not connected',
  connected: 'Connected',
  connectedAs: 'as',
  since: 'since',
  finishing: 'Finishing…',
  finishingNote: 'Almost done: the connection is being set up.',
  disconnecting: 'Disconnecting…',
  disconnectingNote: 'The connection is being removed.',
  needsReauth: 'Log-in needed',
  needsReauthNote: 'The connection to {partner} has to be renewed. Log in there again to keep it up to date.',
  notRefreshableNote: '{partner} connects for a limited time. You will have to log in there again now and then.',
  disconnected: 'Your account at {partner} is disconnected. What you do there no longer counts here.',
  disconnectedSoon: 'Your account at {partner} is being disconnected. This takes a moment.',
  paused: 'Paused',
  pausedNote: '{partner} cannot be connected at the moment. Please try again later.',
  opening: 'Opening {partner}…',
  openingNote: 'You are being taken to {partner} to log in. If nothing happens, use the button.',
  openingContinue: 'Continue to {partner}',
  inPopup: 'Continue in the window that has opened. If you closed it, choose Connect again.',
  disconnectTitle: 'Disconnect {partner}?',
  disconnectNote:
    'What you do at {partner} will no longer count here, and open tasks there stop. You can connect again at any time.',
  linkedTitle: 'You are connected',
  linked: 'Your account {nickname} at {partner} is now connected.',
  linkingTitle: 'Almost connected',
  linking: 'Your account {nickname} at {partner} was found. The connection is being set up; this takes a moment.',
  refusedTitle: 'This was not possible',
  refused: 'Nothing was changed. Please go back to your accounts and try again.',
  tooOften: 'You have connected or disconnected very often, so nothing was changed. Please try again later.',
  failedTitle: 'Not connected',
  partnersReason: "The partner's reason:",
  back: 'Back to your accounts',
  continue: 'Continue',
  refresh: 'Refresh',
  loginFailedTitle: 'The log-in failed',
  loginFailed: 'The log-in was not completed or took too long. Nothing has changed; please try again.',
  loginUnavailable: 'Logging in is not possible at the moment. Please try again in a few minutes.',
  checkReturnedTitle: 'The log-in has arrived',
  checkReturned: 'The check of the partner goes on. You can close this window.',
  checkElsewhereTitle: 'This log-in was not opened in this browser',
  checkElsewhere:
    'The check of the partner was not changed. Open the address that the check shows in this browser, and log in again.',
  checkGoneTitle: 'No check waits for this log-in',
  checkGone: 'It has already been done, or the check has ended. Look at the check for the address of its next log-in.',
  goneTitle: 'Page not found',
  gone: 'The partner or connection does not exist, or no longer exists.',
  testTitle: 'Test linking with {partner}',
  testNote:
    'An operator of this service wants to test linking with {partner}. Continue only if that is you, and log in there ' +
    'with an account for tests. No account is connected.',
  testStart: 'Test with {partner}',
  testedTitle: 'The test was successful',
  tested: 'Linking with {partner} works. Nothing was connected or stored; the details are where you started the test.',
  testFailedTitle: 'The test failed',
  testingTitle: 'The test goes on',
  testing: 'The test of {partner} takes longer than usual. Its result will be where you started the test.',
  testGoneTitle: 'This test link is not valid',
  testGone: 'It was already used or is too old. Start another test.',
  foreignTitle: 'Please try again from the page',
  foreign: 'The request did not come from this website, so nothing was changed.',
} as const;

/** One sentence for each reason why linking can fail. */
const failureTexts: Record<LinkFailureReason, string> = {
  request_unusable: 'The response from the partner was invalid. Please try again.',
  not_recognised:
    'This attempt to connect is not valid: it was already used, began in another browser, or took too long. ' +
    'Check your accounts, and connect again if this one is missing.',
  expired: 'The log-in at {partner} took too long. Please connect again.',
  session_changed:
    'Your log-in here ended or changed while you were logging in at {partner}. Log in here and connect again.',
  issuer_mismatch: 'The response did not come from {partner}, so it was refused. Please try again.',
  partner_said_no: 'The log-in at {partner} was not completed.',
  partner_refused: '{partner} did not confirm the log-in. Please try again.',
  partner_malformed: 'The response from {partner} was invalid. We have recorded the error; please try again later.',
  partner_unavailable: '{partner} cannot be reached at the moment. Please try again in a few minutes.',
  partner_moved: 'The address of {partner} has changed since you started. Please connect again.',
  integration_paused: '{partner} cannot be connected at the moment. Please try again later.',
  linked_elsewhere:
    'This account at {partner} is already connected to another user here. Log in at {partner} with your own account, ' +
    'or disconnect it there first.',
  erased: 'Your data here was erased while you logged in at {partner}. Wait a minute, then connect again if you like.',
  other_account_linked:
    'You have already connected another account at {partner}. Disconnect it first, then connect this one.',
  unfinished:
    'This could not be completed in time. Check your accounts in a minute, and connect {partner} again if it is ' +
    'missing.',
};

/** What a partner's error code means, for users; any non-standard text is `other`. */
const partnerReasonTexts: Record<PartnerErrorCode, string> = {
  access_denied: 'the log-in or the consent was declined.',
  account_selection_required: 'an account has to be chosen there.',
  consent_required: 'your consent is needed there.',
  insufficient_scope: 'it does not allow the requested access.',
  insufficient_user_authentication: 'it requires a stronger log-in.',
  interaction_required: 'it needs you to do something there.',
  invalid_client: 'it does not recognise this service.',
  invalid_grant: 'the log-in there is no longer valid.',
  invalid_request: 'it did not understand our request.',
  invalid_request_object: 'it did not understand our request.',
  invalid_request_uri: 'it did not understand our request.',
  invalid_scope: 'it does not allow the requested access.',
  invalid_target: 'it does not allow the requested access.',
  invalid_token: 'the log-in there is no longer valid.',
  login_required: 'you have to log in there first.',
  registration_not_supported: 'it did not understand our request.',
  request_not_supported: 'it did not understand our request.',
  request_uri_not_supported: 'it did not understand our request.',
  server_error: 'something went wrong there.',
  temporarily_unavailable: 'it is temporarily unavailable.',
  unauthorized_client: 'it does not allow this service to do that.',
  unsupported_grant_type: 'it did not understand our request.',
  unsupported_response_type: 'it did not understand our request.',
  unsupported_token_type: 'it did not understand our request.',
  other: 'it sent an unknown error.',
};

/** Why a connection needs its user, one sentence each. */
const problemTexts: Record<LinkProblem, string> = {
  grant_ended: '{partner} has ended the connection, for example because you removed it there. Log in there again.',
  refresh_answer_lost: 'The connection to {partner} was interrupted while it was renewed. Log in there again.',
  no_refresh_token: '{partner} connects for a limited time, which is over. Log in there again.',
  partner_moved: 'The address of {partner} has changed. Log in there again.',
  other_account: '{partner} named another account than the one you connected. Log in there with that account again.',
  restored: 'The connection to {partner} was lost through an error of ours. Log in there again.',
  grant_state_unknown:
    '{partner} did not answer when the connection was renewed. We keep trying; if it does not help, you will have to log in there again.',
};

/** All texts of one language. */
export interface Catalogue {
  /** BCP 47; dates are written in it too. */
  readonly language: string;
  readonly texts: Readonly<Record<keyof typeof texts, string>>;
  readonly failures: Readonly<Record<LinkFailureReason, string>>;
  readonly partnerReasons: Readonly<Record<PartnerErrorCode, string>>;
  readonly problems: Readonly<Record<LinkProblem, string>>;
}

/** The texts in English. */
export const english: Catalogue = {
  language: 'en',
  texts,
  failures: failureTexts,
  partnerReasons: partnerReasonTexts,
  problems: problemTexts,
};

/** Replaces `{partner}` and `{nickname}`; the page escapes the result. */
export function filled(text: string, values: { partner: string; nickname?: string }): string {
  return text.replaceAll('{partner}', () => values.partner).replaceAll('{nickname}', () => values.nickname ?? '');
}
