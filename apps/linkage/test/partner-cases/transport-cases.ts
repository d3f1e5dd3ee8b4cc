import { ModeName } from '@podium/simulated-partner';
import { Expected, ModeExpectations, RefreshFate, failedFlow, faulty } from './expected';

const noResponse = (code: string): ModeExpectations =>
  faulty({ kind: 'unavailable', words: `no response from the partner (${code})` }, 'unknown');

/** `second`: what linkage makes of the refusal with which the token's second request is answered in the same way. */
const unreadable = (words: string, fate: RefreshFate, second?: string): ModeExpectations =>
  faulty({ kind: 'malformed', words }, fate, second);

const cutRefusal = 'rejected: the partner refused, status 400';
const tooLarge = 'the response is larger than 65536 bytes, status';
const compressed = 'the response is compressed although identity was requested, status';
const redirected = unreadable('the status is neither 200 nor 4XX, status 302', 'later');
const notHttp = unreadable('the response is not HTTP within the limits', 'unknown');

/** A listener has no answer of any kind: there was no request yet. */
const unreachable = (words: string): { linking: Expected } => ({
  linking: failedFlow('partner_unavailable', undefined, [`exchange ${words}`]),
});

const invalidCertificate = (code: string): { linking: Expected } =>
  unreachable(`unavailable: the partner's certificate is not valid (${code})`);

/** Faults of connections: a lost answer to a refresh is never taken for the end of a grant. */
export const transportCases = {
  reset: noResponse('ECONNRESET'),
  'reset-in-body': noResponse('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'),
  'content-length-too-large': noResponse('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'),
  'content-length-too-small': unreadable('the body is not JSON, status 200', 'unknown', cutRefusal),
  'cut-off': unreadable('the body is not JSON, status 200', 'unknown', cutRefusal),
  'no-answer': noResponse('deadline'),
  'no-body': noResponse('deadline'),
  'slow-headers': noResponse('deadline'),
  drip: noResponse('deadline'),
  'body-64-mib': unreadable(`${tooLarge} 200`, 'unknown', `malformed: ${tooLarge} 400`),
  'gzip-bomb': unreadable(`${compressed} 200`, 'unknown'),
  gzip: unreadable(`${compressed} 200`, 'unknown', `malformed: ${compressed} 400`),
  'header-bomb': notHttp,
  'not-http': notHttp,
  'redirect-other-host': redirected,
  'redirect-private': redirected,
  'redirect-loop': redirected,
  'connection-refused': unreachable('unavailable: no response from the partner (ECONNREFUSED)'),
  'slow-connect': unreachable('unavailable: no response from the partner (CONNECT_DEADLINE)'),
  'tls-expired': invalidCertificate('CERT_HAS_EXPIRED'),
  'tls-wrong-host': invalidCertificate('ERR_TLS_CERT_ALTNAME_INVALID'),
  'tls-self-signed': invalidCertificate('DEPTH_ZERO_SELF_SIGNED_CERT'),
  'name-unknown': unreachable('unavailable: no response from the partner (ENAME)'),
  'name-changes': unreachable("address_refused: the partner's name resolves to a private or special address"),
} as const satisfies Partial<Record<ModeName, ModeExpectations>>;
