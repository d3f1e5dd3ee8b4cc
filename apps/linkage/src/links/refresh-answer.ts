import { PartnerFailure, PartnerResult, TokenSet } from '@podium/partner-check/protocol/partner-result';

/** What became of the refresh token that was sent. */
export type RefreshAnswer =
  | { readonly kind: 'refreshed'; readonly tokens: TokenSet }
  /** The partner ended the grant. */
  | { readonly kind: 'ended' }
  /** The partner did not take the token: it may be sent again at any time. */
  | { readonly kind: 'unused'; readonly failure: PartnerFailure }
  /** The partner may have taken the token and issued another, but its answer did not arrive. */
  | { readonly kind: 'lost'; readonly failure: PartnerFailure };

/**
 * Classifies the response of a token endpoint to a refresh. Only `invalid_grant` in a JSON body ends the grant (RFC 6749
 * 5.2): any other error may come from a proxy, a faulty release or a wrong client secret, and would end the links of all
 * users at once. A success that cannot be read is lost, because the partner may have rotated the token.
 */
export function classifyRefresh(result: PartnerResult<TokenSet>): RefreshAnswer {
  if (result.ok) return { kind: 'refreshed', tokens: result.value };
  if (isGrantEnded(result)) return { kind: 'ended' };
  return { kind: isTokenTaken(result) ? 'lost' : 'unused', failure: result };
}

/** Whether to send the token again at once: an answer got lost on its way. A partner that answers 5XX needs a pause. */
export function isLostInTransit(answer: RefreshAnswer): boolean {
  return answer.kind === 'lost' && (answer.failure.status ?? 200) < 500;
}

function isGrantEnded({ kind, status, partnerCode }: PartnerFailure): boolean {
  return kind === 'rejected' && (status === 400 || status === 401) && partnerCode === 'invalid_grant';
}

function isTokenTaken({ kind, status, partnerCode, outcomeUnknown }: PartnerFailure): boolean {
  if (outcomeUnknown === true) return true;
  // Redirects and 4XX do not issue tokens, nor does a success whose body is an error.
  return kind === 'malformed' && (status ?? 200) < 300 && partnerCode === undefined;
}
