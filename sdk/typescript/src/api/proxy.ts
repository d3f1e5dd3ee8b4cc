import { isIPv6 } from 'node:net';

/** An HTTP proxy through which connections to other hosts are made (CONNECT). */
export interface ProxyAddress {
  readonly host: string;
  readonly port: number;
  /** The header of the proxy's user and password; it goes to the proxy alone. */
  readonly authorization?: string;
}

/**
 * The proxy at an address such as `http://user:password@proxy.example:3128`, as the variable HTTPS_PROXY holds it; undefined for an
 * empty one. Throws TypeError, without the password, for an address that cannot be used.
 */
export function proxyOf(address: string | undefined): ProxyAddress | undefined {
  const text = address?.trim();
  if (!text) return undefined;
  const url = parsedProxy(text);
  const { username, password, hostname, port } = url;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 80 : Number(port),
    ...(user !== ':' && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
  };
}

/**
 * The proxy that the variables HTTPS_PROXY and NO_PROXY, or these in small letters, name for an address; undefined for none, and for
 * plain http, which is for this machine only. Throws TypeError as `proxyOf`.
 */
export function proxyFor(url: URL, env: Readonly<Record<string, string | undefined>>): ProxyAddress | undefined {
  const exceptions = env.no_proxy ?? env.NO_PROXY ?? '';
  if (url.protocol !== 'https:' || exceptions.split(/[\s,]+/).some((each) => isException(each, url))) return undefined;
  return proxyOf(env.https_proxy ?? env.HTTPS_PROXY);
}

/**
 * Whether an entry of NO_PROXY names the host of an address: itself, a domain above it, or `*`, with or without a port. An address
 * of IPv6 has brackets around it when a port follows; otherwise it may have them.
 */
function isException(entry: string, { hostname, port }: URL): boolean {
  if (entry === '*') return true;
  const bracketed = isIPv6(entry) ? `[${entry}]` : entry;
  const [, given = '', ofPort] = /^(?:\*?\.)?(\[.*\]|.*?)(?::(\d+))?$/.exec(bracketed.toLowerCase()) ?? [];
  const name = given.startsWith('[') ? shortened(given) : given;
  if (name === '' || (ofPort !== undefined && ofPort !== (port || '443'))) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}

/** An address of IPv6 in brackets, in the form in which URLs have it; itself when it is none. */
function shortened(bracketed: string): string {
  try {
    return new URL(`http://${bracketed}`).hostname;
  } catch {
    return bracketed;
  }
}

function parsedProxy(text: string): URL {
  try {
    // Programs such as curl take it without http:// as well.
    const url = new URL(text.includes('://') ? text : `http://${text}`);
    decodeURIComponent(url.username + url.password);
    if (url.protocol === 'http:') return url;
  } catch {
    // Refused below.
  }
  throw new TypeError(
    'proxy is not an address such as http://proxy.example:3128. The proxy itself is called by plain http.',
  );
}
