import { PartnerErrorCode, partnerErrorCode } from './partner-error-code';
import { originOf } from './origin-of';

/** The content of a partner's redirect (specification, Successful and Failed redirect). */
export type CallbackQuery =
  | { readonly kind: 'code'; readonly code: string; readonly state: string; readonly iss: string | null }
  | {
      readonly kind: 'error';
      readonly error: PartnerErrorCode | undefined;
      readonly state: string | null;
      readonly iss: string | null;
    }
  | { readonly kind: 'unusable'; readonly reason: string };

const valueLengthMax = 4096;

/** Parses the raw query of a callback: each known parameter at most once, and either a code with its state or an error. */
export function parseCallbackQuery(search: string): CallbackQuery {
  const query = new URLSearchParams(search);
  for (const name of ['code', 'state', 'error', 'iss'])
    if (query.getAll(name).length > 1) return { kind: 'unusable', reason: `${name} is repeated` };
  const [code, state, error, iss] = ['code', 'state', 'error', 'iss'].map((name) => query.get(name) || null);
  if (code !== null && error !== null) return { kind: 'unusable', reason: 'both code and error' };
  if (error !== null) return { kind: 'error', error: partnerErrorCode(error), state, iss };
  if (code === null) return { kind: 'unusable', reason: 'neither code nor error' };
  if (state === null) return { kind: 'unusable', reason: 'code without state' };
  if (code.length > valueLengthMax || state.length > valueLengthMax) return { kind: 'unusable', reason: 'too long' };
  return { kind: 'code', code, state, iss };
}

/**
 * Whether the `iss` (RFC 9207) of a redirect, with code or error, may be the partner's. An agreed issuer is compared as it is (section 2.4): two partners
 * may be tenants of one host. Otherwise its base URL and the origins of its base URL and authorization page are accepted,
 * because partners publish no metadata.
 */
export function isPartnersIssuer(
  iss: string,
  partner: { readonly baseUrl: string; readonly authorizationUrl: string; readonly issuer?: string | null },
): boolean {
  if (typeof partner.issuer === 'string') return iss === partner.issuer;
  const known: (string | null)[] = [partner.baseUrl, originOf(partner.baseUrl), originOf(partner.authorizationUrl)];
  return known.includes(iss.replace(/\/$/, ''));
}
