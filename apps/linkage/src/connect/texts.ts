import { LinkFailureReason } from '../links/link-outcome';
import { PartnerErrorCode } from '../partner-client/partner-error-code';

/** All words that users read at /connect; `{partner}` and `{nickname}` are filled in. */
export const texts = {
  brand: 'Podium',
  title: 'Connected accounts',
  intro: 'Connect your account at a partner, and what you do there counts here: bonuses, tasks and rewards.',
  welcomeTitle: 'Your partner accounts in one place',
  welcome: 'Log in to see which partners you can connect and to manage the accounts you have connected.',
  logIn: 'Log in',
  logOut: 'Log out',
  loggedInAs: 'Logged in as',
  noPartners: 'There are no partners to connect yet. Come back soon.',
  connect: 'Connect',
  reconnect: 'Log in again',
  disconnect: 'Disconnect',
  cancel: 'Cancel',
  notConnected: 'Not connected',
  connected: 'Connected',
  connectedAs: 'as',
  since: 'since',
  finishing: 'Finishing…',
  finishingNote: 'Almost there: the connection is being made known everywhere.',
  disconnecting: 'Disconnecting…',
  disconnectingNote: 'The connection is being ended everywhere.',
  needsReauth: 'Log-in needed',
  needsReauthNote: '{partner} no longer accepts the connection. Log in there again to keep it up to date.',
  paused: 'Paused',
  pausedNote: '{partner} cannot be connected right now. Please come back later.',
  opening: 'Opening {partner}…',
  openingNote: 'You are being taken to {partner} to log in. If nothing happens, use the button.',
  openingContinue: 'Continue to {partner}',
  inPopup: 'Go on in the window that has opened. If you closed it, choose Connect again.',
  disconnectTitle: 'Disconnect {partner}?',
  disconnectNote:
    'What you do at {partner} will no longer count here, and open tasks there stop. You can connect again at any time.',
  linkedTitle: 'You are connected',
  linked: 'Your account {nickname} at {partner} is now connected.',
  linkingTitle: 'Almost connected',
  linking: 'Your account {nickname} at {partner} is recognised. The connection is being finished; this takes a moment.',
  failedTitle: 'Not connected',
  partnersReason: "The partner's reason:",
  back: 'Back to your accounts',
  continue: 'Continue',
  refresh: 'Show the present state',
  loginFailedTitle: 'The log-in did not work',
  loginFailed: 'The log-in was not finished or took too long. Nothing has changed; please try again.',
  loginUnavailable: 'Logging in is not possible at the moment. Please try again in a few minutes.',
  goneTitle: 'This is not here',
  gone: 'The partner or the connection you were looking for does not exist (any more).',
  foreignTitle: 'Please try again from the page',
  foreign: 'The request did not come from this page, so nothing was changed.',
} as const;

/** One sentence for every way in which linking can fail. */
export const failureTexts: Record<LinkFailureReason, string> = {
  request_unusable: 'The partner sent you back with an answer that cannot be used. Please try again.',
  not_recognised:
    'This attempt to connect is not known here: it was already used, began in another browser, or took too long. ' +
    'Look at your accounts, and connect again if it is missing.',
  expired: 'The log-in at {partner} took too long. Please connect again.',
  session_changed:
    'You logged out or changed accounts here while logging in at {partner}. Log in here and connect again.',
  issuer_mismatch:
    'The answer came from another server than {partner} is known to use, so it was refused. Please try again.',
  partner_said_no: 'The log-in at {partner} was not completed.',
  partner_refused: '{partner} did not confirm the log-in. Please try again.',
  partner_malformed:
    '{partner} answered in a way that cannot be used. We have made a note of it; please try again later.',
  partner_unavailable: '{partner} cannot be reached at the moment. Please try again in a few minutes.',
  partner_moved: '{partner} has moved to another address since you began. Please connect again.',
  integration_paused: '{partner} cannot be connected right now. Please come back later.',
  linked_elsewhere:
    'This account at {partner} is already connected to another user here. Log in at {partner} with your own account, ' +
    'or disconnect it there first.',
  erased:
    'What was known of you here was erased while you logged in at {partner}. Wait a minute, then connect again if you like.',
  other_account_linked:
    'You have already connected another account at {partner}. Disconnect it first, then connect this one.',
  unfinished:
    'We could not finish this in time. Look at your accounts in a minute: if {partner} is not connected there by then, ' +
    'connect it again.',
};

/** What a partner's code means, for users; any text of the partner's own is `other`. */
export const partnerReasonTexts: Record<PartnerErrorCode, string> = {
  access_denied: 'the log-in or the consent was declined.',
  account_selection_required: 'an account has to be chosen there.',
  consent_required: 'your consent is needed there.',
  insufficient_scope: 'it does not allow what was asked for.',
  insufficient_user_authentication: 'it wants you to log in there in a stronger way.',
  interaction_required: 'it needs something more from you there.',
  invalid_client: 'it does not know this service.',
  invalid_grant: 'the log-in there is no longer valid.',
  invalid_request: 'it did not understand our request.',
  invalid_request_object: 'it did not understand our request.',
  invalid_request_uri: 'it did not understand our request.',
  invalid_scope: 'it does not allow what was asked for.',
  invalid_target: 'it does not allow what was asked for.',
  invalid_token: 'the log-in there is no longer valid.',
  login_required: 'you have to log in there first.',
  registration_not_supported: 'it did not understand our request.',
  request_not_supported: 'it did not understand our request.',
  request_uri_not_supported: 'it did not understand our request.',
  server_error: 'something went wrong there.',
  temporarily_unavailable: 'it is overloaded or being repaired.',
  unauthorized_client: 'it does not let this service do that.',
  unsupported_grant_type: 'it did not understand our request.',
  unsupported_response_type: 'it did not understand our request.',
  other: 'it gave one that is not known here.',
};

/** Fills `{partner}` and `{nickname}` in; the page escapes the result. */
export function filled(text: string, values: { partner?: string | null; nickname?: string }): string {
  return text
    .replaceAll('{partner}', () => values.partner ?? 'The partner')
    .replaceAll('{nickname}', () => values.nickname ?? '');
}
