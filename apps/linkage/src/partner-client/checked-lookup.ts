import { LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './partner-address';

/** A name of a partner resolves to an address that is not of the public internet. */
export class SpecialAddressError extends Error {
  readonly code = 'ESPECIALADDRESS';
}

/** Resolves a name to all its addresses; replaced in specs. */
export type ResolveAll = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A look-up for sockets that checks every address and hands out just those it checked: the answer of a second look-up is
 * never connected to, and a name with one special address among public ones is refused whole.
 */
export function checkedLookup(resolveAll: ResolveAll = resolveBySystem): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname, (error, addresses) => {
      if (error) return callback(error, '', 0);
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new SpecialAddressError('the name resolves to a private or special address'), '', 0);
      if (options.all) return callback(null, addresses);
      return callback(null, addresses[0].address, addresses[0].family);
    });
  };
}

function resolveBySystem(hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void): void {
  lookup(hostname, { all: true }, callback);
}
