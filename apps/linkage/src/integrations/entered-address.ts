import { CodedError } from '@podium/messages';
import { AddressAllowList, parsePartnerAddress } from '../partner-client/partner-address-rules';

/** The kind of address: the page that users open, or the base URL that the service calls. */
export type PartnerAddressField = 'authorization_url' | 'base_url';

/** Parameters that the service adds to the authorization request (specification, Authorization request; RFC 7636). */
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
 * Checks an address that an operator enters for a partner (`partner-address-rules.ts`) and returns it as parsed, which is
 * what is stored; a base URL without a trailing slash. Throws `invalid_request` with the field's name.
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
