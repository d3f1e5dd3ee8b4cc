/** Paths of the API below the address that a partner gets. */
export const sendPath = '/cdp/v1/users/events/send';
export const batchPath = '/cdp/v1/users/events/batch';
export const reconcilePath = '/cdp/v1/users/events/reconcile';
export const statusPath = '/cdp/v1/users/events/status';
export const validatePath = '/cdp/v1/users/events/validate';
export const contractPath = '/cdp/v1/contract';
export const refusalsPath = '/cdp/v1/refusals';
const errorsPage = '/docs/errors';

/** The addresses of one environment. */
export interface ApiAddresses {
  readonly send: URL;
  readonly batch: URL;
  readonly reconcile: URL;
  readonly status: URL;
  readonly validate: URL;
  readonly contract: URL;
  readonly refusals: URL;
  /** The error catalogue; a code is its anchor. */
  readonly docsUrl: string;
}

/**
 * The addresses below a base address, or below the address of the send request. Throws for anything but https, because
 * each request carries the key; plain http is for this machine only. Throws for a user and password too, which no request
 * would carry.
 */
export function addressesOf(url: string): ApiAddresses {
  const base = parsedAddress(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(base.hostname);
  if (base.protocol !== 'https:' && !(base.protocol === 'http:' && isLocal))
    throw new TypeError('url must begin with https://: requests carry the key. Plain http is for 127.0.0.1 only.');
  if (base.username !== '' || base.password !== '')
    throw new TypeError('url must not contain a user name or password: requests are authorized by the key alone.');
  const prefix = base.pathname.replace(/\/+$/, '').replace(new RegExp(`/*${sendPath}$`), '');
  // A gateway on the way may need the query of the address.
  const at = (path: string, query = base.search): URL => {
    const address = new URL(base.origin);
    // Resolved against the origin, a path that begins with two slashes would be another host, which would get the key.
    address.pathname = prefix + path;
    address.search = query;
    return address;
  };
  return {
    ...{ send: at(sendPath), batch: at(batchPath), reconcile: at(reconcilePath), status: at(statusPath) },
    ...{ validate: at(validatePath), contract: at(contractPath), refusals: at(refusalsPath) },
    // In logs, which are no place for what may be a secret.
    docsUrl: at(errorsPage, '').href,
  };
}

/** The error of the URL itself does not say which option it is about. */
function parsedAddress(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new TypeError(
      'url is not an address: give the one for events that you were given, which begins with https://.',
    );
  }
}
