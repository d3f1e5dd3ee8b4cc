import { PartnerErrorCode } from '@podium/partner-check/protocol/partner-error-code';
import { PartnerFailure } from '@podium/partner-check/protocol/partner-result';
import { CallbackQuery, isPartnersIssuer } from '@podium/partner-check/protocol/callback-query';
import { TakenFlow } from './flow.store';
import { LinkFailureReason } from './link-outcome';
import { PartnerIntegration } from './partner-integration.store';

/** Why a flow ended without a link. */
export interface FlowFailure {
  readonly reason: LinkFailureReason;
  readonly partnerCode?: PartnerErrorCode;
}

/** A redirect whose flow was found. */
type RecognisedQuery = Exclude<CallbackQuery, { kind: 'unusable' }>;

/** Why a redirect cannot be used, whoever returned with it; null when its code may be exchanged. Pure. */
export function redirectProblem(
  partner: PartnerIntegration,
  flow: TakenFlow,
  query: RecognisedQuery,
): FlowFailure | null {
  const { connection, authorizationUrl } = partner;
  const issued = { baseUrl: connection.baseUrl, authorizationUrl, issuer: connection.profile.issuer };
  // Before all else (RFC 9207 2.4): what another server says is neither shown nor counted as the partner's.
  if (query.iss !== null && !isPartnersIssuer(query.iss, issued)) return { reason: 'issuer_mismatch' };
  // An error is shown only to the browser that has a flow: a forged URL cannot put text on this page.
  if (query.kind === 'error') return { reason: 'partner_said_no', partnerCode: query.error };
  if (flow.expired) return { reason: 'expired' };
  // The code and the code verifier belong to the former server.
  if (flow.originVersion !== partner.originVersion) return { reason: 'partner_moved' };
  return null;
}

/** The reason of a flow whose request to the partner failed. */
export function reasonOf({ kind, partnerCode }: PartnerFailure): FlowFailure {
  if (kind === 'rejected') return { reason: 'partner_refused', partnerCode };
  return { reason: kind === 'malformed' ? 'partner_malformed' : 'partner_unavailable', partnerCode };
}
