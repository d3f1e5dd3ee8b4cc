import { bearerError } from './bearer-challenge';
import { PartnerErrorCode, partnerErrorCode } from './partner-error-code';
import {
  AnswerFault,
  PartnerFailure,
  PartnerResult,
  PartnerUser,
  TokenSet,
  failure,
  printable,
} from './partner-result';
import { StrictJsonError, parseStrictObject } from './strict-json';

/** A response as received, within the byte limit. */
export interface RawResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The header WWW-Authenticate; several of it are joined by commas. */
  readonly challenge: string | undefined;
  readonly body: Uint8Array;
}

/** Longest accepted token, bytes: real servers limit header lines to about this size. */
const tokenBytesMax = 8192;
/** Longer lifetimes are ignored, as if absent. */
const lifetimeSMax = 10 * 365 * 86_400;
/** The limit of platform_user_id at the send-event endpoint: a `sub` that it would refuse must not be linked. */
const subBytesMax = 255;
const nicknameLengthMax = 100;

/** Reads the response of the token endpoint (specification, Token response): `token_type` may be missing. */
export function readTokenResponse(response: RawResponse): PartnerResult<TokenSet> {
  const object = successObject(response);
  if (!object.ok) return object;
  const fields = object.value;
  const accessToken = fields.get('access_token');
  if (!isToken(accessToken)) return malformed(response, fields, 'access_token is not a token', 'access_token');
  const refreshToken = fields.get('refresh_token') ?? '';
  if (refreshToken !== '' && !isToken(refreshToken))
    return malformed(response, fields, 'refresh_token is not a token', 'refresh_token');
  const tokenType = fields.get('token_type') ?? 'bearer';
  if (typeof tokenType !== 'string' || tokenType.toLowerCase() !== 'bearer')
    return malformed(response, fields, 'token_type is not Bearer', 'token_type');
  return {
    ok: true,
    value: {
      accessToken,
      refreshToken: refreshToken === '' ? null : refreshToken,
      expiresInS: lifetimeS(fields.get('expires_in')),
    },
  };
}

/** Reads the response of a revocation endpoint (RFC 7009 2.2): the status alone says it. Many servers answer with 204 instead of 200. */
export function readRevocationResponse(response: RawResponse): PartnerResult<null> {
  const isSuccess = response.status >= 200 && response.status < 300;
  return isSuccess ? { ok: true, value: null } : failureOf(response);
}

/** Reads the response of the user info endpoint (specification, User info response). */
export function readUserInfoResponse(response: RawResponse): PartnerResult<PartnerUser> {
  const object = successObject(response, codeOfResource);
  if (!object.ok) return object;
  const fields = object.value;
  const sub = fields.get('sub');
  if (typeof sub !== 'string' || sub.trim() === '')
    return malformed(response, fields, 'sub is missing, empty or not text', 'sub');
  if (Buffer.byteLength(sub) > subBytesMax)
    return malformed(response, fields, `sub is longer than ${subBytesMax} bytes`, 'sub_length');
  const nickname = fields.get('nickname');
  const shown = typeof nickname === 'string' ? printable(nickname, nicknameLengthMax) : '';
  return { ok: true, value: { sub, nickname: shown === '' ? printable(sub, nicknameLengthMax) : shown } };
}

/** Only 200 with a JSON object is success; the content type is ignored, because the specification names none. */
function successObject(response: RawResponse, codeOf?: ReadCode): PartnerResult<ReadonlyMap<string, unknown>> {
  if (response.status === 200) {
    try {
      return { ok: true, value: parseStrictObject(response.body) };
    } catch (error) {
      if (error instanceof StrictJsonError)
        return failure('malformed', error.message, { status: 200, fault: error.fault });
      throw error;
    }
  }
  return failureOf(response, codeOf);
}

type ReadCode = (response: RawResponse) => PartnerErrorCode | undefined;

function failureOf(response: RawResponse, codeOf: ReadCode = codeOfBody): PartnerFailure {
  const details = { status: response.status, partnerCode: codeOf(response) };
  if (response.status === 429 || response.status >= 500)
    return failure('unavailable', 'the partner is busy or broken', {
      ...details,
      retryAfterS: retryAfterS(response.retryAfter),
      outcomeUnknown: response.status >= 500,
    });
  if (response.status >= 400) return failure('rejected', 'the partner refused', details);
  return failure('malformed', 'the status is neither 200 nor 4XX', { ...details, fault: 'status' });
}

function malformed(
  { status }: RawResponse,
  fields: ReadonlyMap<string, unknown>,
  reason: string,
  fault: AnswerFault,
): PartnerResult<never> {
  return failure('malformed', reason, { status, fault, partnerCode: partnerErrorCode(fields.get('error')) });
}

/** RFC 6749 A.12: visible ASCII and space, what an Authorization header can carry. */
function isToken(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length <= tokenBytesMax && /^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/.test(value)
  );
}

/** The specification has no `expires_in`: a whole number, or its digits as text, counts; any other value is ignored. */
export function lifetimeS(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0 && seconds <= lifetimeSMax
    ? seconds
    : null;
}

/** A server that follows RFC 6750 may send `invalid_token` only in WWW-Authenticate. That header says nothing of a refresh token. */
function codeOfResource(response: RawResponse): PartnerErrorCode | undefined {
  const isTokenInvalid = response.status === 401 && bearerError(response.challenge) === 'invalid_token';
  return isTokenInvalid ? 'invalid_token' : codeOfBody(response);
}

/** The code of the JSON body, as specified. */
function codeOfBody({ body }: RawResponse): PartnerErrorCode | undefined {
  try {
    return partnerErrorCode(parseStrictObject(body).get('error'));
  } catch {
    return undefined;
  }
}

/** Retry-After is seconds or a date (RFC 9110 10.2.3). */
function retryAfterS(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), 3600) : undefined;
}
