/**
 * The error codes that standards define for a partner's responses: RFC 6749 (4.1.2.1, 5.2), RFC 6750 (3.1), RFC 7009
 * (2.2.1), OpenID Connect Core 1.0 (3.1.2.6), RFC 8707 (2), RFC 9470 (3).
 */
export const standardErrorCodes = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'insufficient_scope',
  'insufficient_user_authentication',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_scope',
  'invalid_target',
  'invalid_token',
  'login_required',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_token_type',
] as const;

/** A partner's `error` as it is logged and shown: a standard code, or `other` for any other text. */
export type PartnerErrorCode = (typeof standardErrorCodes)[number] | 'other';

const known: ReadonlySet<string> = new Set(standardErrorCodes);

/**
 * Reads a partner's `error`, undefined when there is none. Partners may use any code (specification, Error body), and some
 * echo request data in it, so text that no standard defines is dropped here (invariant V8).
 */
export function partnerErrorCode(error: unknown): PartnerErrorCode | undefined {
  if (error === undefined || error === null || error === '') return undefined;
  return typeof error === 'string' && known.has(error) ? (error as PartnerErrorCode) : 'other';
}
