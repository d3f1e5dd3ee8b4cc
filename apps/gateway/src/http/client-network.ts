import { isIPv4 } from 'node:net';

/** The address of an IPv4 client; the first 64 bits of an IPv6 address, because one client may use all addresses below them. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const [head, tail] = address.split('%')[0].split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  }
  return groups.slice(0, 4).join(':');
}
