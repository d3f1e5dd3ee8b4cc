import type { RawResponse } from '@podium/partner-check/protocol/partner-answers';
import type { PartnerRequest } from './partner-http';
import { PartnerErrorCode, partnerErrorCode } from '@podium/partner-check/protocol/partner-error-code';
import type { PartnerFailure, PartnerResult } from '@podium/partner-check/protocol/partner-result';
import { parseStrictObject } from '@podium/partner-check/protocol/strict-json';

/** What a request to a partner was for. */
export const partnerOperations = ['exchange', 'refresh', 'revoke', 'user_info'] as const;

/** One of these operations. */
export type PartnerOperationName = (typeof partnerOperations)[number];

/** How a request to a partner ended. */
export type ExchangeOutcome = 'ok' | PartnerFailure['kind'];

/** A form, or the fields of a JSON object, described without any value that a partner or user chose. */
export type DescribedFields = Readonly<Record<string, string>>;

/** A request to a partner with its response, without code, token, secret or data of the user (invariant V8). */
export interface PartnerExchange {
  readonly operation: PartnerOperationName;
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: ExchangeOutcome;
  /** This service's own words; null after a success. */
  readonly reason: string | null;
  readonly partnerCode: PartnerErrorCode | null;
  /** Whether anything was sent; not while the breaker is open, without time left, or at a refused address. */
  readonly sent: boolean;
  /** Which of two live client secrets authenticated the request; null for a request with an access token. */
  readonly clientSecret: 'current' | 'previous' | null;
  /** The name of that secret, which stays the same when the current one becomes the previous; not stored with the exchange. */
  readonly secretName: string | null;
  readonly request: { readonly method: string; readonly url: string; readonly fields: DescribedFields };
  /** Null when no response arrived. */
  readonly response: {
    readonly status: number;
    readonly body: string;
    readonly fields: DescribedFields;
  } | null;
}

/** An exchange as operators see it. */
export interface ShownExchange {
  readonly operation: PartnerOperationName;
  readonly at: string;
  readonly outcome: ExchangeOutcome;
  readonly reason: string | null;
  readonly partner_code: PartnerErrorCode | null;
  readonly duration_ms: number;
  readonly client_secret: PartnerExchange['clientSecret'];
  readonly request: PartnerExchange['request'];
  readonly response: PartnerExchange['response'];
}

/** Shows an exchange; every field is listed, so that a new one is not shown by accident. */
export function shownExchange(exchange: PartnerExchange): ShownExchange {
  const { operation, at, durationMs, outcome, reason, partnerCode, clientSecret, request, response } = exchange;
  return {
    ...{ operation, at: at.toISOString(), outcome, reason, partner_code: partnerCode, duration_ms: durationMs },
    ...{ client_secret: clientSecret, request, response },
  };
}

/** Takes an exchange; must not throw and must not wait. */
export type RecordExchange = (exchange: PartnerExchange) => void;

/** Request fields whose values this service chose and that are no secret. */
const shownInRequests = new Set(['grant_type', 'redirect_uri', 'client_id', 'token_type_hint']);

/** Response fields that standards name; the names of others may contain data and are only counted. */
const namedInResponses = new Set([
  ...['access_token', 'refresh_token', 'token_type', 'expires_in', 'refresh_expires_in', 'scope', 'id_token'],
  ...['sub', 'nickname', 'name', 'preferred_username', 'email', 'email_verified', 'picture', 'locale', 'updated_at'],
  ...['error', 'error_description', 'error_uri', 'iss', 'aud', 'exp', 'iat', 'state', 'code', 'message'],
]);

/** Describes the fields of a form that is sent. */
export function describeForm(body: string | undefined): DescribedFields {
  const fields = [...new URLSearchParams(body ?? '')];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, shownInRequests.has(name) ? value : describeText(value)]),
  );
}

/** The request of an exchange. */
export function describeRequest({ method, url, body }: Pick<PartnerRequest, 'method' | 'url' | 'body'>): {
  method: string;
  url: string;
  fields: DescribedFields;
} {
  return { method, url, fields: describeForm(body) };
}

/** The response of an exchange: its status, what kind of body it has, and its fields. */
export function describeResponse({ status, body }: RawResponse): NonNullable<PartnerExchange['response']> {
  const size = `${body.length} bytes`;
  if (body.length === 0) return { status, body: 'empty', fields: {} };
  try {
    return { status, body: `JSON object, ${size}`, fields: describeObject(parseStrictObject(body)) };
  } catch {
    const start = Buffer.from(body.subarray(0, 64)).toString('latin1').trimStart();
    const kind = start.startsWith('<') ? 'HTML or XML' : /^[[{"]/.test(start) ? 'JSON that cannot be read' : 'text';
    return { status, body: `${kind}, ${size}`, fields: {} };
  }
}

/** The status of a failure whose response was dropped before it was read. */
export function statusOnly(result: PartnerResult<RawResponse>): PartnerExchange['response'] {
  if (result.ok || result.status === undefined) return null;
  return { status: result.status, body: 'not read', fields: {} };
}

function describeObject(object: ReadonlyMap<string, unknown>): DescribedFields {
  const named = [...object].filter(([name]) => namedInResponses.has(name));
  const others = object.size - named.length;
  const described = named.map(([name, value]) => [name, describeValue(name, value)]);
  return Object.fromEntries([...described, ...(others > 0 ? [['other fields', String(others)]] : [])]);
}

function describeValue(name: string, value: unknown): string {
  if (name === 'error') return standardCode(value) ?? describe(value);
  if (name === 'token_type' && typeof value === 'string' && /^bearer$/i.test(value)) return value;
  if ((name === 'expires_in' || name === 'refresh_expires_in') && typeof value === 'number') return String(value);
  return describe(value);
}

function standardCode(value: unknown): string | undefined {
  const code = partnerErrorCode(value);
  return code === 'other' ? undefined : code;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return describeText(value);
  if (value === null) return 'null';
  return Array.isArray(value) ? `list of ${value.length}` : typeof value;
}

function describeText(text: string): string {
  return text === '' ? 'empty text' : `text of ${text.length} characters`;
}
