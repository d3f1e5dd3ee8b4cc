import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './partner-address';
import { ResolveName } from './partner-names';

/** A name of a partner resolves to an address that is not of the public internet. */
export class SpecialAddressError extends Error {
  readonly code = 'ESPECIALADDRESS';
}

/**
 * A look-up for sockets that checks every address and hands out just those it checked: the answer of a second look-up is
 * never connected to, and a name with one special address among public ones is refused whole.
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
