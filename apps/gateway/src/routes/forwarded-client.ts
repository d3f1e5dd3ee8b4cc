import { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Finds the client's address behind the proxies that are believed. */
export class ForwardedClient {
  private readonly trusted = new BlockList();

  /** Takes networks as CIDR or single addresses; throws on what is neither. */
  constructor(trustedProxies: readonly string[]) {
    for (const network of trustedProxies) {
      const [ip, bits] = network.split('/');
      const family = familyOf(ip);
      if (!family) throw new Error(`TRUSTED_PROXIES: ${network} is no address or network`);
      this.trusted.addSubnet(ip, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
    }
  }

  /** The nearest address that is not a trusted proxy's: what a client writes into X-Forwarded-For itself lies farther. */
  addressOf(request: IncomingMessage): string {
    let address = plainAddress(request.socket.remoteAddress ?? '');
    const header = request.headers['x-forwarded-for'];
    const hops = typeof header === 'string' ? header.split(',').map((hop) => plainAddress(hop.trim())) : [];
    while (hops.length > 0 && this.isTrusted(address)) {
      const next = hops.pop() ?? '';
      if (!familyOf(next)) break;
      address = next;
    }
    return address;
  }

  /** Whether an address is that of a trusted proxy. */
  isTrusted(address: string): boolean {
    const family = familyOf(address);
    return family !== null && this.trusted.check(address, family);
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : null;
}

/** An address; an IPv4 one that came over an IPv6 socket without its prefix. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
