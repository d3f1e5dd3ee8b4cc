import { CodedError } from '@podium/messages';
import { AddressAllowList, parsePartnerAddress } from '../partner-client/partner-address';

/** What a partner's address is for: people open the page, the service calls below the base. */
export type PartnerAddressField = 'authorization_url' | 'base_url';

/** What the service itself adds to the authorization request (specification, Authorization request; RFC 7636). */
const reservedParameters = [
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'response_type',
  'code_challenge',
  'code_challenge_method',
];

/**
 * Takes an address that an operator enters for a partner and returns it as it was parsed, which is what is stored; a base
 * without a slash at its end. Throws `invalid_request` with the field's name.
 */
export function checkPartnerAddress(field: PartnerAddressField, text: string, allowList: AddressAllowList): string {
  const refuse = (problem: string): never => {
    throw new CodedError('invalid_request', { message: `${field}: ${problem}` });
  };
  const address = parsePartnerAddress(text, allowList);
  if (!address.ok) return refuse(address.problem);
  const { url } = address;
  if (field === 'base_url') {
    if (text.includes('?')) refuse('must not have a query');
    return url.href.replace(/\/+$/, '');
  }
  for (const name of reservedParameters)
    if (url.searchParams.has(name)) refuse(`must not set ${name}, which the service adds itself`);
  return url.href;
}
