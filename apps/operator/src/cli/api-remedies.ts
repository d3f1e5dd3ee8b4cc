import { bodyErrors, edgeErrors, type ErrorCode } from '@podium/messages';

/** The codes of the operators' API, and of an API that does not answer. */
type Code =
  | (typeof edgeErrors)[number]
  | (typeof bodyErrors)[number]
  | Extract<ErrorCode, 'conflict' | 'unprocessable'>
  | 'unreachable';

const tryLater = 'try again later; if the problem persists, report it with the time and this code.';
const tryAgain = 'wait a few seconds and try again.';

const remedies: Readonly<Record<Code, string>> = {
  invalid_request: 'correct the named field; --help shows what is expected.',
  unauthorized: "get a fresh operator's token and give it by PODIUM_TOKEN.",
  forbidden:
    'ask an admin of the organizer for the role, or use a token that has it; what you wrote or published yourself, another operator approves with --approver-token.',
  not_found: 'check the name or id; resources of organizers for which you have no role are not shown.',
  conflict: 'read the current state with show or list and decide again.',
  payload_too_large: 'shorten what you send, or divide it.',
  unsupported_media_type: 'use the command line of the release that runs.',
  unprocessable: 'change what the message names and send it again.',
  headers_too_large: 'use a token with fewer roles, and shorter arguments.',
  request_timeout: 'check the connection to the gateway and try again.',
  rate_limited: tryAgain,
  internal_error: tryLater,
  overloaded: tryAgain,
  unavailable: 'wait a few seconds and try again; if the problem persists, check the health of the services.',
  unreachable: 'check --url, and that the gateway runs (npm start).',
};

/** What an operator can do about a refusal; without a code of the API it is of another server. */
export function remedyOf(status: number, code: unknown, tokenVariable: string): string {
  if (isCode(code)) return remedies[code].replace('PODIUM_TOKEN', tokenVariable);
  if (status === 429) return tryAgain;
  // What is before the gateway answers 5XX while that is away; any other status says that the gateway is not there.
  return typeof code === 'string' || status >= 500 ? tryLater : otherServer;
}

/** About an API that does not answer. */
export const unreachable = remedies.unreachable;

const otherServer =
  'check --url and PODIUM_URL: they must be the address of the gateway; ask who runs the proxies before it.';

/** About an address that leads to another one. */
export const redirected =
  'give the address of the gateway itself by --url or PODIUM_URL, with https:// if it has that.';

/** What precedes the remedy of a change that may have been made. */
export const unknownOutcome = 'the change may have been made, so look with show or list before you repeat it; ';

/** Whether a change may have been made although the answer is an error: a service may fail after it, or a proxy stop waiting. */
export function isUnknown(method: string, status: number, code: unknown): boolean {
  return method !== 'GET' && status >= 500 && code !== 'overloaded';
}

function isCode(code: unknown): code is Code {
  return typeof code === 'string' && Object.hasOwn(remedies, code);
}
