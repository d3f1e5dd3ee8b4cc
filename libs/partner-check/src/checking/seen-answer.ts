import { bearerError } from '../protocol/bearer-challenge';
import { PartnerErrorCode, partnerErrorCode } from '../protocol/partner-error-code';
import { RawResponse } from '../protocol/partner-answers';
import { PartnerFailure, failure } from '../protocol/partner-result';
import { parseStrictObject } from '../protocol/strict-json';
import { CheckAnswer } from '../exchanges/transport';

/** An answer with what the cases ask about it. */
export interface SeenAnswer {
  /** Number of the exchange in the report. */
  readonly exchange: number;
  readonly answer: CheckAnswer;
  readonly tookMs: number;
  /** 0 without an answer. */
  readonly status: number;
  /** The fields of a JSON object. */
  readonly fields: ReadonlyMap<string, unknown> | null;
  /** Of the body or of the Bearer challenge. */
  readonly code: PartnerErrorCode | undefined;
}

/** Reads an answer leniently: what is not there is missing. */
export function seenAnswer(exchange: number, answer: CheckAnswer, tookMs: number): SeenAnswer {
  if (!answer.ok) return { exchange, answer, tookMs, status: answer.status ?? 0, fields: null, code: undefined };
  let fields: ReadonlyMap<string, unknown> | null = null;
  try {
    fields = parseStrictObject(answer.body);
  } catch {
    // Not a JSON object: the case says whether it should be.
  }
  const challenge = bearerError(answer.headers.get('www-authenticate'));
  const code = partnerErrorCode(fields?.get('error')) ?? partnerErrorCode(challenge);
  return { exchange, answer, tookMs, status: answer.status, fields, code };
}

/** The answer as the service's own readers take it. */
export function rawResponse(answer: CheckAnswer): { ok: true; value: RawResponse } | PartnerFailure {
  if (!answer.ok)
    return failure(answer.fault === undefined ? 'unavailable' : 'malformed', answer.reason, {
      status: answer.status,
      fault: answer.fault,
    });
  const { status, headers, body } = answer;
  return {
    ok: true,
    value: { status, body, retryAfter: headers.get('retry-after'), challenge: headers.get('www-authenticate') },
  };
}

/** Whether it is a refusal as specified: 4XX, but not 429, which asks to wait. */
export function isRefusal({ status }: SeenAnswer): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Whether tokens were issued. */
export function hasTokens({ status, fields }: SeenAnswer): boolean {
  return status === 200 && typeof fields?.get('access_token') === 'string';
}

/** What two answers must have in common to be the same for a reader. */
export function signature({ status, fields }: SeenAnswer): string {
  return `${status} ${JSON.stringify(fields?.get('error') ?? null)}`;
}
