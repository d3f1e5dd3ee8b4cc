import { isIP } from 'node:net';
import { CodedError } from '@podium/messages';
import { AddressAllowList, isAllowListed } from '../partner-client/partner-address';

/** What a partner's address is for: people open the page, the service calls below the base. */
export type PartnerAddressField = 'authorization_url' | 'base_url';

const maxLength = 2048;

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
 * Checks an address that an operator enters for a partner and returns it in normal form, a base without a slash at its end.
 * Only https and public host names, except for `host:port` on the allow-list; whether a name leads to a private address
 * is checked at each call, because DNS changes. Throws `invalid_request` with the field's name.
 */
export function checkPartnerAddress(field: PartnerAddressField, text: string, allowList: AddressAllowList): string {
  const refuse = (problem: string): never => {
    throw new CodedError('invalid_request', { message: `${field}: ${problem}` });
  };
  if (text.length > maxLength) refuse(`must have at most ${maxLength} characters`);
  if (!URL.canParse(text) || !/^https?:\/\/[^/\\]/i.test(text)) return refuse('must be an absolute https address');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') refuse('must not hold credentials');
  if (text.includes('#')) refuse('must not have a fragment');
  if (!isAllowListed(url, allowList)) {
    if (url.protocol !== 'https:') refuse('must begin with https://');
    checkHost(url.hostname, refuse);
  }
  if (field === 'base_url') {
    if (url.search !== '' || text.includes('?')) refuse('must not have a query');
    return url.href.replace(/\/+$/, '');
  }
  for (const name of reservedParameters)
    if (url.searchParams.has(name)) refuse(`must not set ${name}, which the service adds itself`);
  return url.href;
}

function checkHost(host: string, refuse: (problem: string) => never): void {
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) refuse('must name a host, not an IP address');
  if (host.endsWith('.')) refuse('must name its host without a dot at the end');
  if (!host.includes('.') || /\.(localhost|local|internal|localdomain)$/.test(host)) refuse('must name a public host');
}
