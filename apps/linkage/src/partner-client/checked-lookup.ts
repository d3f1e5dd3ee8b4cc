import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './partner-address-rules';
import { ResolveName } from './partner-names';

/** A partner's host name resolves to an address that is not on the public internet. */
export class SpecialAddressError extends Error {
  readonly code = 'ESPECIALADDRESS';
}

/**
 * A lookup for sockets that checks every address and returns only those it checked, so there is no second lookup that could
 * differ. A name with one special address among public ones is refused as a whole.
 */
export function checkedLookup(resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (error: Error): void => callback(error, '', 0);
    resolve(hostname).then((addresses) => {
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
        return answer(new SpecialAddressError('the name resolves to a private or special address'));
      if (options.all) return callback(null, [...addresses]);
      return callback(null, addresses[0].address, addresses[0].family);
    }, answer);
  };
}
