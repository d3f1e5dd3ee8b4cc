import { BlockList, isIP } from 'node:net';
import { parseUrl } from '@podium/runtime/url';

/** Hosts, as `host:port` or `host:*`, that may be called over plain http and at private addresses: those of a local stack. */
export type AddressAllowList = ReadonlySet<string>;

/** A parsed address of a partner, or why it is refused. */
export type PartnerAddress =
  { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string };

const maxLength = 2048;

/** IPv4 addresses that are not on the public internet (RFC 6890 and its registries). */
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

/** Global unicast; loopback, mapped, NAT64, unique local, link-local and multicast are all outside of it. */
const globalV6 = blockList('ipv6', [['2000::', 3]]);

/** Parts of global unicast that are not the public internet, or that embed an IPv4 address (Teredo, 6to4). */
const specialV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** Whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !specialV4.check(address, 'ipv4');
  return version === 6 && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

/** Whether the allow list has the address's host, with its port or all. */
export function isAllowListed(url: URL, allowList: AddressAllowList): boolean {
  return (
    allowList.has(`${url.hostname}:*`) ||
    allowList.has(`${url.hostname}:${url.port === '' ? defaultPort(url) : url.port}`)
  );
}

/**
 * Which addresses of partners are refused, both when an operator saves one and when the client calls it: everything but
 * https with a public host name, unless `host:port` is on the allow list. Also refused is what URL parsers read differently:
 * credentials, backslashes, blanks, control characters. Each connection checks what the name resolves to (`isPublicAddress`).
 */
export function parsePartnerAddress(text: string, allowList: AddressAllowList): PartnerAddress {
  const refused = (problem: string): PartnerAddress => ({ ok: false, problem });
  if (text.length > maxLength) return refused(`must have at most ${maxLength} characters`);
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return refused('must not have blanks, control characters or backslashes');
  const url = /^https?:\/\/[^/]/i.test(text) ? parseUrl(text) : null;
  if (url === null) return refused('must be an absolute https address');
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return refused('must not have credentials');
  if (text.includes('#')) return refused('must not have a fragment');
  if (isAllowListed(url, allowList)) return { ok: true, url };
  if (url.protocol !== 'https:') return refused('must begin with https://');
  const problem = hostProblem(url.hostname);
  return problem === null ? { ok: true, url } : refused(problem);
}

/** The origin of an address; null if it is not one, such as the empty address of a restored integration. */
export function originOf(address: string): string | null {
  return parseUrl(address)?.origin ?? null;
}

/** The URL parser has already converted decimal, octal and hexadecimal forms of IPv4 to dotted ones. */
function hostProblem(host: string): string | null {
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return 'must name a host, not an IP address';
  if (host.endsWith('.')) return 'must name its host without a dot at the end';
  const isPrivateName = !host.includes('.') || /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(host);
  return isPrivateName ? 'must name a public host' : null;
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80';
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly [string, number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
