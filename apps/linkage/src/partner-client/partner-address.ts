import { BlockList, isIP } from 'node:net';

/** Hosts, as `host:port`, that may be reached by plain http and at private addresses: the local stack's sandbox. */
export type AddressAllowList = ReadonlySet<string>;

/** Why an address of a partner may not be used, or null. */
export type AddressProblem = string | null;

/** Addresses that are not of the public internet (RFC 6890 and its registries), version 4. */
const specialV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

/** Global unicast; loopback, mapped, NAT64, unique local, link-local and multicast all lie outside. */
const globalV6 = blockList('ipv6', [['2000::', 3]]);

/** What lies inside global unicast and still is not the public internet, or hides a version 4 address (Teredo, 6to4). */
const specialV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** Whether an address literal belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !specialV4.check(address, 'ipv4');
  return version === 6 && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

/** Whether the allow list names the address's host and port. */
export function isAllowListed(url: URL, allowList: AddressAllowList): boolean {
  return allowList.has(`${url.hostname}:${url.port === '' ? defaultPort(url) : url.port}`);
}

/**
 * Checks a partner's address as it is written: https, no credentials, no trailing dot, no special literal. The URL parser
 * has already brought decimal, octal and hexadecimal forms to dotted ones. What a name resolves to is checked at connect.
 */
export function partnerAddressProblem(text: string, allowList: AddressAllowList): AddressProblem {
  if (!URL.canParse(text)) return 'is not an address';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (url.hash !== '') return 'must not contain a fragment';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https://';
  if (isAllowListed(url, allowList)) return null;
  if (url.protocol !== 'https:') return 'must start with https://';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host.endsWith('.')) return 'must not end its host with a dot';
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'must not be a private or special address';
  if (!host.includes('.') || /\.(localhost|local|internal|localdomain|home\.arpa)$/.test(host))
    return 'must be a public host name';
  return null;
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80';
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly [string, number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
