import { PartnerErrorCode } from './partner-error-code';
import { JsonFault } from './strict-json';

/** What makes a response malformed. */
export type AnswerFault =
  | JsonFault
  | 'access_token'
  | 'refresh_token'
  | 'token_type'
  | 'sub'
  | 'sub_length'
  | 'status'
  | 'compressed'
  | 'size'
  | 'http';

/** Why a request to a partner failed; a value, never an exception, so that no text of the partner gets into logs. */
export interface PartnerFailure {
  readonly ok: false;
  /**
   * `rejected`: the partner refused with 4XX. `unavailable`: no response in time, 5XX or 429; a retry may succeed.
   * `malformed`: the response violates the specification. `address_refused`: this service's rules forbid the address.
   */
  readonly kind: 'rejected' | 'unavailable' | 'malformed' | 'address_refused';
  /** This service's own words, safe for logs. */
  readonly reason: string;
  readonly status?: number;
  /** The partner's `error` if a standard defines it; the text itself is dropped. */
  readonly partnerCode?: PartnerErrorCode;
  /** Of a malformed response. */
  readonly fault?: AnswerFault;
  /** From Retry-After, whole seconds, at most an hour. */
  readonly retryAfterS?: number;
  /** Whether the request may have had its effect although no response arrived. */
  readonly outcomeUnknown?: boolean;
  /** Whether this service sent nothing: its breaker is open, its limit is reached, or no time is left. */
  readonly notSent?: boolean;
}

/** The result of a request to a partner. */
export type PartnerResult<Value> = { readonly ok: true; readonly value: Value } | PartnerFailure;

/** Tokens as the partner issued them. */
export interface TokenSet {
  readonly accessToken: string;
  /** Null when the response has none: after a code exchange no refresh is possible, a refresh keeps the old token. */
  readonly refreshToken: string | null;
  /** Seconds from the response; null when the partner does not send it. */
  readonly expiresInS: number | null;
}

/** Who the user is at the partner (specification, User info response). */
export interface PartnerUser {
  readonly sub: string;
  /** The user id if the partner sends no nickname. */
  readonly nickname: string;
}

/** Makes a failure value. */
export function failure(
  kind: PartnerFailure['kind'],
  reason: string,
  details: Omit<PartnerFailure, 'ok' | 'kind' | 'reason'> = {},
): PartnerFailure {
  return { ok: false, kind, reason, ...details };
}

/** Characters that no readable text needs: controls, unpaired surrogates, private, unassigned, direction marks. */
const unprintable =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A partner's name for a user, made safe for display: printable, on one line, truncated. Pages still escape it. */
export function printable(text: string, lengthMax: number): string {
  const line = text
    .slice(0, lengthMax * 20)
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...line].slice(0, lengthMax).join('');
}
