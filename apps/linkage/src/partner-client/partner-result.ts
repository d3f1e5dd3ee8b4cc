import { PartnerErrorCode } from './partner-error-code';

/** Why a partner gave nothing usable; values, never exceptions, so that no text of the partner travels upward unseen. */
export interface PartnerFailure {
  readonly ok: false;
  /**
   * `rejected`: the partner answered 4XX and meant it. `unavailable`: no answer in time, 5XX or 429; may pass.
   * `malformed`: an answer out of the specification. `address_refused`: our own rule forbids the address.
   */
  readonly kind: 'rejected' | 'unavailable' | 'malformed' | 'address_refused';
  /** Our own words, safe for logs. */
  readonly reason: string;
  readonly status?: number;
  /** What a standard defines of the partner's `error`; the text itself goes nowhere. */
  readonly partnerCode?: PartnerErrorCode;
  /** From Retry-After, whole seconds, at most an hour. */
  readonly retryAfterS?: number;
  /** Whether the request may have had its effect although no answer came. */
  readonly outcomeUnknown?: boolean;
}

/** What became of a request to a partner. */
export type PartnerResult<Value> = { readonly ok: true; readonly value: Value } | PartnerFailure;

/** Tokens as the partner gave them. */
export interface TokenSet {
  readonly accessToken: string;
  /** Null when the answer has none: a code exchange then leaves nothing to refresh with, a refresh keeps the old one. */
  readonly refreshToken: string | null;
  /** Seconds from the answer; null when the partner does not say. */
  readonly expiresInS: number | null;
}

/** Who the user is at the partner (specification, User info response). */
export interface PartnerUser {
  readonly sub: string;
  /** The user id when the partner has no nicknames. */
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

/** Controls, unpaired surrogates, private and unassigned characters, direction marks: nothing of a readable text. */
const unprintable =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A partner's name of a user as it may stand, escaped, on a page: printable, on one line, at most so many characters. */
export function printable(text: string, lengthMax: number): string {
  const line = text
    .slice(0, lengthMax * 20)
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...line].slice(0, lengthMax).join('');
}
